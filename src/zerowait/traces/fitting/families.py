"""Families of laws to fit, by moments and by likelihood, and how a law is scaled."""

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
from zerowait.model.quantities import Floats
from zerowait.traces.fitting.goodness import (
    FAMILIES,
    CannotFitError,
    LawFamily,
    TimeSample,
    log_likelihood,
)


def squared_cv(sample: TimeSample) -> float:
    """Return the squared coefficient of variation; refuse a sample of equal values."""
    if not sample.std > 0:
        raise CannotFitError("all values are the same")
    return (sample.std / sample.mean) ** 2


def fit_constant(sample: TimeSample) -> Deterministic:
    """Fit a constant; refuse a sample whose values differ."""
    if sample.std > 0:
        raise CannotFitError("the values differ")
    return Deterministic(sample.mean)


FAMILIES.register(LawFamily("deterministic", 1, fit_constant, fit_constant, usual=False))


def exponential_by_mean(sample: TimeSample) -> Exponential:
    """Fit the only parameter, the mean, which is its own maximum-likelihood estimate."""
    squared_cv(sample)
    return Exponential(sample.mean)


FAMILIES.register(LawFamily("exponential", 1, exponential_by_mean, exponential_by_mean))


def gamma_by_moments(sample: TimeSample) -> Gamma:
    shape = 1 / squared_cv(sample)
    return Gamma(shape, sample.mean / shape)


def gamma_by_likelihood(sample: TimeSample) -> Gamma:
    """Solve log(shape) - digamma(shape) = log(mean) - mean(log).

    There is one unknown, and one change of sign.
    """
    from scipy.optimize import brentq
    from scipy.special import digamma

    squared_cv(sample)
    gap = math.log(sample.average(sample.positive)) - sample.average(np.log(sample.positive))
    if gap <= 1e-12:
        raise CannotFitError("the values hardly differ")

    def excess(log_shape: float) -> float:
        return float(log_shape - digamma(math.exp(log_shape)) - gap)

    shape = math.exp(brentq(excess, -30.0, 30.0))
    return Gamma(shape, sample.mean / shape)


FAMILIES.register(LawFamily("gamma", 2, gamma_by_moments, gamma_by_likelihood))


def lognormal_by_moments(sample: TimeSample) -> Lognormal:
    squared_cv(sample)
    return Lognormal.from_mean_std(sample.mean, sample.std)


def lognormal_by_likelihood(sample: TimeSample) -> Lognormal:
    """Take the mean and the standard deviation of the logarithms."""
    squared_cv(sample)
    logs = np.log(sample.positive)
    mu = sample.average(logs)
    return Lognormal(mu, float(np.sqrt(sample.average((logs - mu) ** 2))))


FAMILIES.register(LawFamily("lognormal", 2, lognormal_by_moments, lognormal_by_likelihood))


WEIBULL_SHAPES = (0.05, 200.0)


def weibull_by_moments(sample: TimeSample) -> Weibull:
    """Solve G(1 + 2/shape) / G(1 + 1/shape)**2 = 1 + scv; the left side falls in the shape."""
    wanted = math.log1p(squared_cv(sample))

    def excess(shape: float) -> float:
        return math.lgamma(1 + 2 / shape) - 2 * math.lgamma(1 + 1 / shape) - wanted

    shape = _weibull_root(excess)
    return Weibull(shape, sample.mean / math.gamma(1 + 1 / shape))


def weibull_by_likelihood(sample: TimeSample) -> Weibull:
    """Solve sum x^k log x / sum x^k - 1/k = mean(log x), with x relative to the largest."""
    squared_cv(sample)
    largest = float(sample.positive[-1])
    logs = np.log(sample.positive / largest)
    mean_log = sample.average(logs)

    def excess(shape: float) -> float:
        powers = np.exp(shape * logs) * sample.counts
        return float(np.dot(powers, logs) / powers.sum() - 1 / shape - mean_log)

    shape = _weibull_root(excess)
    scale = largest * sample.average(np.exp(shape * logs)) ** (1 / shape)
    return Weibull(shape, scale)


def _weibull_root(excess: object) -> float:
    from scipy.optimize import brentq

    try:
        return float(brentq(excess, *WEIBULL_SHAPES))
    except (ValueError, OverflowError):
        low, high = WEIBULL_SHAPES
        raise CannotFitError(f"no shape from {low:g} to {high:g} fits") from None


FAMILIES.register(LawFamily("weibull", 2, weibull_by_moments, weibull_by_likelihood))


MOST_STEPS = 500
TOLERANCE = 1e-7


def hyperexponential_by_moments(sample: TimeSample) -> Hyperexponential:
    """Fit two phases with balanced means."""
    if squared_cv(sample) < 1:
        raise CannotFitError("the standard deviation is below the mean")
    return Hyperexponential.from_mean_std(sample.mean, sample.std)


def hyperexponential_by_likelihood(sample: TimeSample) -> Hyperexponential:
    """Maximise the likelihood from the balanced means on.

    By expectation-maximisation (Asmussen et al. 1996).
    """
    start = hyperexponential_by_moments(sample)
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


