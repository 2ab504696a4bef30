"""Samples of times, families of laws, and how well a family fits a sample."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from zerowait.model import InputError, Law
from zerowait.model.display import json_ready
from zerowait.model.quantities import Floats, refuse, vector
from zerowait.model.registers import Register


@dataclass(frozen=True, eq=False)
class TimeSample:
    """Distinct values in ascending order with their counts.

    `resolution` is the unit in which times were written down: a time of 0 s in a log of whole
    seconds is one of less than a second, and is neither impossible nor an atom.
    """

    values: Floats
    counts: Floats
    resolution: float

    @classmethod
    def of(cls, times: ArrayLike, resolution: float | None = None) -> "TimeSample":
        """Count the distinct times; the resolution is read off them unless it is given."""
        given = vector("times", times, "give the observed times")
        values, counts = np.unique(given, return_counts=True)
        return cls(values, counts.astype(np.float64), resolution or _resolution(values))

    @cached_property
    def size(self) -> int:
        return int(self.counts.sum())

    @cached_property
    def mean(self) -> float:
        return float(np.dot(self.values, self.counts) / self.size)

    @cached_property
    def std(self) -> float:
        """Return the standard deviation of the jobs themselves, with n - 1."""
        if len(self.values) < 2:
            return 0.0  # exactly: the mean of equal values may be off by a rounding
        squares = np.dot((self.values - self.mean) ** 2, self.counts)
        return float(np.sqrt(squares / (self.size - 1)))

    @property
    def positive(self) -> Floats:
        """Return the values with half the resolution for zero, so that they have logarithms."""
        return np.maximum(self.values, self.resolution / 2)

    def average(self, of: Floats) -> float:
        """Return the mean of a function of the values, given at each of them."""
        return float(np.dot(of, self.counts) / self.size)

    def quantile(self, probability: float) -> float:
        rank = np.searchsorted(np.cumsum(self.counts), probability * self.size)
        return float(self.values[min(int(rank), len(self.values) - 1)])

    def part(self, keep: NDArray[np.bool_]) -> "TimeSample":
        return TimeSample(self.values[keep], self.counts[keep], self.resolution)


def _resolution(values: Floats) -> float:
    """Return the largest power of ten, at most 1, of which all values are multiples."""
    for digits in range(7):
        scaled = values * 10.0**digits
        if np.allclose(scaled, np.round(scaled), rtol=0, atol=1e-6):
            return 10.0**-digits
    return 1e-7


# The logarithm of the least probability a float can hold, about.
LEAST = -745.0


def log_likelihood(law: Law, sample: TimeSample) -> float:
    """Return the log-likelihood of times that were written down in units of the resolution.

    A time x counts as P(x - h/2 < X <= x + h/2); one that the law excludes has the least
    probability a float can hold.
    """
    half = sample.resolution / 2
    above = np.asarray(law.survival(np.maximum(sample.values - half, 0.0)))
    beyond = np.asarray(law.survival(sample.values + half))
    with np.errstate(divide="ignore"):
        inside = np.maximum(np.log(above - beyond), LEAST)
    return float(np.dot(inside, sample.counts))


class CannotFitError(ValueError):
    """The family has no member for this sample; the message says why."""


@dataclass(frozen=True)
class LawFamily:
    """A family of laws: how to fit it by mean and standard deviation, or by likelihood.

    `n_parameters` counts what is fitted, for AIC; None: as many as there are values. A family
    that is not `usual` is tried only where it is asked for by name.
    """

    name: str
    n_parameters: int | None
    by_moments: Callable[[TimeSample], Law]
    by_likelihood: Callable[[TimeSample], Law]
    usual: bool = True


FAMILIES: Register[LawFamily] = Register("family")


METHODS = ("both", "moments", "likelihood")
CRITERIA = ("aic", "ks")
# A law whose mean is further off than this changes the load, and is taken last.
MEAN_TOLERANCE = 0.05
# Waits grow with the variance: a law that misses the standard deviation by more than half is taken
# only where no other has the mean and comes nearer, and not in silence.
STD_TOLERANCE = 0.5


@dataclass(frozen=True)
class Goodness:
    """One row of the table: a family's member for one class, or why there is none."""

    family: str
    method: str
    law: Law | None
    log_likelihood: float
    aic: float  # 2 parameters - 2 log-likelihood; NaN for the empirical law
    ks: float  # largest distance between the distribution functions
    mean_error: float  # relative to the sample's
    std_error: float
    reason: str = ""  # why there is no law

    @property
    def keeps_mean(self) -> bool:
        return abs(self.mean_error) <= MEAN_TOLERANCE

    @property
    def keeps_std(self) -> bool:
        """Tell whether the law has about the right spread once it is scaled to the mean."""
        return keeps_std((1 + self.std_error) / (1 + self.mean_error) - 1)

    def as_dict(self) -> dict[str, Any]:
        names = ("family", "method", "log_likelihood", "aic", "ks", "mean_error", "std_error")
        row: dict[str, Any] = json_ready({name: getattr(self, name) for name in names})
        return row | {"law": repr(self.law) if self.law else None, "reason": self.reason or None}


