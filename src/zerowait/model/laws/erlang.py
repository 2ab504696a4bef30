"""The Erlang law: a sum of exponential phases."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from zerowait.model.laws.base import Law, register
from zerowait.model.quantities import magnitude, whole


@register
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

    def _cdf(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        from scipy.special import gammainc

        return np.asarray(gammainc(self.phases, x * (self.phases / self.mean)))

    def _survival(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        from scipy.special import gammaincc

        return np.asarray(gammaincc(self.phases, x * (self.phases / self.mean)))

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        return (self.mean / self.phases) * rng.standard_gamma(self.phases, size)
