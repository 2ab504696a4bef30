"""Laws of a few parameters: light tails first, then those heavier than exponential."""

import math
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from zerowait.model.laws.base import LAWS, Law, check_mean, shape_of
from zerowait.model.quantities import Floats, finite, magnitude, non_negative, refuse, whole


@LAWS.register
@dataclass(frozen=True)
class Deterministic(Law):
    """Always `value`, zero allowed."""

    name: ClassVar[str] = "deterministic"
    value: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", non_negative("value", self.value))
        check_mean(self, "value", self.value)

    @property
    def mean(self) -> float:
        return self.value

    @property
    def variance(self) -> float:
        return 0.0

    def _cdf(self, x: Floats) -> Floats:
        return (x >= self.value).astype(np.float64)

    @property
    def breakpoints(self) -> Floats:
        return np.array([self.value])

    def sample(self, rng: np.random.Generator, size: int) -> Floats:
        return np.full(size, self.value)


@LAWS.register
@dataclass(frozen=True)
class Uniform(Law):
    """Uniform on [low, high), 0 <= low < high."""

    name: ClassVar[str] = "uniform"
    low: float
    high: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", non_negative("low", self.low))
        object.__setattr__(self, "high", magnitude("high", self.high))
        if self.high <= self.low:
            raise refuse("high", self.high, f"must be above low ({self.low!r})")
        check_mean(self, "(low, high)", (self.low, self.high))

    @property
    def mean(self) -> float:
        return (self.low + self.high) / 2

    @property
    def variance(self) -> float:
        width = self.high - self.low
        return width * width / 12

    def _cdf(self, x: Floats) -> Floats:
        return np.clip((x - self.low) / (self.high - self.low), 0.0, 1.0)

    def _survival(self, x: Floats) -> Floats:
        return np.clip((self.high - x) / (self.high - self.low), 0.0, 1.0)

    @property
    def breakpoints(self) -> Floats:
        return np.array([self.low, self.high])

    def sample(self, rng: np.random.Generator, size: int) -> Floats:
        return self.low + (self.high - self.low) * rng.random(size)


@LAWS.register
@dataclass(frozen=True)
class Exponential(Law):
    """By its mean (not its rate): P(X > x) = exp(-x / mean)."""

    name: ClassVar[str] = "exponential"
    mean: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", magnitude("mean", self.mean))

    @property
    def variance(self) -> float:
        return self.mean * self.mean

    def _cdf(self, x: Floats) -> Floats:
        return -np.expm1(-x / self.mean)

    def _survival(self, x: Floats) -> Floats:
        return np.exp(-x / self.mean)

    def sample(self, rng: np.random.Generator, size: int) -> Floats:
        return self.mean * rng.standard_exponential(size)


@LAWS.register
@dataclass(frozen=True)
class Erlang(Law):
    """`phases` independent exponential phases of mean `mean / phases` each; scv = 1 / phases."""

    name: ClassVar[str] = "erlang"
    phases: int
    mean: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "phases", whole("phases", self.phases, most=10**9))
        object.__setattr__(self, "mean", magnitude("mean", self.mean))

    @property
    def variance(self) -> float:
        return self.mean * self.mean / self.phases

    def _cdf(self, x: Floats) -> Floats:
        from scipy.special import gammainc

        return np.asarray(gammainc(self.phases, x * (self.phases / self.mean)))

    def _survival(self, x: Floats) -> Floats:
        from scipy.special import gammaincc

        return np.asarray(gammaincc(self.phases, x * (self.phases / self.mean)))

    def sample(self, rng: np.random.Generator, size: int) -> Floats:
        return (self.mean / self.phases) * rng.standard_gamma(self.phases, size)


