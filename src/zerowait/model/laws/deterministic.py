"""The law of a constant."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from zerowait.model.laws.base import Law, check_mean, register
from zerowait.model.quantities import non_negative


@register
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

    def _cdf(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return (x >= self.value).astype(np.float64)

    @property
    def breakpoints(self) -> NDArray[np.float64]:
        return np.array([self.value])

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        return np.full(size, self.value)
