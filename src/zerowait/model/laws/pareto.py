"""The Pareto law."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from zerowait.model.laws.base import Law, check_mean, register, shape_of
from zerowait.model.quantities import magnitude, refuse


@register
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

    def _cdf(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return -np.expm1(-self.shape * np.log(np.maximum(x, self.minimum) / self.minimum))

    def _survival(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.exp(-self.shape * np.log(np.maximum(x, self.minimum) / self.minimum))

    @property
    def breakpoints(self) -> NDArray[np.float64]:
        return np.array([self.minimum])

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        return self.minimum * np.exp(rng.standard_exponential(size) / self.shape)
