"""Laws with another mean and the same shape."""

import math
from functools import singledispatch

import numpy as np

from zerowait.model import (
    BoundedPareto,
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    Hyperexponential,
    Law,
    Lognormal,
    Mixture,
    Weibull,
)


def with_mean(law: Law, mean: float) -> Law:
    """The law of X mean / E[X]; a law without a mean to change is a constant."""
    if not (mean > 0 and law.mean > 0):
        return Deterministic(mean)
    return law if law.mean == mean else scaled(law, mean / law.mean)


@singledispatch
def scaled(law: Law, factor: float) -> Law:
    """The law of `factor` X. What a family gives must be known here (a test says so)."""
    raise TypeError(f"how {type(law).__name__} is scaled is not known")


@scaled.register
def _(law: Exponential, factor: float) -> Law:
    return Exponential(law.mean * factor)


@scaled.register
def _(law: Deterministic, factor: float) -> Law:
    return Deterministic(law.value * factor)


@scaled.register
def _(law: Lognormal, factor: float) -> Law:
    return Lognormal(law.mu + math.log(factor), law.sigma)


@scaled.register
def _(law: Gamma, factor: float) -> Law:
    return Gamma(law.shape, law.scale * factor)


@scaled.register
def _(law: Weibull, factor: float) -> Law:
    return Weibull(law.shape, law.scale * factor)


@scaled.register
def _(law: Hyperexponential, factor: float) -> Law:
    return Hyperexponential(law.probabilities, [mean * factor for mean in law.means])


@scaled.register
def _(law: BoundedPareto, factor: float) -> Law:
    return BoundedPareto(law.shape, law.minimum * factor, law.maximum * factor)


@scaled.register
def _(law: Mixture, factor: float) -> Law:
    return Mixture(law.weights, [scaled(one, factor) for one in law.laws])


@scaled.register
def _(law: Empirical, factor: float) -> Law:
    return Empirical(np.asarray(law.values) * factor)
