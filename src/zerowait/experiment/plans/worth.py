"""What a change is worth: in servers, at other loads, with other estimates."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from zerowait.experiment.optimisation.evaluations import evaluate
from zerowait.experiment.optimisation.expressions import Constraint, parse_constraint
from zerowait.experiment.optimisation.problem import Problem
from zerowait.experiment.optimisation.samples import LogJobs, Sample, log_sample
from zerowait.experiment.optimisation.space import Candidate
from zerowait.model import InputError

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
