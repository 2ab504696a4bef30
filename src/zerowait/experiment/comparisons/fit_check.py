"""A workload held against the log it was made of: the same policies on both."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from zerowait.engine.loop import Chunk
from zerowait.engine.stream import WorkloadStream
from zerowait.experiment.files.workload_file import AnyWorkload, find_workload
from zerowait.experiment.options import BOUND_S, Progress
from zerowait.experiment.simulation.log_setup import fitting, servers_of
from zerowait.experiment.simulation.simulate import replay
from zerowait.experiment.statistics.intervals import LEVEL, Interval, student_interval
from zerowait.model import Jobs, Workload
from zerowait.model.display import json_ready
from zerowait.model.quantities import whole
from zerowait.traces.fitting.workload_fit import WorkloadFit
from zerowait.traces.reading import Trace, log_of

POLICIES = ("fcfs", "first-fit", "easy")
REPLICATIONS = 8
# Means further apart than this are those of another system. The two halves of one log, each
# replayed by itself, differ about as much: a median factor of 2.1 (docs/decisions/0203-fits.md).
MOST_APART = 2.0
# Policies this near to each other in the replay have no order that a fit could get wrong.
TIED = 1.1
# Waits below the bound of the bounded slowdown are as good as none.
NO_WAIT_S = BOUND_S


@dataclass(frozen=True)
class PolicyCheck:
    """Means of one policy in seconds: over the jobs of the log, and of simulated stretches."""

    policy: str
    log_wait: float
    fit_wait: Interval
    log_bounded_slowdown: float
    fit_bounded_slowdown: Interval

    @property
    def wait_factor(self) -> float:
        """How many times as long jobs of the fit wait; waits of a few seconds are all alike."""
        return max(self.fit_wait.mean, NO_WAIT_S) / max(self.log_wait, NO_WAIT_S)

    @property
    def slowdown_factor(self) -> float:
        return self.fit_bounded_slowdown.mean / self.log_bounded_slowdown


@dataclass(frozen=True, repr=False)
class FitCheck:
    """The log against the fit, and whether the fit may stand for it."""

    servers: int
    jobs: int  # of the log, and of each simulated stretch
    replications: int
    seed: int
    log_load: float | None
    fit_load: float
    policies: tuple[PolicyCheck, ...]

    def __repr__(self) -> str:
        return f"FitCheck({self.verdict!r})"

    @property
    def reversed_pairs(self) -> list[tuple[PolicyCheck, PolicyCheck]]:
        """Pairs (better, worse) of the replay that the fit has the other way round."""
        by_log = sorted(self.policies, key=lambda one: one.log_wait)
        return [
            (better, worse)
            for better, worse in combinations(by_log, 2)
            if max(worse.log_wait, NO_WAIT_S) > TIED * max(better.log_wait, NO_WAIT_S)
            and worse.fit_wait.mean < better.fit_wait.mean
        ]

    @property
    def trusted(self) -> bool:
        return not list(self._doubts())

    @property
    def verdict(self) -> str:
        """Say in one sentence whether the fit may be trusted."""
        doubts = list(self._doubts())
        if doubts:
            return f"The fit must not be trusted: {'; '.join(doubts)}."
        return (
            "The fit stands for the log so far: it orders these policies as the log does, and its "
            f"means are within a factor of {MOST_APART:g}."
        )

    def _doubts(self) -> Iterator[str]:
        for better, worse in self.reversed_pairs:
            yield f"in the log {better.policy} waits less than {worse.policy}, in the fit more"
        for what, name in (("wait", "wait_factor"), ("bounded slowdown", "slowdown_factor")):
            factors = {one.policy: getattr(one, name) for one in self.policies}
            far = [
                f"{policy} {factor:.3g} times the log's"
                for policy, factor in factors.items()
                if not 1 / MOST_APART <= factor <= MOST_APART
            ]
            if far:
                off = f"off by more than a factor of {MOST_APART:g}"
                yield f"its mean {what} is {off} ({', '.join(far)})"

    def as_dict(self) -> dict[str, Any]:
        everything: dict[str, Any] = json_ready(asdict(self))
        return everything | {"trusted": self.trusted, "verdict": self.verdict}


def check_fit(
    fit: WorkloadFit | AnyWorkload,
    trace: Trace,
    servers: int | None = None,
    *,
    policies: Sequence[str] = POLICIES,
    replications: int = REPLICATIONS,
    seed: int = 1,
    progress: Progress | None = None,
) -> FitCheck:
    """Replay the log, simulate the fit, and put mean waits and bounded slowdowns side by side.

    Each of the `replications` is a stretch with as many jobs as the log, from an empty system to
    the last completion, as the replay is: what a log is too short to show, it is too short to show
    in both. `servers` as the log says, unless they are given; all times are in seconds.
    """
    given = log_of(trace, "check_fit")
    k = servers_of(given, servers)
    jobs = fitting(given, k, exclude=False)
    workload = fit.workload if isinstance(fit, WorkloadFit) else find_workload(fit, k)
    workload.check_fits(k)
    log = {policy: _means(jobs, k, policy, progress) for policy in policies}
    made: dict[str, list[tuple[float, float]]] = {policy: [] for policy in policies}
    for number in range(whole("replications", replications)):
        drawn = draw(workload, len(jobs), np.random.SeedSequence(seed, spawn_key=(number,)))
        for policy in policies:
            made[policy].append(_means(drawn, k, policy, progress))
    return FitCheck(
        k, len(jobs), replications, seed, jobs.offered_load(k), workload.load(k),
        tuple(_row(policy, log[policy], made[policy]) for policy in policies),
    )  # fmt: skip


def n_runs(policies: Sequence[str] = POLICIES, replications: int = REPLICATIONS) -> int:
    """How often a check runs as many jobs as the log has."""
    return len(policies) * (1 + replications)


def draw(workload: Workload, n_jobs: int, seed: np.random.SeedSequence) -> Jobs:
    """Random jobs of a workload, as a list."""
    stream = WorkloadStream(workload, n_jobs, seed)
    times, none = np.zeros((3, n_jobs)), np.zeros(0, np.int64)
    chunk = Chunk(times[0], times[1], times[2], np.zeros(n_jobs, np.int64), none, none, none)
    n = stream.fill(chunk, n_jobs)
    need = stream.kinds.need_of[chunk.kind[:n]]
    return Jobs(times[0, :n], need, times[1, :n], estimate=times[2, :n])


def _means(jobs: Jobs, servers: int, policy: str, progress: Progress | None) -> tuple[float, float]:
    # All of one class: per class nothing is asked.
    jobs = replace(jobs, job_class=np.zeros(len(jobs), np.int64))
    result = replay(jobs, servers, policy, resamples=0, progress=progress)
    return result.wait, result.bounded_slowdown


def _row(policy: str, log: tuple[float, float], made: Sequence[tuple[float, float]]) -> PolicyCheck:
    waits, slowdowns = zip(*made, strict=True)
    return PolicyCheck(
        policy,
        log[0],
        student_interval(waits, LEVEL),
        log[1],
        student_interval(slowdowns, LEVEL),
    )
