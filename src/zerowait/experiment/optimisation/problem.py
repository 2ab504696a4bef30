"""What a search is after: objectives and constraints, and how good a candidate is by them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from zerowait.experiment.optimisation.expressions import Constraint, Expression, Margin, Values
from zerowait.experiment.optimisation.space import Candidate
from zerowait.policies import parse_policy

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
