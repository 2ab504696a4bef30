"""Renewal arrivals."""

from dataclasses import dataclass, field, replace
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
from zerowait.model.laws.base import Law
from zerowait.model.quantities import magnitude, positive, refuse


@register
@dataclass(frozen=True)
class Renewal(ArrivalProcess):
    """Independent gaps with the shape of `law`, scaled to mean 1 / rate; the first gap starts at 0.

    The mean of the law itself is irrelevant: `Renewal(law)` leaves the scale to the load.
    """

    name: ClassVar[str] = "renewal"
    law: Law = field(metadata={"meaning": "law of the gaps, up to scale"})
    rate: float | None = field(default=None, metadata=RATE)

    def __post_init__(self) -> None:
        if not isinstance(self.law, Law):
            raise refuse("law", self.law, "must be a law, e.g. Erlang(phases=2, mean=1.0)")
        positive("mean of law", self.law.mean, "must be above zero for arrivals to be countable")
        object.__setattr__(self, "rate", rate_or_none(self.rate))

    def with_rate(self, rate: float) -> "Renewal":
        return replace(self, rate=magnitude("rate", rate))

    def times(self, rng: np.random.Generator) -> TimeStream:
        scale = 1 / (decided(self.rate) * self.law.mean)
        return running_sum(Draws(lambda n: scale * self.law.sample(rng, n)))
