"""Hyperexponential laws of two phases."""

import numpy as np

from zerowait.model import Hyperexponential
from zerowait.traces.fitting.families.base import CannotFitError, Family, register, spread
from zerowait.traces.fitting.sample import Sample

MOST_STEPS = 500
TOLERANCE = 1e-7


def by_moments(sample: Sample) -> Hyperexponential:
    """Balanced means."""
    if spread(sample) < 1:
        raise CannotFitError("the standard deviation is below the mean")
    return Hyperexponential.from_mean_std(sample.mean, sample.std)


def by_likelihood(sample: Sample) -> Hyperexponential:
    """Expectation-maximisation from the balanced means on (Asmussen et al. 1996)."""
    start = by_moments(sample)
    weights, means = np.array(start.probabilities), np.array(start.means)
    x = sample.positive[:, None]
    for _ in range(MOST_STEPS):
        density = weights * np.exp(-x / means) / means
        total = density.sum(axis=1, keepdims=True)
        total[total == 0] = np.finfo(float).tiny
        belongs = density / total * sample.counts[:, None]
        mass = belongs.sum(axis=0)
        if (mass <= 0).any():
            raise CannotFitError("one phase is left empty")
        new_weights, new_means = mass / sample.size, (belongs * x).sum(axis=0) / mass
        moved = max(np.abs(new_weights - weights).max(), np.abs(new_means / means - 1).max())
        weights, means = new_weights, new_means
        if moved < TOLERANCE:
            break
    weights = weights / weights.sum()
    return Hyperexponential(weights.tolist(), means.tolist())


register(Family("hyperexponential", 3, by_moments, by_likelihood))
