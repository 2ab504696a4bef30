"""Poisson arrivals."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from zerowait.model.arrivals.base import (
    RATE,
    ArrivalProcess,
    TimeStream,
    decided,
    rate_or_none,
    register,
    running_sum,
)
from zerowait.model.draws import Draws
from zerowait.model.quantities import magnitude


@register
@dataclass(frozen=True)
class Poisson(ArrivalProcess):
    """Independent exponential gaps of mean 1 / rate, the paper's arrivals."""

    name: ClassVar[str] = "poisson"
    rate: float | None = field(default=None, metadata=RATE)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rate", rate_or_none(self.rate))

    def with_rate(self, rate: float) -> "Poisson":
        return Poisson(magnitude("rate", rate))

    def times(self, rng: np.random.Generator) -> TimeStream:
        gap = 1 / decided(self.rate)
        return running_sum(Draws(lambda n: gap * rng.standard_exponential(n)))
