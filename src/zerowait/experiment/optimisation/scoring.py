"""Scores on what the search never saw: fresh streams of a workload, or other weeks of a log.

All policies run on the same jobs, so that a ratio of two is known far better than either: over
replications its interval is Student's on the linearised ratio, over weeks of a log it comes from
drawing whole weeks again (a paired block bootstrap).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from zerowait.experiment.optimisation.candidate import Candidate
from zerowait.experiment.optimisation.evaluate import JobTimes, run_jobs
from zerowait.experiment.optimisation.evaluations import Evaluator
from zerowait.experiment.optimisation.expressions import Constraint, Expression, Values
from zerowait.experiment.optimisation.problem import Problem
from zerowait.experiment.optimisation.samples import Sample
from zerowait.experiment.optimisation.weeks import Ratio, Weeks
from zerowait.experiment.statistics.intervals import LEVEL, student


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
