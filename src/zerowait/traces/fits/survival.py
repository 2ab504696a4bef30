"""How likely a sample is under a law, accurate far out in the tail."""

import math
from functools import singledispatch

import numpy as np
from numpy.typing import NDArray

from zerowait.model import (
    BoundedPareto,
    Exponential,
    Gamma,
    Hyperexponential,
    Law,
    Lognormal,
    Mixture,
    Weibull,
)
from zerowait.traces.fits.sample import Sample

Floats = NDArray[np.float64]

# The logarithm of the least probability a float can hold, about.
LEAST = -745.0


def log_likelihood(law: Law, sample: Sample) -> float:
    """Of times that were written down in units of the resolution: P(x - h/2 < X <= x + h/2).

    A value that the law excludes counts as one of the least probability a float can hold.
    """
    half = sample.resolution / 2
    above = log_sf(law, np.maximum(sample.values - half, 0.0))
    beyond = log_sf(law, sample.values + half)
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = above + np.log(-np.expm1(beyond - above))
    inside = np.where(np.isnan(inside), LEAST, np.maximum(inside, LEAST))
    return float(np.dot(inside, sample.counts))


@singledispatch
def log_sf(law: Law, x: Floats) -> Floats:
    """log P(X > x)."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log1p(-np.asarray(law.cdf(x))))


@log_sf.register
def _(law: Exponential, x: Floats) -> Floats:
    return -x / law.mean


@log_sf.register
def _(law: Hyperexponential, x: Floats) -> Floats:
    from scipy.special import logsumexp

    phases = -x[:, None] / np.array(law.means)
    return np.asarray(logsumexp(phases, axis=1, b=np.array(law.probabilities)))


@log_sf.register
def _(law: Lognormal, x: Floats) -> Floats:
    from scipy.special import log_ndtr

    with np.errstate(divide="ignore"):
        return np.asarray(log_ndtr(-(np.log(x) - law.mu) / law.sigma))


@log_sf.register
def _(law: Gamma, x: Floats) -> Floats:
    from scipy.special import gammaincc

    with np.errstate(divide="ignore"):
        return np.asarray(np.log(gammaincc(law.shape, x / law.scale)))


@log_sf.register
def _(law: Weibull, x: Floats) -> Floats:
    return -((x / law.scale) ** law.shape)


@log_sf.register
def _(law: BoundedPareto, x: Floats) -> Floats:
    # sf = (e^{-a y} - e^{-a s}) / (1 - e^{-a s}) with y = log(x / low), s = log(high / low)
    span = math.log(law.maximum / law.minimum)
    y = np.log(np.clip(x, law.minimum, law.maximum) / law.minimum)
    with np.errstate(divide="ignore"):
        inside = np.log(-np.expm1(law.shape * np.minimum(y - span, 0.0)))
    return np.asarray(inside - law.shape * y - math.log(-math.expm1(-law.shape * span)))


@log_sf.register
def _(law: Mixture, x: Floats) -> Floats:
    from scipy.special import logsumexp

    parts = np.stack([log_sf(part, x) for part in law.laws], axis=1)
    return np.asarray(logsumexp(parts, axis=1, b=np.array(law.weights)))
