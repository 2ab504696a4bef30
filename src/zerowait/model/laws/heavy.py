"""Laws with heavy tails."""

import math
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from zerowait.model.laws.base import LAWS, Law, check_mean, shape_of
from zerowait.model.quantities import Floats, finite, magnitude, refuse


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
