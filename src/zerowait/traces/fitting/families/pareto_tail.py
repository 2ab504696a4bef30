"""A lognormal body with a Pareto tail, which ends at the longest time seen."""

import math

import numpy as np

from zerowait.model import BoundedPareto, Lognormal, Mixture
from zerowait.traces.fitting.families import lognormal
from zerowait.traces.fitting.families.base import CannotFitError, Family, register, spread
from zerowait.traces.fitting.likelihood import log_likelihood
from zerowait.traces.fitting.sample import Sample

# Where the tail may begin. Sites limit run times, so it also ends: at the longest run.
STARTS = (0.75, 0.8, 0.85, 0.9, 0.95)
FEWEST_IN_TAIL = 10
SHAPES = (1e-3, 50.0)


def by_moments(sample: Sample) -> Mixture:
    """Body by mean and deviation, tail by its mean: the mean of all is that of the sample."""
    return _best(sample, lognormal.by_moments, _shape_by_mean)


def by_likelihood(sample: Sample) -> Mixture:
    return _best(sample, lognormal.by_likelihood, _shape_by_likelihood)


def _best(sample: Sample, fit_body: object, fit_shape: object) -> Mixture:
    """The start of the tail with the highest likelihood."""
    spread(sample)
    found: list[tuple[float, Mixture]] = []
    for start in sorted({sample.quantile(q) for q in STARTS}):
        try:
            law = _splice(sample, start, fit_body, fit_shape)
        except CannotFitError:
            continue
        found.append((log_likelihood(law, sample), law))
    if not found:
        raise CannotFitError(f"no tail with {FEWEST_IN_TAIL} values or more")
    return max(found, key=lambda one: one[0])[1]


def _splice(sample: Sample, start: float, fit_body: object, fit_shape: object) -> Mixture:
    in_tail = sample.values > start
    body, tail = sample.part(~in_tail), sample.part(in_tail)
    if not body.size or tail.size < FEWEST_IN_TAIL or not body.std > 0 or not tail.std > 0:
        raise CannotFitError("too few values")
    half = sample.resolution / 2
    low, high = start + half, float(tail.values[-1]) + half
    shape = fit_shape(tail, low, high)  # type: ignore[operator]
    share = tail.size / sample.size
    inner: Lognormal = fit_body(body)  # type: ignore[operator]
    return Mixture((1 - share, share), (inner, BoundedPareto(shape, low, high)))


def _shape_by_mean(tail: Sample, low: float, high: float) -> float:
    def excess(shape: float) -> float:
        return BoundedPareto(shape, low, high).mean / tail.mean - 1

    return _root(excess)


def _shape_by_likelihood(tail: Sample, low: float, high: float) -> float:
    """1/a + r^a log r / (1 - r^a) = mean log(x / low), r = low / high (Aban et al. 2006)."""
    log_ratio = math.log(low / high)
    mean_log = tail.average(np.log(tail.values / low))

    def excess(shape: float) -> float:
        power = math.exp(shape * log_ratio)
        return 1 / shape + power * log_ratio / -math.expm1(shape * log_ratio) - mean_log

    return _root(excess)


def _root(excess: object) -> float:
    from scipy.optimize import brentq

    try:
        return float(brentq(excess, *SHAPES))
    except ValueError:
        raise CannotFitError("no Pareto tail is so flat or so steep") from None


# mu, sigma, share, shape, and where the tail begins and ends.
register(Family("pareto-tail", 6, by_moments, by_likelihood))
