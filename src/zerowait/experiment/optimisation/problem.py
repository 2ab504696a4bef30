"""What a search is after: objectives and constraints, and how good a candidate is by them.

Objectives and constraints are measures: `wait`, `0.7*wait[small] + 0.3*wait_p95`,
`longest_wait <= 1.25x easy`, `wait[each] <= 1.5x first-fit`, `wait_p95 <= 10min`.

The longest wait of a log is one job's, and a coincidence; `weekly_longest_wait`, the mean over
weeks of the longest in each, is less of one. A bracket names a class; `[worst]` is the class with
the largest value, and `[each]`, in a constraint, stands for one constraint per class. Without one
all jobs are meant.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from zerowait.experiment.measures import MEASURES, QUANTILES, split_column
from zerowait.experiment.optimisation.space import Candidate
from zerowait.model import InputError
from zerowait.model.quantities import TIME_UNITS_S
from zerowait.policies import parse_policy

LONGEST = "longest_"
WEEKLY = "weekly_longest_"
EACH, WORST = "each", "worst"
# What can be told of single jobs. Averages over time follow from these (Little's law), or do not
# depend on the policy.
OF_JOBS = (
    "response", "wait", "slowdown", "bounded_slowdown", "p_wait", "preemptions",
    "routed_to_helpers", "served_by_helpers",
)  # fmt: skip

# By how much the mean over samples must keep a limit. A standard error, where the mean over many
# samples is what counts; a standard deviation, where one more sample, the next weeks, is.
Margin = Literal["error", "deviation"]
# Per statistic the value for all jobs and then for each class.
Values = Mapping[str, Sequence[float]]
# A weight, a statistic and a class in brackets; classes may have any name.
TERM = re.compile(
    r"\s*(?:(?P<weight>\d+\.?\d*|\.\d+)\s*\*\s*)?(?P<statistic>(?:[a-z_][a-z_0-9]*)?)"
    r"\s*(?:\[(?P<job_class>[^]]*)]\s*)?"
)
# A number; after it a unit, or x and the spelling of a policy.
LIMIT = re.compile(
    r"\s*(?P<value>\d+\.?\d*(?:e[+-]?\d+)?|\.\d+)(?:x\s(?P<policy>.*)|(?P<unit>[a-z]+))?\s*",
    re.DOTALL,
)


@dataclass(frozen=True)
class Term:
    """A statistic of a measure (`wait`, `wait_p95`, `longest_wait`) of all jobs or of a class."""

    weight: float
    statistic: str
    job_class: str | None  # its name, EACH or WORST; None: all jobs

    def value(self, values: Values, names: Sequence[str]) -> float:
        every = values[self.statistic]
        if self.job_class is None:
            return self.weight * every[0]
        if self.job_class == WORST:
            known = [one for one in every[1:] if not math.isnan(one)]
            return self.weight * max(known, default=math.nan)
        return self.weight * every[1 + names.index(self.job_class)]


@dataclass(frozen=True)
class Expression:
    """A weighted sum of terms."""

    text: str
    terms: tuple[Term, ...]

    def value(self, values: Values, names: Sequence[str]) -> float:
        return sum(term.value(values, names) for term in self.terms)

    @property
    def statistics(self) -> set[str]:
        return {term.statistic for term in self.terms}

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Constraint:
    """An expression that must not be above (or below) a value, or a multiple of a policy's."""

    text: str
    left: Expression
    sense: Literal["<=", ">="]
    limit: float
    relative_to: str | None  # the spelling of a policy; None: the limit is the value itself

    def excess(self, values: Sequence[float], references: Sequence[float], margin: Margin) -> float:
        """Return how far the values in several samples are beyond the limit, as a share of it."""
        return max(self.beyond(values, references, margin), 0.0)

    def beyond(self, values: Sequence[float], references: Sequence[float], margin: Margin) -> float:
        """Return the same, or what is left below the limit as a negative share.

        `references` are the values of the policy that the limit is relative to.
        """
        relative = self.relative_to is not None
        limits = self.limit * (np.asarray(references) if relative else np.ones(len(values)))
        over = np.asarray(values) - limits
        over = over if self.sense == "<=" else -over
        known = ~np.isnan(over)
        if not known.any():
            return 0.0  # nobody is there who could be wronged
        over, scale = over[known], np.abs(limits[known])
        if margin == "deviation" and (scale > 0).all():
            # Samples of a log differ in how busy they are: each is held against its own limit.
            over, scale = over / scale, np.ones(len(scale))
        beyond = float(over.mean())
        if len(over) > 1:
            deviation = float(np.std(over, ddof=1))
            beyond += deviation if margin == "deviation" else deviation / math.sqrt(len(over))
        return _share(beyond, float(scale.mean()))

    def __str__(self) -> str:
        return self.text


