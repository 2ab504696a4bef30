"""Who wins and who loses: waits before and after, by need, by estimate, by user, job by job."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zerowait.experiment.optimisation.evaluations import JobTimes
from zerowait.experiment.optimisation.samples import LogJobs
from zerowait.model.quantities import Floats, Ints
from zerowait.traces.log import Log

HEAVIEST = 10  # users
LOSERS = 10  # jobs
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1.0)
# Upper ends of bins of estimates, in seconds.
ESTIMATES = (
    (600.0, "up to 10 min"),
    (3600.0, "10 min to 1 h"),
    (4 * 3600.0, "1 to 4 h"),
    (12 * 3600.0, "4 to 12 h"),
    (86_400.0, "12 h to 1 d"),
    (np.inf, "beyond 1 d"),
)


@dataclass(frozen=True)
class Group:
    """Jobs that have something in common, and their waits before and after; times in seconds."""

    kind: str  # need, estimate or user
    name: str
    jobs: int
    work: float  # share of all work
    before: float  # mean wait
    after: float
    worse: float  # share of the jobs that wait longer by a minute or more

    @property
    def ratio(self) -> float:
        return self.after / self.before if self.before > 0 else np.nan


@dataclass(frozen=True)
class Loser:
    """A job that loses much."""

    job: str  # as the log calls it, or its place in order of arrival
    arrival: float  # since the first
    need: int
    estimate: float
    service: float
    user: str | None
    before: float  # wait
    after: float


@dataclass(frozen=True)
class Winners:
    """Waits of the whole log, under today's policy and under another."""

    groups: tuple[Group, ...]
    quantiles: tuple[tuple[float, float, float], ...]  # share of jobs, wait before, after
    losers: tuple[Loser, ...]
    worse: float  # share of all jobs that wait longer by a minute or more
    better: float  # shorter by a minute or more

    def of(self, kind: str) -> list[Group]:
        return [one for one in self.groups if one.kind == kind]


MINUTE_S = 60.0


def who_wins(log: Log, known: LogJobs, before: JobTimes, after: JobTimes) -> Winners:
    """`before` and `after` are runs of all jobs."""
    change = after.wait - before.wait
    users = None if log.user is None else np.asarray(log.user)[known.kept].astype(str)
    places = np.arange(1, len(log.jobs) + 1) if log.job is None else np.asarray(log.job)
    names = places[known.kept].astype(str)
    groups = [
        *_groups("need", known.drawn.index, known.names, before, after),
        *_groups("estimate", *_by_estimate(before.drawn.estimate), before, after),
    ]
    if users is not None:
        groups += _groups("user", *_heaviest(users, before), before, after)
    return Winners(
        tuple(groups),
        tuple(
            (share, float(np.quantile(before.wait, share)), float(np.quantile(after.wait, share)))
            for share in SHARES
        ),
        tuple(_loser(at, names, users, before, after) for at in _most(change)),
        float((change >= MINUTE_S).mean()),
        float((change <= -MINUTE_S).mean()),
    )  # fmt: skip


def _by_estimate(estimate: Floats) -> tuple[Ints, Sequence[str]]:
    ends = [end for end, _ in ESTIMATES]
    return np.searchsorted(ends, estimate).astype(np.int64), [name for _, name in ESTIMATES]


def _heaviest(users: NDArray[np.str_], runs: JobTimes) -> tuple[Ints, Sequence[str]]:
    """The users who do most of the work; everybody else has a number beyond theirs."""
    names, index = np.unique(users, return_inverse=True)
    work = np.bincount(index, runs.drawn.need * runs.drawn.service)
    order = np.argsort(-work, kind="stable")
    place = np.empty(len(names), np.int64)
    place[order] = np.arange(len(names))
    return place[index], [str(names[at]) for at in order[:HEAVIEST]]


def _groups(
    kind: str, index: Ints, names: Sequence[str], before: JobTimes, after: JobTimes
) -> list[Group]:
    work = before.drawn.need * before.drawn.service
    total = float(work.sum()) or 1.0
    change = after.wait - before.wait
    found = []
    for number, name in enumerate(names):
        own = index == number
        if own.any():
            found.append(
                Group(
                    kind, name, int(own.sum()), float(work[own].sum()) / total,
                    float(before.wait[own].mean()), float(after.wait[own].mean()),
                    float((change[own] >= MINUTE_S).mean()),
                )
            )  # fmt: skip
    return found


def _most(change: Floats) -> list[int]:
    order = np.argsort(-change, kind="stable")[:LOSERS]
    return [int(at) for at in order if change[at] > 0]


def _loser(
    at: int,
    names: NDArray[np.str_],
    users: NDArray[np.str_] | None,
    before: JobTimes,
    after: JobTimes,
) -> Loser:
    drawn = before.drawn
    return Loser(
        str(names[at]), float(drawn.arrival[at] - drawn.arrival[0]), int(drawn.need[at]),
        float(drawn.estimate[at]), float(drawn.service[at]),
        None if users is None else str(users[at]), float(before.wait[at]), float(after.wait[at]),
    )  # fmt: skip
