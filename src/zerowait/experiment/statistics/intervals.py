"""Confidence intervals from groups of jobs that are as good as independent.

A group is a replication, or a long batch of one run. A mean is a ratio: the sum of a measure over
the jobs by their number, or an integral by the time. Its error is that of the groups' residuals
(Cochran, Sampling Techniques, 1977, chapter 6), with Student's quantile.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zerowait.model.quantities import Floats, Ints, finite, refuse

LEVEL = 0.95
ROUNDING = 0.008  # of a quantile, relative: half a bucket of the histograms
MOST_CORRELATED = 0.8  # batches beyond this say nothing about the error


@dataclass(frozen=True)
class Interval:
    """A mean and the half-width of its confidence interval."""

    mean: float
    half_width: float
    level: float

    def __str__(self) -> str:
        width = f" ± {self.half_width:.2g}" if self.known else ""
        return f"{self.mean:.6g}{width}"

    @property
    def known(self) -> bool:
        """Is there an interval at all?"""
        return math.isfinite(self.half_width)

    @property
    def low(self) -> float:
        return self.mean - self.half_width if self.known else math.nan

    @property
    def high(self) -> float:
        return self.mean + self.half_width if self.known else math.nan


@dataclass(frozen=True)
class Difference(Interval):
    """An interval with the p-value of the test that goes with it: below 1 - level exactly where
    the interval does not hold `equal`."""

    p_value: float  # Student's, two-sided, not adjusted; NaN where there is no interval
    equal: float = 0.0  # the value that says that nothing differs: 0, of a ratio 1


def check_level(level: float) -> float:
    if not 0 < finite("level", level) < 1:
        raise refuse("level", level, "must be a probability, above 0 and below 1")
    return level


# Student's quantile for 95%, of 1, 2, ... degrees of freedom, to the last bit of SciPy's, which
# takes longer to import than short runs to simulate.
STUDENT_95 = (
    12.706204736174694, 4.302652729749462, 3.1824463052837078, 2.7764451051977934,
    2.5705818356363146, 2.4469118511449786, 2.364624251592784, 2.306004135204166,
    2.262157162798205, 2.228138851986274, 2.200985160091639, 2.1788128296672284,
    2.1603686564627913, 2.144786687917804, 2.131449545559776, 2.1199052992212546,
    2.1098155778333156, 2.1009220402410382, 2.0930240544083087, 2.085963447265864,
)  # fmt: skip


def student(df: Floats | float, level: float) -> Floats:
    """Return Student's quantile for a two-sided interval; NaN without a degree of freedom."""
    df = np.asarray(df, dtype=np.float64)
    if level == LEVEL and np.isin(df, np.arange(len(STUDENT_95) + 1)).all():
        return np.asarray(np.array([np.nan, *STUDENT_95])[df.astype(np.int64)])
    from scipy.special import stdtrit

    return np.asarray(stdtrit(np.where(df > 0, df, np.nan), (1 + level) / 2), dtype=np.float64)


def student_interval(values: Sequence[float], level: float) -> Interval:
    """The mean of independent values and the half-width of its interval."""
    n = len(values)
    mean = math.fsum(values) / n
    if n < 2:
        return Interval(mean, math.nan, level)
    variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
    return Interval(mean, float(student(n - 1, level)) * math.sqrt(variance / n), level)


def ratios(numerators: Floats, denominators: Floats) -> Floats:
    """Return the mean of each row over all groups. Both arguments are group x row."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means: Floats = numerators.sum(axis=0) / denominators.sum(axis=0)
    return means


def residuals(numerators: Floats, denominators: Floats) -> Floats:
    """Group x row: what each group adds to the error of the mean, times the number of groups."""
    n = len(numerators)
    with np.errstate(invalid="ignore", divide="ignore"):
        off = numerators - ratios(numerators, denominators) * denominators
        scaled: Floats = n * off / denominators.sum(axis=0)
    return scaled


def ratio_half_widths(
    numerators: Floats, denominators: Floats, level: float, runs: Ints | None = None
) -> Floats:
    """Return the half-width of each row.

    Groups in which a row has no jobs do not count as degrees of freedom.
    """
    n, known = len(denominators), (denominators > 0).sum(axis=0)
    widths = half_widths(residuals(numerators, denominators), known - 1.0, level, runs)
    with np.errstate(invalid="ignore", divide="ignore"):
        scaled: Floats = widths * np.sqrt(known / (known - 1.0) * (n - 1.0) / n)
    return scaled


def half_widths(off: Floats, df: Floats | float, level: float, runs: Ints | None = None) -> Floats:
    """Return the half-width of each row, from the groups' residuals (group x row).

    `runs` says which run a group is of.
    """
    n = len(off)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = (off**2).sum(axis=0) / (n * (n - 1.0)) * serial_factor(off, runs)
        widths: Floats = student(df, level) * np.sqrt(variance)
    return np.where(np.asarray(df) > 0, widths, np.nan)


def serial_factor(off: Floats, runs: Ints | None) -> Floats:
    """Return what correlation between neighbouring batches adds to the variance of the mean.

    (1 + r) / (1 - r) for the lag-1 correlation r of the batches, where it is positive, as in Skart
    (Tafazzoli and Wilson, IIE Transactions 43, 2011). Replications have no neighbours.
    """
    n = len(off)
    neighbours = np.zeros(max(n - 1, 0), bool) if runs is None else runs[1:] == runs[:-1]
    if not neighbours.any():
        return np.ones(off.shape[1])
    with np.errstate(invalid="ignore", divide="ignore"):
        products = (off[1:] * off[:-1])[neighbours].mean(axis=0)
        # About a mean that is estimated, independent groups have a correlation of -1/n.
        r = products / (off**2).mean(axis=0) + 1 / n
    r = np.clip(np.nan_to_num(r), 0.0, MOST_CORRELATED)
    factor: Floats = (1 + r) / (1 - r)
    return factor


def section_half_widths(
    values: Floats, points: Floats, level: float, runs: Ints | None = None
) -> Floats:
    """Return the half-width of each row for quantiles: the groups' own about that of all jobs.

    Sectioning (Asmussen and Glynn, Stochastic Simulation, 2007, III.5): the groups' mean would
    carry the bias of small groups, the quantile of all jobs hardly does. Groups without jobs (NaN)
    are left out. The rounding of the histograms is no scatter, and is added.
    """
    known = ~np.isnan(values)
    n = known.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        # With fewer groups than others have, a row's residuals weigh more.
        weight = np.sqrt(len(values) * (len(values) - 1.0) / (n * (n - 1.0)))
        off = np.where(known, values - points, 0.0) * weight
    return half_widths(off, quantile_df(n), level, runs) + np.abs(points) * ROUNDING


def quantile_df(n: Ints | int) -> Floats:
    """Degrees of freedom of the scatter of quantiles in `n` groups.

    Those far out are skewed: a few groups without a crisis agree on a value that is too low. One
    degree less makes up for it (docs/decisions/0302), and is nothing where groups are many.
    """
    return np.where(np.asarray(n) > 2, np.asarray(n) - 2.0, np.asarray(n) - 1.0)