@LAWS.register
@dataclass(frozen=True)
class Gamma(Law):
    """Density proportional to x**(shape - 1) exp(-x / scale); mean = shape scale."""

    name: ClassVar[str] = "gamma"
    shape: float
    scale: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", shape_of("shape", self.shape))
        object.__setattr__(self, "scale", magnitude("scale", self.scale))
        check_mean(self, "(shape, scale)", (self.shape, self.scale))

    @property
    def mean(self) -> float:
        return self.shape * self.scale

    @property
    def variance(self) -> float:
        return self.shape * self.scale * self.scale

    def _cdf(self, x: Floats) -> Floats:
        from scipy.special import gammainc

        return np.asarray(gammainc(self.shape, x / self.scale))

    def _survival(self, x: Floats) -> Floats:
        from scipy.special import gammaincc

        return np.asarray(gammaincc(self.shape, x / self.scale))

    def sample(self, rng: np.random.Generator, size: int) -> Floats:
        return self.scale * rng.standard_gamma(self.shape, size)


@LAWS.register
@dataclass(frozen=True)
class Lognormal(Law):
    """exp(mu + sigma Z), Z standard normal: `mu` and `sigma` are those of the logarithm."""

    name: ClassVar[str] = "lognormal"
    mu: float
    sigma: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "mu", finite("mu", self.mu))
        object.__setattr__(self, "sigma", shape_of("sigma", self.sigma))
        check_mean(self, "(mu, sigma)", (self.mu, self.sigma))

    @classmethod
    def from_mean_std(cls, mean: float, std: float) -> Self:
        """Return the law with sigma**2 = ln(1 + scv) and mu = ln(mean) - sigma**2 / 2."""
        mean = magnitude("mean", mean)
        std = magnitude("std", std)
        sigma2 = math.log1p((std / mean) * (std / mean))
        return cls(math.log(mean) - sigma2 / 2, math.sqrt(sigma2))

    @property
    def mean(self) -> float:
        return math.exp(self.mu + self.sigma**2 / 2)

    @property
    def variance(self) -> float:
        try:
            return math.expm1(self.sigma**2) * self.mean**2
        except OverflowError:
            return math.inf

    def _cdf(self, x: Floats) -> Floats:
        from scipy.special import ndtr

        with np.errstate(divide="ignore"):  # log 0 = -inf is right: P(X <= 0) = 0
            return np.asarray(ndtr((np.log(x) - self.mu) / self.sigma))

    def _survival(self, x: Floats) -> Floats:
        from scipy.special import ndtr

        with np.errstate(divide="ignore"):
            return np.asarray(ndtr((self.mu - np.log(x)) / self.sigma))

    def sample(self, rng: np.random.Generator, size: int) -> Floats:
        return np.exp(self.mu + self.sigma * rng.standard_normal(size))


@LAWS.register
@dataclass(frozen=True)
class Weibull(Law):
    """P(X > x) = exp(-(x / scale)**shape); heavier than exponential for shape < 1."""

    name: ClassVar[str] = "weibull"
    shape: float
    scale: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", shape_of("shape", self.shape))
        object.__setattr__(self, "scale", magnitude("scale", self.scale))
        check_mean(self, "(shape, scale)", (self.shape, self.scale))

    @property
    def mean(self) -> float:
        return self.scale * math.gamma(1 + 1 / self.shape)

    @property
    def variance(self) -> float:
        # scale**2 (G(1 + 2/shape) - G(1 + 1/shape)**2), without the cancellation of large shapes
        try:
            ratio = math.lgamma(1 + 2 / self.shape) - 2 * math.lgamma(1 + 1 / self.shape)
            return self.mean**2 * max(0.0, math.expm1(ratio))
        except OverflowError:
            return math.inf

    def _cdf(self, x: Floats) -> Floats:
        return -np.expm1(-((x / self.scale) ** self.shape))

    def _survival(self, x: Floats) -> Floats:
        return np.exp(-((x / self.scale) ** self.shape))

    def sample(self, rng: np.random.Generator, size: int) -> Floats:
        return self.scale * rng.weibull(self.shape, size)


