"""The observed times themselves."""

import numpy as np

from zerowait.model import Empirical
from zerowait.traces.fitting.families.base import Family, register
from zerowait.traces.fitting.sample import Sample

# More make files that no editor opens. Beyond it, means of equally many neighbours stand in,
# which keeps the mean and next to all of the variance.
MOST_VALUES = 10_000


def resample(sample: Sample) -> Empirical:
    values = np.repeat(sample.values, sample.counts.astype(np.int64))
    if len(values) > MOST_VALUES:
        values = thin(values)
    return Empirical(values)


def thin(values: "np.typing.NDArray[np.float64]") -> "np.typing.NDArray[np.float64]":
    """`MOST_VALUES` values with the same mean: the quantile function in as many even steps."""
    total = np.concatenate([[0.0], np.cumsum(np.sort(values))])
    at = np.linspace(0, len(values), MOST_VALUES + 1)
    sums = np.interp(at, np.arange(len(total)), total)
    return np.asarray(np.diff(sums) * (MOST_VALUES / len(values)))


# It fits itself.
register(Family("empirical", None, resample, resample, usual=False))
