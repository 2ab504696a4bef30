"""Gamma laws."""

import math

import numpy as np

from zerowait.model import Gamma
from zerowait.traces.fitting.families.base import CannotFitError, Family, register, spread
from zerowait.traces.fitting.sample import Sample


def by_moments(sample: Sample) -> Gamma:
    shape = 1 / spread(sample)
    return Gamma(shape, sample.mean / shape)


def by_likelihood(sample: Sample) -> Gamma:
    """log(shape) - digamma(shape) = log(mean) - mean(log): one unknown, one sign change."""
    from scipy.optimize import brentq
    from scipy.special import digamma

    spread(sample)
    gap = math.log(sample.average(sample.positive)) - sample.average(np.log(sample.positive))
    if gap <= 1e-12:
        raise CannotFitError("the values hardly differ")

    def excess(log_shape: float) -> float:
        return float(log_shape - digamma(math.exp(log_shape)) - gap)

    shape = math.exp(brentq(excess, -30.0, 30.0))
    return Gamma(shape, sample.mean / shape)


register(Family("gamma", 2, by_moments, by_likelihood))
