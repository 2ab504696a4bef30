"""The lognormal law."""

import math
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from zerowait.model.laws.base import Law, check_mean, register, shape_of
from zerowait.model.quantities import finite, magnitude


@register
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
        """sigma**2 = ln(1 + scv) and mu = ln(mean) - sigma**2 / 2."""
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

    def _cdf(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        from scipy.special import ndtr

        with np.errstate(divide="ignore"):  # log 0 = -inf is right: P(X <= 0) = 0
            return np.asarray(ndtr((np.log(x) - self.mu) / self.sigma))

    def _survival(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        from scipy.special import ndtr

        with np.errstate(divide="ignore"):
            return np.asarray(ndtr((self.mu - np.log(x)) / self.sigma))

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        return np.exp(self.mu + self.sigma * rng.standard_normal(size))
