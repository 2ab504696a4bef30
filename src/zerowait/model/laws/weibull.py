"""The Weibull law."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from zerowait.model.laws.base import Law, check_mean, register, shape_of
from zerowait.model.quantities import magnitude


@register
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

    def _cdf(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return -np.expm1(-((x / self.scale) ** self.shape))

    def _survival(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.exp(-((x / self.scale) ** self.shape))

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        return self.scale * rng.weibull(self.shape, size)