@LAWS.register
@dataclass(frozen=True)
class Pareto(Law):
    """P(X > x) = (minimum / x)**shape from `minimum` on.

    The mean is infinite for shape <= 1, which no load can carry, so such shapes are refused;
    the variance is infinite for shape <= 2.
    """

    name: ClassVar[str] = "pareto"
    shape: float
    minimum: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", shape_of("shape", self.shape))
        object.__setattr__(self, "minimum", magnitude("minimum", self.minimum))
        if self.shape <= 1:
            raise refuse(
                "shape", self.shape, "must be above 1 for a finite mean; or use bounded-pareto"
            )
        check_mean(self, "(shape, minimum)", (self.shape, self.minimum))

    @property
    def mean(self) -> float:
        return self.minimum * self.shape / (self.shape - 1)

    @property
    def variance(self) -> float:
        if self.shape <= 2:
            return math.inf
        spread = self.minimum / (self.shape - 1)
        return spread * spread * self.shape / (self.shape - 2)

    def _cdf(self, x: Floats) -> Floats:
        return -np.expm1(-self.shape * np.log(np.maximum(x, self.minimum) / self.minimum))

    def _survival(self, x: Floats) -> Floats:
        return np.exp(-self.shape * np.log(np.maximum(x, self.minimum) / self.minimum))

    @property
    def breakpoints(self) -> Floats:
        return np.array([self.minimum])

    def sample(self, rng: np.random.Generator, size: int) -> Floats:
        return self.minimum * np.exp(rng.standard_exponential(size) / self.shape)


@LAWS.register
@dataclass(frozen=True)
class BoundedPareto(Law):
    """Pareto conditioned to [minimum, maximum]: density proportional to x**(-shape - 1) there."""

    name: ClassVar[str] = "bounded-pareto"
    shape: float
    minimum: float
    maximum: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", shape_of("shape", self.shape))
        object.__setattr__(self, "minimum", magnitude("minimum", self.minimum))
        object.__setattr__(self, "maximum", magnitude("maximum", self.maximum))
        if self.maximum <= self.minimum:
            raise refuse("maximum", self.maximum, f"must be above the minimum ({self.minimum!r})")
        check_mean(self, "(shape, minimum, maximum)", (self.shape, self.minimum, self.maximum))

    @property
    def _span(self) -> float:
        return math.log(self.maximum) - math.log(self.minimum)

    def _moment(self, n: int) -> float:
        """Return E[(X / minimum)**n], which is shape int_0^span exp((n - shape) y) dy / (1 -
        exp(-shape span))."""
        excess = n - self.shape
        integral = math.expm1(excess * self._span) / excess if excess else self._span
        return self.shape * integral / -math.expm1(-self.shape * self._span)

    @property
    def mean(self) -> float:
        return self.minimum * self._moment(1)

    @property
    def variance(self) -> float:
        try:
            first, second = self._moment(1), self._moment(2)
        except OverflowError:
            return math.inf
        # Rounding may take the difference below zero where maximum and minimum nearly agree.
        return self.minimum * self.minimum * max(0.0, second - first * first)

    def _cdf(self, x: Floats) -> Floats:
        inside = np.log(np.clip(x, self.minimum, self.maximum) / self.minimum)
        below = np.expm1(-self.shape * inside) / math.expm1(-self.shape * self._span)
        return np.where(x < self.maximum, np.minimum(below, 1.0), 1.0)

    def _survival(self, x: Floats) -> Floats:
        beyond = np.log(self.maximum / np.clip(x, self.minimum, self.maximum))
        above = np.expm1(-self.shape * beyond) / math.expm1(-self.shape * self._span)
        # P(X > x) = (x**-shape - maximum**-shape) / (minimum**-shape - maximum**-shape)
        above *= np.exp(-self.shape * (self._span - beyond))
        return np.where(x < self.maximum, np.minimum(above, 1.0), 0.0)

    @property
    def breakpoints(self) -> Floats:
        return np.array([self.minimum, self.maximum])

    def sample(self, rng: np.random.Generator, size: int) -> Floats:
        cut = math.expm1(-self.shape * self._span)
        values = self.minimum * np.exp(-np.log1p(rng.random(size) * cut) / self.shape)
        return np.minimum(values, self.maximum)