def _share(over: float, limit: float) -> float:
    if limit:
        return over / limit
    return math.inf if over > 0 else 0.0


def parse_objective(
    text: str, names: Sequence[str], bounded: bool, what: str = "minimise"
) -> Expression:
    """Read an objective.

    `names` are the classes; `bounded`: is bounded slowdown measured, as it is on logs? `what` is
    the name of the caller's argument.
    """
    reader = _Reader(text, names, bounded, what)
    found, end = reader.expression()
    reader.check_end(end)
    if any(term.job_class == EACH for term in found.terms):
        raise reader.refusal(text.index(EACH), "each is for constraints; worst is the worst class")
    return found


def parse_constraint(
    text: str, names: Sequence[str], bounded: bool, what: str = "subject to"
) -> tuple[Constraint, ...]:
    """Read one constraint, or one per class where a term is of `[each]`."""
    reader = _Reader(text, names, bounded, what)
    left, end = reader.expression()
    sense: Literal["<=", ">="] = "<=" if text.startswith("<=", end) else ">="
    if not text.startswith(sense, end):
        raise reader.refusal(end, "<= or >= is missing")
    one = Constraint(text, left, sense, *reader.limit(end + len(sense)))
    if all(term.job_class != EACH for term in left.terms):
        return (one,)
    return tuple(_of_class(one, name) for name in names)


def _of_class(constraint: Constraint, name: str) -> Constraint:
    terms = tuple(
        replace(term, job_class=name) if term.job_class == EACH else term
        for term in constraint.left.terms
    )
    text = constraint.text.replace(f"[{EACH}]", f"[{name}]")
    left = Expression(constraint.left.text.replace(f"[{EACH}]", f"[{name}]"), terms)
    return replace(constraint, text=text, left=left)


@dataclass(frozen=True)
class _Reader:
    """Reads an expression from left to right; what it refuses is told with its column."""

    text: str
    names: Sequence[str]
    bounded: bool
    what: str

    def expression(self) -> tuple[Expression, int]:
        """Read a sum of terms, and tell where it ends."""
        terms, end = [], -1
        while end < 0 or self.text.startswith("+", end):
            found = TERM.match(self.text, end + 1)
            assert found is not None  # all of its parts may be missing
            self._check(found)
            name = found["job_class"]
            weight = float(found["weight"] or 1)
            terms.append(Term(weight, found["statistic"], None if name is None else name.strip()))
            end = found.end()
        return Expression(self.text[:end].strip(), tuple(terms)), end

    def _check(self, term: re.Match[str]) -> None:
        name, at = term["statistic"], term.start("statistic")
        if not name:
            raise self.refusal(at, "a measure is missing, such as wait, wait_p95, longest_wait")
        self._check_statistic(name, at)
        known = (*self.names, EACH, WORST)
        job_class = term["job_class"]
        if job_class is not None and job_class.strip() not in known:
            reason = f"there is no class {job_class.strip()!r}; there are {', '.join(known)}"
            raise self.refusal(term.start("job_class"), reason)

    def _check_statistic(self, name: str, at: int) -> None:
        measure, quantile = split_column(name)
        of_times = [one for one in OF_JOBS if MEASURES[one].has_quantiles]
        known = list(OF_JOBS) if self.bounded else [n for n in OF_JOBS if n != "bounded_slowdown"]
        is_quantile = measure in of_times and quantile in QUANTILES
        if name in known or is_quantile or name.removeprefix(LONGEST) in of_times:
            return
        if self.bounded and name.removeprefix(WEEKLY) in of_times:
            return
        if name in MEASURES:
            why = "is for logs" if name == "bounded_slowdown" else "is no measure of single jobs"
            raise self.refusal(at, f"{name} {why}; there are {', '.join(known)}")
        ends = " or ".join(f"_{one}" for one in QUANTILES)
        raise self.refusal(
            at, f"there is no measure {name!r}; there are {', '.join(known)}, "
            f"{' and '.join(of_times)} with {ends}, longest_wait"
            f"{', weekly_longest_wait' if self.bounded else ''}",
        )  # fmt: skip

    def limit(self, begin: int) -> tuple[float, str | None]:
        """Read a value, or a multiple of a policy's, to the end of the text."""
        found = LIMIT.match(self.text, begin)
        if found is None:
            at = len(self.text) - len(self.text[begin:].lstrip())
            raise self.refusal(at, "a limit is missing, such as 10min or 1.25x easy")
        value, policy, unit = float(found["value"]), found["policy"], found["unit"]
        if policy is not None:
            if not policy.strip():
                raise self.refusal(len(self.text), "a policy is missing after the x")
            try:
                return value, parse_policy(policy.strip()).spec
            except InputError as error:
                raise self.refusal(found.start("value"), str(error)) from None
        if unit and unit not in TIME_UNITS_S:
            units = ", ".join(TIME_UNITS_S)
            remedy = f"there is no unit {unit!r}; there are {units}, or '1.25x POLICY'"
            raise self.refusal(found.start("unit"), remedy)
        self.check_end(found.end())
        return value * (TIME_UNITS_S[unit] if unit else 1.0), None

    def check_end(self, end: int) -> None:
        if end < len(self.text):
            raise self.refusal(end, f"{self.text[end:]!r} is not understood")

    def refusal(self, at: int, reason: str) -> InputError:
        """Return the error that points at a column."""
        return InputError(f"{self.what} {self.text!r}: column {at + 1}: {reason}")


