"""What a change does: who wins and who loses, and what it is worth.

Waits are told before and after by need, by estimate, by user and job by job, worth in servers, at
other loads and with other estimates.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zerowait.experiment.optimisation.evaluations import JobTimes, evaluate
from zerowait.experiment.optimisation.problem import Constraint, Problem, parse_constraint
from zerowait.experiment.optimisation.samples import LogJobs, Sample, log_sample
from zerowait.experiment.optimisation.space import Candidate
from zerowait.model import InputError
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


LOADS = (0.9, 1.0, 1.1, 1.2)  # times today's
# How much of what users estimate too long is left; 1: their own estimates, 0: exact ones.
PADDING = (0.0, 0.5, 1.0, 2.0)
MOST = 4  # times today's servers: nobody buys more


@dataclass(frozen=True)
class GoalPair:
    """The goal under today's policy and under the change, where something else is different."""

    at: float
    before: float
    after: float


@dataclass(frozen=True)
class Sizing:
    """Servers that keep a promise, before and after; None: not even four times as many."""

    text: str
    before: int | None
    after: int | None


@dataclass(frozen=True)
class Worth:
    """What a change is worth on the whole log."""

    today: GoalPair
    more_servers: int | None  # that today's policy would need for the goal of the change
    fewer_servers: int | None  # that would do with the change, for the goal of today
    loads: tuple[GoalPair, ...]  # by load over today's
    estimates: tuple[GoalPair, ...]  # by what is left of the padding
    sizing: tuple[Sizing, ...] = ()


@dataclass(frozen=True)
class Appraiser:
    """Replays of the whole log under two policies, with one thing changed at a time."""

    known: LogJobs
    problem: Problem
    candidate: Candidate
    servers: int

    def worth(self, size_for: tuple[Constraint, ...] = ()) -> Worth:
        sample = self.known.sample
        before = self._goal(sample, self.problem.baseline, self.servers)
        after = self._goal(sample, self.candidate, self.servers)
        return Worth(
            GoalPair(1.0, before, after),
            self._more(sample, after),
            self._fewer(sample, before),
            tuple(self._pair(load, self._at_load(load)) for load in LOADS),
            tuple(self._pair(left, self._with_padding(left)) for left in PADDING),
            tuple(self._sizing(one, sample) for one in size_for),
        )

    def _goal(self, sample: Sample, candidate: Candidate, servers: int) -> float:
        found = evaluate(sample, candidate, servers, self.problem.statistics)
        return self.problem.objectives[0].value(found, self.problem.names)

    def _pair(self, at: float, sample: Sample) -> GoalPair:
        before = self._goal(sample, self.problem.baseline, self.servers)
        return GoalPair(at, before, self._goal(sample, self.candidate, self.servers))

    def _at_load(self, factor: float) -> Sample:
        arrival = self.known.drawn.arrival
        return self.known.sample.moved_to(arrival[0] + (arrival - arrival[0]) / factor)

    def _with_padding(self, left: float) -> Sample:
        drawn = self.known.drawn
        estimate = drawn.service + left * np.maximum(drawn.estimate - drawn.service, 0)
        return log_sample(drawn.jobs.with_columns(estimate=estimate), self.known.names)

    @property
    def _least(self) -> int:
        return int(self.known.drawn.need.max())

    def _more(self, sample: Sample, goal: float) -> int | None:
        """The fewest servers with which today's policy has the goal."""
        today = self.problem.baseline
        return fewest(
            lambda servers: self._goal(sample, today, servers) <= goal, self.servers,
            MOST * self.servers,
        )  # fmt: skip

    def _fewer(self, sample: Sample, goal: float) -> int | None:
        if self.candidate.cut is not None:  # slots are for so many servers
            return None
        if self._least == self.servers:  # fewer could not run the largest job
            return None
        return fewest(
            lambda servers: self._goal(sample, self.candidate, servers) <= goal,
            self._least, self.servers,
        )  # fmt: skip

    def _sizing(self, one: Constraint, sample: Sample) -> Sizing:
        def keeps(candidate: Candidate) -> Callable[[int], bool]:
            def promise(servers: int) -> bool:
                found = evaluate(sample, candidate, servers, tuple(one.left.statistics))
                value = one.left.value(found, self.problem.names)
                return one.excess([value], [value], "error") == 0

            return promise

        most = MOST * self.servers
        after = None
        if self.candidate.cut is None:
            after = fewest(keeps(self.candidate), self._least, most)
        return Sizing(one.text, fewest(keeps(self.problem.baseline), self._least, most), after)


def promises(texts: Sequence[str], names: Sequence[str]) -> tuple[Constraint, ...]:
    """Read the promises that servers are wanted for, such as `wait_p95 <= 10min`."""
    found = tuple(one for text in texts for one in parse_constraint(text, names, True, "size for"))
    for one in found:
        if one.relative_to is not None:
            raise InputError(f"size for {one.text!r}: give a number, not a policy to compare with")
    return found


def fewest(enough: Callable[[int], bool], low: int, high: int) -> int | None:
    """The smallest number that is enough, by bisection; None where the largest is not."""
    if enough(low):
        return low
    if not enough(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
