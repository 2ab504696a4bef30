"""Weibull laws."""

import math

import numpy as np

from zerowait.model import Weibull
from zerowait.traces.fitting.families.base import CannotFitError, Family, register, spread
from zerowait.traces.fitting.sample import Sample

SHAPES = (0.05, 200.0)


def by_moments(sample: Sample) -> Weibull:
    """G(1 + 2/shape) / G(1 + 1/shape)**2 = 1 + scv; the left side falls in the shape."""
    wanted = math.log1p(spread(sample))

    def excess(shape: float) -> float:
        return math.lgamma(1 + 2 / shape) - 2 * math.lgamma(1 + 1 / shape) - wanted

    shape = _root(excess)
    return Weibull(shape, sample.mean / math.gamma(1 + 1 / shape))


def by_likelihood(sample: Sample) -> Weibull:
    """sum x^k log x / sum x^k - 1/k = mean(log x), with x relative to the largest."""
    spread(sample)
    largest = float(sample.positive[-1])
    logs = np.log(sample.positive / largest)
    mean_log = sample.average(logs)

    def excess(shape: float) -> float:
        powers = np.exp(shape * logs) * sample.counts
        return float(np.dot(powers, logs) / powers.sum() - 1 / shape - mean_log)

    shape = _root(excess)
    scale = largest * sample.average(np.exp(shape * logs)) ** (1 / shape)
    return Weibull(shape, scale)


def _root(excess: object) -> float:
    from scipy.optimize import brentq

    try:
        return float(brentq(excess, *SHAPES))
    except (ValueError, OverflowError):
        low, high = SHAPES
        raise CannotFitError(f"no shape from {low:g} to {high:g} fits") from None


register(Family("weibull", 2, by_moments, by_likelihood))
