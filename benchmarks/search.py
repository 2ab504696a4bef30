"""The search against random search and a plain grid, at the same number of candidates.

Random points and the grid get long runs for every candidate; the search drops most of its own on
short ones. What counts is the objective on streams or weeks that nobody saw.
"""

import tempfile
from itertools import product
from pathlib import Path

import numpy as np
from tests.small_log import SERVERS, small_log

import zerowait as zw
from benchmarks.targets import Check
from zerowait.experiment.optimisation.candidate import Candidate
from zerowait.experiment.optimisation.evaluations import Evaluator
from zerowait.experiment.optimisation.optimise import run_task
from zerowait.experiment.optimisation.problem import merit
from zerowait.experiment.optimisation.scoring import runs_on_streams, runs_on_weeks, scores
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
                found["search"].append(_searched(task))
                found["random"].append(_best_of(task, _random_points(task)))
                found["grid"].append(_best_of(task, _grid_points(task)))
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


def _searched(task: Task) -> float:
    found = run_task(task)
    assert len(found.trials) <= EVALUATIONS + 1
    return found.objectives[0].ratio


def _best_of(task: Task, candidates: list[Candidate]) -> float:
    """The best of these on the long runs, scored where nobody had looked."""
    assert len(candidates) <= EVALUATIONS
    problem = task.problem
    with opened_executor() as executor:
        evaluator = Evaluator(task.servers, problem.statistics, executor)
        known = {
            name: evaluator.required(one, task.stages.long)
            for name, one in problem.references.items()
        }
        tried = [problem.baseline, *candidates]
        found = evaluator(tried, task.stages.long)
        merits = [merit(problem.judge(values, known)) for values in found]
        best = tried[int(np.argmin(merits))]
        if not task.of_log:
            return scores(problem, runs_on_streams(problem, best, evaluator, task.unseen))[0].ratio
        return scores(problem, runs_on_weeks(problem, best, task.servers, task.unseen[0]))[0].ratio


def _shares(task: Task) -> list[int]:
    """Candidates of each arm, by the number of its axes."""
    sizes = np.array([max(arm.n_axes, 0.2) for arm in task.arms])
    return [max(1, int(n)) for n in (EVALUATIONS - len(sizes)) * sizes / sizes.sum()]


def _random_points(task: Task) -> list[Candidate]:
    rng = np.random.default_rng(task.seed)
    return [
        arm.candidate(rng.random(arm.n_axes), task.ground)
        for arm, n in zip(task.arms, _shares(task), strict=True)
        for _ in range(n if arm.n_axes else 1)
    ]


def _grid_points(task: Task) -> list[Candidate]:
    found = []
    for arm, n in zip(task.arms, _shares(task), strict=True):
        steps = max(1, int(n ** (1 / arm.n_axes) + 1e-9)) if arm.n_axes else 1
        places = (np.arange(steps) + 0.5) / steps
        found += [arm.candidate(point, task.ground) for point in product(places, repeat=arm.n_axes)]
    return found
