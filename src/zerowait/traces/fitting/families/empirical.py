"""The observed times themselves."""

import numpy as np

from zerowait.model import Empirical
from zerowait.traces.fitting.families.base import Family, register
from zerowait.traces.fitting.sample import Sample

# More make files that no editor opens. Beyond it, means of equally many neighbours stand in,
# which keeps the mean and next to all of the variance.
MOST_VALUES = 10_000


def resample(sample: Sample) -> Empirical:
    return Empirical(thinned(np.repeat(sample.values, sample.counts.astype(np.int64))))


def thinned(
    values: "np.typing.NDArray[np.float64]", most: int = MOST_VALUES
) -> "np.typing.NDArray[np.float64]":
    """`most` values or fewer with the same mean: the quantile function in as many even steps."""
    if len(values) <= most:
        return values
    total = np.concatenate([[0.0], np.cumsum(np.sort(values))])
    at = np.linspace(0, len(values), most + 1)
    sums = np.interp(at, np.arange(len(total)), total)
    return np.asarray(np.diff(sums) * (most / len(values)))


# It fits itself.
register(Family("empirical", None, resample, resample, usual=False))