def goodness_of(family: str, sample: TimeSample, method: str) -> Goodness:
    """Fit one family to a sample by one method, and say how good the fit is."""
    nan = math.nan
    if family not in FAMILIES:
        raise refuse("law", family, f"must be one of {', '.join(FAMILIES)}")
    known = FAMILIES[family]
    try:
        law = known.by_moments(sample) if method == "moments" else known.by_likelihood(sample)
    except (CannotFitError, InputError) as error:
        return Goodness(family, method, None, nan, nan, nan, nan, nan, str(error))
    if known.n_parameters is None:
        likelihood = float(np.dot(sample.counts, np.log(sample.counts / sample.size)))
        aic = nan
    else:
        likelihood = log_likelihood(law, sample)
        aic = 2 * known.n_parameters - 2 * likelihood
    return Goodness(
        family=family,
        method=method,
        law=law,
        log_likelihood=likelihood,
        aic=aic,
        ks=ks_distance(law, sample),
        mean_error=relative_error(law.mean, sample.mean),
        std_error=relative_error(law.std, sample.std),
    )


def keeps_std(error: float) -> bool:
    return abs(error) <= STD_TOLERANCE


def relative_error(value: float, true: float) -> float:
    return value / true - 1 if true > 0 else (0.0 if value == true else math.inf)


def ks_distance(law: Law, sample: TimeSample) -> float:
    """Return the distance of Kolmogorov and Smirnov, taken between steps.

    A time of 7 s may be anything up to 7.5 s.
    """
    half = sample.resolution / 2
    seen = np.cumsum(sample.counts) / sample.size
    return float(np.abs(np.asarray(law.cdf(sample.values + half)) - seen).max())


def compare_families(
    sample: TimeSample, families: Sequence[str], method: str, criterion: str
) -> tuple[Goodness, ...]:
    """Fit the families and return them, best first.

    Those that keep the mean and, about, the standard deviation come first, by the criterion; then
    those that keep the mean alone; then the others.
    """
    if method not in METHODS:
        raise refuse("by", method, f"must be one of {', '.join(METHODS)}")
    if criterion not in CRITERIA:
        raise refuse("criterion", criterion, f"must be one of {', '.join(CRITERIA)}")
    methods = ("likelihood", "moments") if method == "both" else (method,)
    rows: list[Goodness] = []
    for family in families:
        for one in methods:
            row = goodness_of(family, sample, one)
            # Some families come to the same law, or to none, either way.
            if not any(row.law == known.law for known in rows if known.family == family):
                rows.append(row)

    def rank(row: Goodness) -> tuple[bool, bool, bool, float]:
        value = row.aic if criterion == "aic" else row.ks
        misses = (row.law is None, not row.keeps_mean, not row.keeps_std)
        return *misses, math.inf if math.isnan(value) else value

    return tuple(sorted(rows, key=rank))
