"""The Pareto law cut off at a maximum."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from zerowait.model.laws.base import Law, check_mean, register, shape_of
from zerowait.model.quantities import magnitude, refuse


@register
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
        """E[(X / minimum)**n] = shape int_0^span exp((n - shape) y) dy / (1 - exp(-shape span))."""
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

    def _cdf(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        inside = np.log(np.clip(x, self.minimum, self.maximum) / self.minimum)
        below = np.expm1(-self.shape * inside) / math.expm1(-self.shape * self._span)
        return np.where(x < self.maximum, np.minimum(below, 1.0), 1.0)

    def _survival(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        beyond = np.log(self.maximum / np.clip(x, self.minimum, self.maximum))
        above = np.expm1(-self.shape * beyond) / math.expm1(-self.shape * self._span)
        # P(X > x) = (x**-shape - maximum**-shape) / (minimum**-shape - maximum**-shape)
        above *= np.exp(-self.shape * (self._span - beyond))
        return np.where(x < self.maximum, np.minimum(above, 1.0), 0.0)

    @property
    def breakpoints(self) -> NDArray[np.float64]:
        return np.array([self.minimum, self.maximum])

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        cut = math.expm1(-self.shape * self._span)
        values = self.minimum * np.exp(-np.log1p(rng.random(size) * cut) / self.shape)
        return np.minimum(values, self.maximum)
