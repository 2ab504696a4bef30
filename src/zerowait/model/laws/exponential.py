"""The exponential law."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from zerowait.model.laws.base import Law, register
from zerowait.model.quantities import magnitude


@register
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

    def _cdf(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return -np.expm1(-x / self.mean)

    def _survival(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.exp(-x / self.mean)

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        return self.mean * rng.standard_exponential(size)
