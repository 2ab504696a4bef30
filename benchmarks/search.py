"""The search against random search and a plain grid, for the same number of simulated jobs.

Random points and the grid get long runs for every candidate, and so fewer of them; the search
drops most of its own on short ones. Each chooses among its best by the same finals, and what
counts is the objective on streams or weeks that nobody saw, over several seeds.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product, repeat
from pathlib import Path

import numpy as np
from tests.small_log import SERVERS, small_log

import zerowait as zw
from benchmarks.measuring import Check
from zerowait.experiment.optimisation.evaluations import Evaluator
from zerowait.experiment.optimisation.scoring import Score, run_unseen, scores
from zerowait.experiment.optimisation.search import Search, Trial, best_on, long_merit
from zerowait.experiment.optimisation.space import Candidate
from zerowait.experiment.optimisation.tasks import Task, make_task
from zerowait.experiment.sweeps.executors import opened_executor

EVALUATIONS = 200
SEEDS = (1, 2, 3)
BEATEN = 0.99  # of another's objective: less is a win, above is a tie or a loss
VARIATION = 4  # coefficient of variation of the highly variable services
PROTECT = ("wait[each] <= 1.25x first-fit",)
Found = dict[str, Score]  # by how it was searched


def search(check: Check) -> None:
    print("objective of the choice where nobody had looked, as a share of the baseline's:")
    print(f"median (and range) over seeds {SEEDS}")
    with tempfile.TemporaryDirectory() as folder:
        tasks: dict[str, Callable[[int], Task]] = {
            "figure1, k = 256: orders, sizes unknown": _orders,
            "highly variable: slots and cuts": _splits,
            "a log of 12,000 jobs: orders": lambda seed: _log(Path(folder) / "log.csv", seed),
        }
        for name, make in tasks.items():
            found = [_searches(make(seed)) for seed in SEEDS]
            shown = (f"{how} {_told([one[how] for one in found])}" for how in found[0])
            print(f"  {name}: {', '.join(shown)}")
            for other in ("random", "grid"):
                ratios = [one["search"].ratio / one[other].ratio for one in found]
                check(f"{name}, over {other}", float(np.median(ratios)), BEATEN, at_least=False)


def _told(found: list[Score]) -> str:
    ratios = [one.ratio for one in found]
    return f"{np.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"


def _orders(seed: int) -> Task:
    """Up to three numbers: patience and the weight of need, or an allowance per class."""
    return _workload(
        zw.workloads.figure1(256), seed, policies=("backfill,reserve_after=never,by=class",)
    )


def _splits(seed: int) -> Task:
    """Nine numbers: where classes are cut by size, and the slots of every half of a class."""
    plain = zw.workloads.figure1(256)
    classes = [
        replace(one, service=zw.Hyperexponential.from_mean_std(m, VARIATION * m))
        for one in plain.classes
        for m in [one.service.mean]
    ]
    return _workload(
        zw.Workload(classes).with_load(256, 0.9), seed, cut=True,
        policies=("bs:backfill,order=estimate,by=job,reserve_after=never",),
    )  # fmt: skip


def _workload(workload: zw.Workload, seed: int, **options: object) -> Task:
    return make_task(
        workload, 256, minimise=("wait",), subject_to=PROTECT, baseline=None, seed=seed,
        evaluations=EVALUATIONS, arrivals=50_000, replications=4, scored_arrivals=200_000,
        **options,
    )  # fmt: skip


def _log(path: Path, seed: int) -> Task:
    log = zw.read_log(small_log(path, seed=seed))
    return make_task(
        log, SERVERS, policies=("backfill",), minimise=(), baseline=None, seed=seed,
        subject_to=("longest_wait <= 1.25x easy",), evaluations=EVALUATIONS,
    )  # fmt: skip


def _searches(task: Task) -> Found:
    with opened_executor() as executor:
        contest = Contest(task, Evaluator(task.servers, task.problem.statistics, executor))
        trials, n = contest.searched()
        found = {"search": contest.score(trials)}
        for how, points in (("random", _random_points(task, n)), ("grid", _grid_points(task, n))):
            assert 0.5 * n < len(points) <= n + len(task.arms)
            found[how] = contest.score(contest.run(points))
        return found


@dataclass(frozen=True)
class Contest:
    """One problem, for all that search it."""

    task: Task
    evaluator: Evaluator

    def searched(self) -> tuple[list[Trial], int]:
        """What the search ran, best first, and of how many candidates that is the long runs."""
        task = self.task
        search = Search(
            task.problem, self.evaluator, task.arms, task.ground, task.stages, task.evaluations,
            task.seed,
        )  # fmt: skip
        best = search.run([task.problem.baseline])
        assert EVALUATIONS / 2 < len(search.trials) <= EVALUATIONS + 1
        short, long = (
            sum(one.n_jobs for one in some) for some in (task.stages.short, task.stages.long)
        )
        again = short if task.stages.short[0] in task.stages.long else 0  # is run once
        jobs = sum(
            short + (one.long is not None) * (long - again) for one in search.trials.values()
        )
        return best, round(jobs / long)

    def run(self, candidates: list[Candidate]) -> list[Trial]:
        """Long runs of all, best first."""
        problem, long = self.task.problem, self.task.stages.long
        known = {
            name: self.evaluator.required(one, long) for name, one in problem.references.items()
        }
        tried = [problem.baseline, *candidates]
        judged = [problem.judge(values, known) for values in self.evaluator(tried, long)]
        trials = [Trial(*one) for one in zip(tried, repeat(-1), repeat(()), judged, judged)]
        return sorted(trials, key=long_merit)

    def score(self, trials: list[Trial]) -> Score:
        """The best in the finals, where nobody had looked."""
        task = self.task
        best = best_on(task.problem, self.evaluator, trials, task.stages.finals).candidate
        runs = run_unseen(task.problem, best, self.evaluator, task.unseen)
        return scores(task.problem, runs)[0]


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
        axes = [(np.arange(steps) + 0.5) / steps for steps in _steps(arm.n_axes, share)]
        found += [arm.candidate(point, task.ground) for point in product(*axes)]
    return found


def _steps(n_axes: int, n: int) -> list[int]:
    """Steps on each axis, as even as may be, so that the grid has at most n points."""
    steps = [1] * n_axes
    at = 0
    while n_axes and np.prod(steps) * (steps[at] + 1) // steps[at] <= n:
        steps[at] += 1
        at = (at + 1) % n_axes
    return steps
