"""Observed times, as laws are fitted to them, and how likely they are under a law."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from zerowait.model import Law
from zerowait.model.quantities import Floats, vector


@dataclass(frozen=True, eq=False)
class Sample:
    """Distinct values in ascending order with their counts.

    `resolution` is the unit in which times were written down: a time of 0 s in a log of whole
    seconds is one of less than a second, and is neither impossible nor an atom.
    """

    values: Floats
    counts: Floats
    resolution: float

    @classmethod
    def of(cls, times: ArrayLike, resolution: float | None = None) -> "Sample":
        """`resolution` is read off the times unless it is known."""
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
        """Of the jobs themselves, with n - 1."""
        if len(self.values) < 2:
            return 0.0  # exactly: the mean of equal values may be off by a rounding
        squares = np.dot((self.values - self.mean) ** 2, self.counts)
        return float(np.sqrt(squares / (self.size - 1)))

    @property
    def positive(self) -> Floats:
        """The values with half the resolution for zero, so that they have logarithms."""
        return np.maximum(self.values, self.resolution / 2)

    def average(self, of: Floats) -> float:
        """The mean of a function of the values, given at each of them."""
        return float(np.dot(of, self.counts) / self.size)

    def quantile(self, probability: float) -> float:
        rank = np.searchsorted(np.cumsum(self.counts), probability * self.size)
        return float(self.values[min(int(rank), len(self.values) - 1)])

    def part(self, keep: NDArray[np.bool_]) -> "Sample":
        return Sample(self.values[keep], self.counts[keep], self.resolution)


def _resolution(values: Floats) -> float:
    """The largest power of ten, at most 1, of which all values are multiples."""
    for digits in range(7):
        scaled = values * 10.0**digits
        if np.allclose(scaled, np.round(scaled), rtol=0, atol=1e-6):
            return 10.0**-digits
    return 1e-7


# The logarithm of the least probability a float can hold, about.
LEAST = -745.0


def log_likelihood(law: Law, sample: Sample) -> float:
    """Of times that were written down in units of the resolution: P(x - h/2 < X <= x + h/2).

    A value that the law excludes counts as one of the least probability a float can hold.
    """
    half = sample.resolution / 2
    above = np.asarray(law.survival(np.maximum(sample.values - half, 0.0)))
    beyond = np.asarray(law.survival(sample.values + half))
    with np.errstate(divide="ignore"):
        inside = np.maximum(np.log(above - beyond), LEAST)
    return float(np.dot(inside, sample.counts))