# Merits in order: feasible candidates, those that break a constraint, those that cannot run.
INFEASIBLE = 1e6
HOPELESS = 1e12


@dataclass(frozen=True)
class Judgement:
    """Objectives as shares of the baseline's, and by how much each constraint is broken (below
    zero: by how much it is kept), as a share of its limit."""

    objectives: tuple[float, ...]
    margins: tuple[float, ...]

    @property
    def excess(self) -> float:
        """How far constraints are broken in all; 0: they are kept."""
        return sum(max(one, 0.0) for one in self.margins)

    @property
    def feasible(self) -> bool:
        return self.excess == 0.0 and not any(math.isnan(one) for one in self.objectives)


NO_JUDGEMENT = Judgement((math.nan,), (math.inf,))


@dataclass(frozen=True)
class Problem:
    """Objectives to minimise, subject to constraints, compared with a baseline."""

    objectives: tuple[Expression, ...]
    constraints: tuple[Constraint, ...]
    names: tuple[str, ...]  # of the classes
    baseline: Candidate
    margin: Margin  # by which constraints must be kept

    @property
    def statistics(self) -> tuple[str, ...]:
        every = [*self.objectives, *(one.left for one in self.constraints)]
        return tuple(sorted(set().union(*(one.statistics for one in every))))

    @property
    def references(self) -> dict[str, Candidate]:
        """The baseline and the policies that constraints are relative to, by spelling."""
        known = {self.baseline.spelling: self.baseline}
        for one in self.constraints:
            if one.relative_to is not None and one.relative_to not in known:
                known[one.relative_to] = Candidate(parse_policy(one.relative_to))
        return known

    def judge(
        self, found: Sequence[Values], references: Mapping[str, Sequence[Values]]
    ) -> Judgement:
        """Judge by the values in some samples, and those of the references in the same samples."""
        if not found:
            return NO_JUDGEMENT
        baseline = references[self.baseline.spelling]
        # Samples of a log differ in how busy they are, and the busiest must not decide alone.
        ratio = _mean_ratio if self.margin == "deviation" else _ratio
        ratios = [
            ratio(self.series(one, found), self.series(one, baseline)) for one in self.objectives
        ]
        margins = []
        for one in self.constraints:
            known = references[one.relative_to] if one.relative_to is not None else found
            values, others = self.series(one.left, found), self.series(one.left, known)
            margins.append(one.beyond(values, others, self.margin))
        return Judgement(tuple(ratios), tuple(margins))

    def series(self, expression: Expression, found: Sequence[Values]) -> list[float]:
        """The values of an expression, sample by sample."""
        return [expression.value(values, self.names) for values in found]


def _ratio(values: Sequence[float], baseline: Sequence[float]) -> float:
    """Divide the mean by the baseline's; return the mean itself where that is zero."""
    below = float(np.mean(baseline))
    return float(np.mean(values)) / below if below > 0 else float(np.mean(values))


def _mean_ratio(values: Sequence[float], baseline: Sequence[float]) -> float:
    """The geometric mean of the shares in each sample; where one is nothing, that of the means."""
    if min(*values, *baseline) <= 0:
        return _ratio(values, baseline)
    return float(np.exp(np.mean(np.log(np.asarray(values) / np.asarray(baseline)))))


def merit(judgement: Judgement, weights: Sequence[float] = (1.0,)) -> float:
    """The smaller, the better; weights are for several objectives (augmented Chebyshev)."""
    if math.isinf(judgement.excess) or any(math.isnan(one) for one in judgement.objectives):
        return HOPELESS
    if judgement.excess > 0:
        return INFEASIBLE + judgement.excess
    if len(judgement.objectives) == 1:
        return judgement.objectives[0]
    weighted = [w * one for w, one in zip(weights, judgement.objectives, strict=True)]
    return max(weighted) + 0.05 * sum(weighted)
