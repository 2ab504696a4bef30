"""Laws whose tails are no heavier than exponential."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from zerowait.model.laws.base import LAWS, Law, check_mean, shape_of
from zerowait.model.quantities import Floats, magnitude, non_negative, refuse, whole


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
