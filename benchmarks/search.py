"""The search against random search and a plain grid, for the same number of simulated jobs.

Random points and the grid get long runs for every candidate, and so fewer of them; the search
drops most of its own on short ones. Each chooses among its best by the same finals, and what
counts is the objective on streams or weeks that nobody saw.
"""

import tempfile
from itertools import product, repeat
from pathlib import Path

import numpy as np
from tests.small_log import SERVERS, small_log

import zerowait as zw
from benchmarks.targets import Check
from zerowait.experiment.optimisation.candidate import Candidate
from zerowait.experiment.optimisation.evaluations import Evaluator
from zerowait.experiment.optimisation.optimise import run_task
from zerowait.experiment.optimisation.scoring import runs_on_streams, runs_on_weeks, scores
from zerowait.experiment.optimisation.search import Trial, best_on, long_merit
from zerowait.experiment.optimisation.tasks import Task, make_task
from zerowait.experiment.sweeps.executors import opened_executor

EVALUATIONS = 80
SEEDS = (1, 2)


def search(check: Check) -> None:
    print("objective of the choice where nobody had looked, over that of other searches")
    with tempfile.TemporaryDirectory() as folder:
        tasks = {
            "figure1, k = 256": lambda seed: _workload(zw.workloads.figure1(256), 256, seed),
            "sdsc-sp2, k = 512": lambda seed: _workload(
                zw.workloads.sdsc_sp2().with_load(512, 0.85), 512, seed
            ),
            "a log of 12,000 jobs": lambda seed: _log(Path(folder) / "log.csv", seed),
        }
        for name, make in tasks.items():
            found = {"search": [], "random": [], "grid": []}
            for seed in SEEDS:
                task = make(seed)
                ratio, n = _searched(task)
                found["search"].append(ratio)
                found["random"].append(_best_of(task, _random_points(task, n)))
                found["grid"].append(_best_of(task, _grid_points(task, n)))
            mean = {how: float(np.mean(values)) for how, values in found.items()}
            shown = ", ".join(f"{how} {value:.3f}" for how, value in mean.items())
            print(f"       {name}: {shown} of the baseline")
            for other in ("random", "grid"):
                check(f"{name}, over {other}", mean["search"] / mean[other], 1.0, at_least=False)


def _workload(workload: zw.Workload, servers: int, seed: int) -> Task:
    return make_task(
        workload, servers, policies=("backfill,reserve_after=never,by=class",), minimise=("wait",),
        subject_to=("wait[each] <= 1.25x first-fit",), baseline=None, evaluations=EVALUATIONS,
        seed=seed, arrivals=50_000, replications=4, scored_arrivals=200_000,
    )  # fmt: skip


def _log(path: Path, seed: int) -> Task:
    log = zw.read_log(small_log(path, seed=seed))
    return make_task(
        log, SERVERS, policies=("backfill",), minimise=(), baseline=None, seed=seed,
        subject_to=("longest_wait <= 1.25x easy",), evaluations=EVALUATIONS,
    )  # fmt: skip


def _searched(task: Task) -> tuple[float, int]:
    """The objective, and how many candidates the same jobs are long runs of."""
    found = run_task(task)
    assert EVALUATIONS / 2 < len(found.trials) <= EVALUATIONS + 1
    short, long = (
        sum(one.n_jobs for one in some) for some in (task.stages.short, task.stages.long)
    )
    again = short if task.stages.short[0] in task.stages.long else 0  # is run once
    jobs = sum(short + (one.long is not None) * (long - again) for one in found.trials)
    return found.objectives[0].ratio, round(jobs / long)


def _best_of(task: Task, candidates: list[Candidate]) -> float:
    """The best of these on the long runs and in the finals, scored where nobody had looked."""
    problem = task.problem
    with opened_executor() as executor:
        evaluator = Evaluator(task.servers, problem.statistics, executor)
        known = {
            name: evaluator.required(one, task.stages.long)
            for name, one in problem.references.items()
        }
        tried = [problem.baseline, *candidates]
        found = evaluator(tried, task.stages.long)
        judged = [problem.judge(values, known) for values in found]
        trials = [Trial(*one) for one in zip(tried, repeat(-1), repeat(()), judged, judged)]
        trials.sort(key=long_merit)
        best = best_on(problem, evaluator, trials, task.finals).candidate
        if not task.of_log:
            return scores(problem, runs_on_streams(problem, best, evaluator, task.unseen))[0].ratio
        return scores(problem, runs_on_weeks(problem, best, task.servers, task.unseen[0]))[0].ratio


def _shares(task: Task, n: int) -> list[int]:
    """Of n candidates those of each arm, by the number of its axes."""
    sizes = np.array([max(arm.n_axes, 0.2) for arm in task.arms])
    return [max(1, round(share)) for share in n * sizes / sizes.sum()]


def _random_points(task: Task, n: int) -> list[Candidate]:
    rng = np.random.default_rng(task.seed)
    return [
        arm.candidate(rng.random(arm.n_axes), task.ground)
        for arm, share in zip(task.arms, _shares(task, n), strict=True)
        for _ in range(share if arm.n_axes else 1)
    ]


def _grid_points(task: Task, n: int) -> list[Candidate]:
    found = []
    for arm, share in zip(task.arms, _shares(task, n), strict=True):
        steps = max(1, round(share ** (1 / arm.n_axes))) if arm.n_axes else 1
        places = (np.arange(steps) + 0.5) / steps
        found += [arm.candidate(point, task.ground) for point in product(places, repeat=arm.n_axes)]
    return found
