"""Scores on what the search never saw: fresh streams of a workload, or other weeks of a log."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from zerowait.experiment.measures import QUANTILES, split_column
from zerowait.experiment.optimisation.evaluations import (
    Evaluator,
    JobTimes,
    longest_by_week,
    run_jobs,
)
from zerowait.experiment.optimisation.expressions import (
    LONGEST,
    WEEKLY,
    WORST,
    Constraint,
    Expression,
    Term,
    Values,
)
from zerowait.experiment.optimisation.problem import Problem
from zerowait.experiment.optimisation.samples import Sample
from zerowait.experiment.optimisation.space import Candidate
from zerowait.experiment.statistics.bootstrap import FEWEST_BLOCKS, week_numbers
from zerowait.experiment.statistics.intervals import LEVEL, student
from zerowait.model.quantities import Floats, Ints

RESAMPLES = 1000


class Ratio(NamedTuple):
    """One policy's value by another's, with its interval; NaN where there is none."""

    ratio: float
    low: float = math.nan
    high: float = math.nan
    p_value: float = math.nan  # that there is no difference, two-sided


class Weeks:
    """Weeks of arrivals, and how often each is in every log that was drawn again."""

    def __init__(self, arrival: Floats, seed: int = 1, resamples: int = RESAMPLES) -> None:
        present, self.week = np.unique(week_numbers(arrival), return_inverse=True)
        self.n = len(present)
        size = resamples if self.n >= FEWEST_BLOCKS else 0  # too few to draw from
        rng = np.random.default_rng(seed)
        self.drawn: Ints = rng.multinomial(self.n, np.full(self.n, 1 / self.n), size=size)

    def value(self, expression: Expression, times: JobTimes, names: Sequence[str]) -> float:
        """In the weeks as they were."""
        return float(self._values(expression, times, names, np.ones((1, self.n), np.int64))[0])

    def ratio(
        self, expression: Expression, own: JobTimes, other: JobTimes, names: Sequence[str]
    ) -> Ratio:
        """In the weeks as they were, with the percentiles of those drawn again."""
        below = self.value(expression, other, names)
        ratio = self.value(expression, own, names) / below if below else math.nan
        longest = any(one.statistic.startswith(LONGEST) for one in expression.terms)
        if longest or not len(self.drawn):  # the longest of all has no distribution to draw from
            return Ratio(ratio)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = self._values(expression, own, names, self.drawn) / self._values(
                expression, other, names, self.drawn
            )
        ratios = ratios[np.isfinite(ratios)]
        if not ratios.size:
            return Ratio(ratio)
        low, high = np.quantile(ratios, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        # Counting the log itself among those drawn, no p-value is zero.
        tail = min(int((ratios >= 1).sum()), int((ratios <= 1).sum()))
        p_value = min(2 * (tail + 1) / (len(ratios) + 1), 1.0)
        return Ratio(ratio, float(low), float(high), p_value)

    def _values(
        self, expression: Expression, times: JobTimes, names: Sequence[str], drawn: Ints
    ) -> Floats:
        total = np.zeros(len(drawn))
        for term in expression.terms:
            total += term.weight * self._term(term, times, names, drawn)
        return total

    def _term(self, term: Term, times: JobTimes, names: Sequence[str], drawn: Ints) -> Floats:
        index = times.drawn.index
        if term.job_class == WORST:
            every = [
                self._statistic(term.statistic, times, index == number, drawn)
                for number in range(len(names))
            ]
            return np.asarray(np.nanmax(every, axis=0))
        if term.job_class is None:
            return self._statistic(term.statistic, times, np.ones(len(index), bool), drawn)
        mask = index == names.index(term.job_class)
        return self._statistic(term.statistic, times, mask, drawn)

    def _statistic(
        self, statistic: str, times: JobTimes, mask: NDArray[np.bool_], drawn: Ints
    ) -> Floats:
        """Per drawn log a statistic of the jobs of the mask."""
        if statistic.startswith(LONGEST):
            values = times.measure(statistic.removeprefix(LONGEST))[mask]
            return np.full(len(drawn), values.max() if values.size else math.nan)
        week = self.week[mask]
        counts = np.bincount(week, minlength=self.n)
        if statistic.startswith(WEEKLY):
            values = times.measure(statistic.removeprefix(WEEKLY))[mask]
            return _means(drawn, longest_by_week(values, week, self.n), np.minimum(counts, 1))
        measure, quantile = split_column(statistic)
        if quantile in QUANTILES:
            return _quantiles(times.measure(measure)[mask], week, QUANTILES[quantile], drawn)
        sums = np.asarray(np.bincount(week, times.measure(statistic)[mask], self.n), np.float64)
        return _means(drawn, sums, counts)


def _means(drawn: Ints, sums: Floats, counts: Ints) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((drawn @ sums) / (drawn @ counts))


def _quantiles(values: Floats, week: Ints, share: float, drawn: Ints) -> Floats:
    """Per drawn log the quantile of its jobs (nearest rank)."""
    order = np.argsort(values, kind="stable")
    ranked, weeks = values[order], week[order]
    found = np.full(len(drawn), math.nan)
    for row, times in enumerate(drawn):
        running = np.cumsum(times[weeks])
        if running.size and running[-1]:
            found[row] = ranked[np.searchsorted(running, max(math.ceil(share * running[-1]), 1))]
    return found


@dataclass(frozen=True)
class Score:
    """An expression under a candidate and under the policy that it is compared with."""

    text: str
    value: float
    reference: float
    compared_with: str  # spelling of a policy; empty: with a number
    ratio: float  # value / reference
    low: float  # of the ratio's interval; NaN: there is none
    high: float
    p_value: float  # that the ratio is 1; NaN: there is none
    level: float = LEVEL
    kept: bool | None = None  # of a constraint
    limit: float | None = None  # of a constraint: of the ratio, or of the value itself

    @property
    def has_interval(self) -> bool:
        return math.isfinite(self.low) and math.isfinite(self.high)


class Runs(Protocol):
    """A candidate and the policies that it is compared with, run on the same jobs."""

    def value(self, expression: Expression, name: str | None) -> float:
        """Under a policy by its spelling, or under the candidate (None)."""

    def ratio(self, expression: Expression, name: str) -> Ratio:
        """The candidate's by another's."""


@dataclass(frozen=True)
class StreamRuns:
    """Runs on replications."""

    problem: Problem
    own: Sequence[Values]
    others: Mapping[str, Sequence[Values]]

    def value(self, expression: Expression, name: str | None) -> float:
        found = self.own if name is None else self.others[name]
        return float(np.mean(self.problem.series(expression, found)))

    def ratio(self, expression: Expression, name: str) -> Ratio:
        """Ratio of the means, with the interval of its linearisation."""
        from scipy.special import stdtr

        a = np.asarray(self.problem.series(expression, self.own))
        b = np.asarray(self.problem.series(expression, self.others[name]))
        below = float(b.mean())
        if below == 0:
            return Ratio(math.nan)
        ratio = float(a.mean()) / below
        if len(a) < 2:
            return Ratio(ratio)
        error = float(np.std((a - ratio * b) / below, ddof=1)) / math.sqrt(len(a))
        width = float(student(len(a) - 1.0, LEVEL)) * error
        p_value = float(2 * stdtr(len(a) - 1.0, -abs(ratio - 1) / error)) if error else 0.0
        return Ratio(ratio, ratio - width, ratio + width, p_value)


@dataclass(frozen=True)
class WeekRuns:
    """Runs on one stretch of a log."""

    problem: Problem
    own: JobTimes
    others: Mapping[str, JobTimes]
    weeks: Weeks

    def value(self, expression: Expression, name: str | None) -> float:
        times = self.own if name is None else self.others[name]
        return self.weeks.value(expression, times, self.problem.names)

    def ratio(self, expression: Expression, name: str) -> Ratio:
        return self.weeks.ratio(expression, self.own, self.others[name], self.problem.names)


def runs_on_streams(
    problem: Problem, candidate: Candidate, evaluator: Evaluator, samples: Sequence[Sample]
) -> StreamRuns:
    others = {name: evaluator.required(one, samples) for name, one in problem.references.items()}
    return StreamRuns(problem, evaluator.required(candidate, samples), others)


def runs_on_weeks(
    problem: Problem, candidate: Candidate, servers: int, sample: Sample, seed: int = 1
) -> WeekRuns:
    own = run_jobs(sample, candidate, servers)
    others = {name: run_jobs(sample, one, servers) for name, one in problem.references.items()}
    return WeekRuns(problem, own, others, Weeks(own.drawn.arrival, seed))


def scores(problem: Problem, runs: Runs) -> tuple[Score, ...]:
    """Of the objectives, and then of the constraints."""
    objectives = [_objective(problem, one, runs) for one in problem.objectives]
    return (*objectives, *(_constraint(one, runs) for one in problem.constraints))


def _objective(problem: Problem, one: Expression, runs: Runs) -> Score:
    name = problem.baseline.spelling
    found = runs.ratio(one, name)
    return Score(one.text, runs.value(one, None), runs.value(one, name), name, *found)


def _constraint(one: Constraint, runs: Runs) -> Score:
    own = runs.value(one.left, None)
    if one.relative_to is None:
        reference, found = one.limit, Ratio(own / one.limit if one.limit else math.nan)
    else:
        reference = runs.value(one.left, one.relative_to)
        found = runs.ratio(one.left, one.relative_to)
    kept = one.excess([own], [reference], "error") == 0
    return Score(
        one.text, own, reference, one.relative_to or "",
        found.ratio, found.low, found.high, found.p_value, kept=kept,
        limit=one.limit,
    )  # fmt: skip
