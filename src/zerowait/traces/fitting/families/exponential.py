"""The exponential law, to show what it would miss."""

from zerowait.model import Exponential
from zerowait.traces.fitting.families.base import Family, register, spread
from zerowait.traces.fitting.sample import Sample


def by_mean(sample: Sample) -> Exponential:
    """The mean is the only parameter, and its own maximum-likelihood estimate."""
    spread(sample)
    return Exponential(sample.mean)


register(Family("exponential", 1, by_mean, by_mean))
