"""Scores on what the search never saw: fresh streams of a workload, or other weeks of a log.

All policies run on the same jobs, so that a ratio of two is known far better than either: over
replications its interval is Student's on the linearised ratio, over weeks of a log it is
the same on the jackknife's residuals.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from zerowait.experiment.measures import QUANTILES, split_column
from zerowait.experiment.optimisation.evaluations import (
    Evaluator,
    JobTimes,
    longest_by_week,
    run_jobs,
)
from zerowait.experiment.optimisation.problem import (
    LONGEST,
    WEEKLY,
    WORST,
    Constraint,
    Expression,
    Problem,
    Term,
    Values,
)
from zerowait.experiment.optimisation.samples import Drawn, Sample
from zerowait.experiment.optimisation.space import Candidate
from zerowait.experiment.statistics.intervals import LEVEL, Difference
from zerowait.experiment.statistics.samples import FEWEST_WEEKS, NOTHING, Estimate, present_weeks
from zerowait.model.quantities import Floats, Ints


class Weeks:
    """The weeks of a stretch of a log: what expressions are in them, and how surely."""

    def __init__(self, arrival: Floats) -> None:
        self.week, self.n = present_weeks(arrival)

    def value(self, expression: Expression, times: JobTimes, names: Sequence[str]) -> float:
        """Return an expression in the weeks as they were."""
        return float(self._values(expression, times, names, np.ones((1, self.n), np.int64))[0])

    def estimate(self, expression: Expression, times: JobTimes, names: Sequence[str]) -> Estimate:
        """Return an expression, and what each week adds to its error.

        By the jackknife (Miller, Biometrika 61, 1974), for quantiles and maxima are no sums over
        weeks: a week's share in the error is what leaving it out changes.
        """
        value = self.value(expression, times, names)
        runs = np.zeros(self.n, np.int64)  # neighbouring weeks are of one run
        unknown = Estimate(value, np.zeros(self.n), 0.0, runs)
        # The longest of all has no distribution to tell an error from.
        if self.n < FEWEST_WEEKS or any(
            one.statistic.startswith(LONGEST) for one in expression.terms
        ):
            return unknown
        without = self._values(expression, times, names, 1 - np.eye(self.n, dtype=np.int64))
        if not np.isfinite(without).all():
            return unknown
        return replace(unknown, off=(self.n - 1) * (without.mean() - without), df=self.n - 1.0)

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
        """Return a statistic of the jobs of the mask, in each reweighted log."""
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
    """Return the quantile (nearest rank) of each reweighted log."""
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


class Runs(ABC):
    """A candidate and the policies that it is compared with, run on the same jobs."""

    @abstractmethod
    def estimate(self, expression: Expression, name: str | None) -> Estimate:
        """Return an expression under a policy by its spelling, or under the candidate (None)."""

    def value(self, expression: Expression, name: str | None) -> float:
        return self.estimate(expression, name).mean

    def ratio(self, expression: Expression, name: str) -> Difference:
        """Return the candidate's value by another's, with its interval and test."""
        found = self.estimate(expression, None) / self.estimate(expression, name)
        return found.tested(LEVEL, equal=1.0)


@dataclass(frozen=True)
class StreamRuns(Runs):
    """Runs on replications."""

    problem: Problem
    own: Sequence[Values]
    others: Mapping[str, Sequence[Values]]

    def estimate(self, expression: Expression, name: str | None) -> Estimate:
        found = self.own if name is None else self.others[name]
        series = np.asarray(self.problem.series(expression, found))
        mean = float(series.mean())
        return Estimate(mean, series - mean, len(series) - 1.0, None)


@dataclass(frozen=True)
class WeekRuns(Runs):
    """Runs on one stretch of a log."""

    problem: Problem
    own: JobTimes
    others: Mapping[str, JobTimes]
    weeks: Weeks

    def estimate(self, expression: Expression, name: str | None) -> Estimate:
        times = self.own if name is None else self.others[name]
        return self.weeks.estimate(expression, times, self.problem.names)

    def value(self, expression: Expression, name: str | None) -> float:
        times = self.own if name is None else self.others[name]
        return self.weeks.value(expression, times, self.problem.names)


def run_unseen(
    problem: Problem, candidate: Candidate, evaluator: Evaluator, samples: Sequence[Sample]
) -> Runs:
    """Run a candidate, and those that it is compared with, where the search never looked.

    That is on streams of a workload, or on one stretch of a log.
    """
    references = problem.references.items()
    if not isinstance(samples[0].source, Drawn):
        others = {name: evaluator.required(one, samples) for name, one in references}
        return StreamRuns(problem, evaluator.required(candidate, samples), others)
    (sample,), servers = samples, evaluator.servers
    own = run_jobs(sample, candidate, servers)
    replayed = {name: run_jobs(sample, one, servers) for name, one in references}
    return WeekRuns(problem, own, replayed, Weeks(own.drawn.arrival))


def scores(problem: Problem, runs: Runs) -> tuple[Score, ...]:
    """Score the objectives, and then the constraints."""
    objectives = [_objective(problem, one, runs) for one in problem.objectives]
    return (*objectives, *(_constraint(one, runs) for one in problem.constraints))


def _objective(problem: Problem, one: Expression, runs: Runs) -> Score:
    name = problem.baseline.spelling
    found = runs.ratio(one, name)
    values = runs.value(one, None), runs.value(one, name)
    return Score(one.text, *values, name, found.mean, found.low, found.high, found.p_value)


def _constraint(one: Constraint, runs: Runs) -> Score:
    own = runs.value(one.left, None)
    if one.relative_to is None:
        reference, found = one.limit, NOTHING.tested(LEVEL)
    else:
        reference = runs.value(one.left, one.relative_to)
        found = runs.ratio(one.left, one.relative_to)
    kept = one.excess([own], [reference], "error") == 0
    return Score(
        one.text, own, reference, one.relative_to or "",
        own / one.limit if one.relative_to is None and one.limit else found.mean,
        found.low, found.high, found.p_value, kept=kept,
        limit=one.limit,
    )  # fmt: skip
