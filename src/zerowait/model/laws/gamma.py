"""The gamma law."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from zerowait.model.laws.base import Law, check_mean, register, shape_of
from zerowait.model.quantities import magnitude


@register
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

    def _cdf(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        from scipy.special import gammainc

        return np.asarray(gammainc(self.shape, x / self.scale))

    def _survival(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        from scipy.special import gammaincc

        return np.asarray(gammaincc(self.shape, x / self.scale))

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        return self.scale * rng.standard_gamma(self.shape, size)
