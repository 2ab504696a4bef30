"""Lognormal laws."""

import numpy as np

from zerowait.model import Lognormal
from zerowait.traces.fitting.families.base import Family, register, spread
from zerowait.traces.fitting.sample import Sample


def by_moments(sample: Sample) -> Lognormal:
    spread(sample)
    return Lognormal.from_mean_std(sample.mean, sample.std)


def by_likelihood(sample: Sample) -> Lognormal:
    """Mean and standard deviation of the logarithms."""
    spread(sample)
    logs = np.log(sample.positive)
    mu = sample.average(logs)
    return Lognormal(mu, float(np.sqrt(sample.average((logs - mu) ** 2))))


register(Family("lognormal", 2, by_moments, by_likelihood))
