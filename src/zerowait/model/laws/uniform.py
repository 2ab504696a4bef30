"""The uniform law on an interval."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from zerowait.model.laws.base import Law, check_mean, register
from zerowait.model.quantities import magnitude, non_negative, refuse


@register
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

    def _cdf(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.clip((x - self.low) / (self.high - self.low), 0.0, 1.0)

    def _survival(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.clip((self.high - x) / (self.high - self.low), 0.0, 1.0)

    @property
    def breakpoints(self) -> NDArray[np.float64]:
        return np.array([self.low, self.high])

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        return self.low + (self.high - self.low) * rng.random(size)