FAMILIES.register(
    LawFamily("hyperexponential", 3, hyperexponential_by_moments, hyperexponential_by_likelihood)
)


# Where the tail may begin. Sites limit run times, so it also ends: at the longest run.
STARTS = (0.75, 0.8, 0.85, 0.9, 0.95)
FEWEST_IN_TAIL = 10
TAIL_SHAPES = (1e-3, 50.0)


def pareto_tail_by_moments(sample: TimeSample) -> Mixture:
    """Fit the body by mean and deviation, and the tail by its mean.

    The mean of all is that of the sample.
    """
    return _best(sample, lognormal_by_moments, _shape_by_mean)


def pareto_tail_by_likelihood(sample: TimeSample) -> Mixture:
    return _best(sample, lognormal_by_likelihood, _shape_by_likelihood)


def _best(sample: TimeSample, fit_body: object, fit_shape: object) -> Mixture:
    """Choose the start of the tail with the highest likelihood."""
    squared_cv(sample)
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


def _splice(sample: TimeSample, start: float, fit_body: object, fit_shape: object) -> Mixture:
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


def _shape_by_mean(tail: TimeSample, low: float, high: float) -> float:
    def excess(shape: float) -> float:
        return BoundedPareto(shape, low, high).mean / tail.mean - 1

    return _tail_root(excess)


def _shape_by_likelihood(tail: TimeSample, low: float, high: float) -> float:
    """Solve 1/a + r^a log r / (1 - r^a) = mean log(x / low) with r = low / high.

    See Aban et al. 2006.
    """
    log_ratio = math.log(low / high)
    mean_log = tail.average(np.log(tail.values / low))

    def excess(shape: float) -> float:
        power = math.exp(shape * log_ratio)
        return 1 / shape + power * log_ratio / -math.expm1(shape * log_ratio) - mean_log

    return _tail_root(excess)


def _tail_root(excess: object) -> float:
    from scipy.optimize import brentq

    try:
        return float(brentq(excess, *TAIL_SHAPES))
    except ValueError:
        raise CannotFitError("no Pareto tail is so flat or so steep") from None


# mu, sigma, share, shape, and where the tail begins and ends.
FAMILIES.register(LawFamily("pareto-tail", 6, pareto_tail_by_moments, pareto_tail_by_likelihood))


# More make files that no editor opens. Beyond it, means of equally many neighbours stand in,
# which keeps the mean and next to all of the variance.
MOST_VALUES = 10_000


def resample_times(sample: TimeSample) -> Empirical:
    """Draw the times themselves again."""
    return Empirical(thin_values(np.repeat(sample.values, sample.counts.astype(np.int64))))


def thin_values(values: Floats, most: int = MOST_VALUES) -> Floats:
    """Return `most` values or fewer with the same mean.

    They are the quantile function in as many even steps.
    """
    if len(values) <= most:
        return values
    total = np.concatenate([[0.0], np.cumsum(np.sort(values))])
    at = np.linspace(0, len(values), most + 1)
    sums = np.interp(at, np.arange(len(total)), total)
    return np.asarray(np.diff(sums) * (most / len(values)))


# It fits itself.
FAMILIES.register(LawFamily("empirical", None, resample_times, resample_times, usual=False))


def scale_to_mean(law: Law, mean: float) -> Law:
    """Return the law of X mean / E[X]; a constant where the law has no mean to change."""
    if not (mean > 0 and law.mean > 0):
        return Deterministic(mean)
    return law if law.mean == mean else scale_law(law, mean / law.mean)


@singledispatch
def scale_law(law: Law, factor: float) -> Law:
    """Return the law of `factor` X; every law that a family gives must be known here."""
    raise TypeError(f"how {type(law).__name__} is scaled is not known")


@scale_law.register
def _(law: Exponential, factor: float) -> Law:
    return Exponential(law.mean * factor)


@scale_law.register
def _(law: Deterministic, factor: float) -> Law:
    return Deterministic(law.value * factor)


@scale_law.register
def _(law: Lognormal, factor: float) -> Law:
    return Lognormal(law.mu + math.log(factor), law.sigma)


@scale_law.register
def _(law: Gamma, factor: float) -> Law:
    return Gamma(law.shape, law.scale * factor)


@scale_law.register
def _(law: Weibull, factor: float) -> Law:
    return Weibull(law.shape, law.scale * factor)


@scale_law.register
def _(law: Hyperexponential, factor: float) -> Law:
    return Hyperexponential(law.probabilities, [mean * factor for mean in law.means])


@scale_law.register
def _(law: BoundedPareto, factor: float) -> Law:
    return BoundedPareto(law.shape, law.minimum * factor, law.maximum * factor)


@scale_law.register
def _(law: Mixture, factor: float) -> Law:
    return Mixture(law.weights, [scale_law(one, factor) for one in law.laws])


@scale_law.register
def _(law: Empirical, factor: float) -> Law:
    return Empirical(np.asarray(law.values) * factor)
