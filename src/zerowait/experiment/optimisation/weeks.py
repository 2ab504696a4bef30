"""Paired intervals over the weeks of a log: weeks are drawn again, for both policies alike."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerowait.engine.arrays import Floats, Ints
from zerowait.experiment.measures import QUANTILES, split_column
from zerowait.experiment.optimisation.evaluate import JobTimes, longest_by_week
from zerowait.experiment.optimisation.expressions import LONGEST, WEEKLY, WORST, Expression, Term
from zerowait.experiment.statistics.bootstrap import FEWEST_BLOCKS, week_numbers
from zerowait.experiment.statistics.intervals import LEVEL

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
