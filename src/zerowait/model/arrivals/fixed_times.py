"""Arrivals at given times."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from zerowait.model.arrivals.base import ArrivalProcess, TimeStream, register
from zerowait.model.quantities import positive, refuse, vector


@register
@dataclass(frozen=True, eq=False, init=False, repr=False)
class FixedTimes(ArrivalProcess):
    """A sorted list of arrival times, served exactly as given, and no arrival after its end."""

    name: ClassVar[str] = "fixed-times"
    in_files = False
    instants: NDArray[np.float64]

    def __init__(self, times: Sequence[float] | NDArray[np.float64]) -> None:
        instants = vector("times", times, "shift them to start at zero or later")
        back = np.flatnonzero(np.diff(instants) < 0)
        if back.size:
            at = int(back[0]) + 1
            raise refuse(
                f"times[{at}]", float(instants[at]), "comes before the time in front; sort the list"
            )
        object.__setattr__(self, "instants", instants)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FixedTimes):
            return NotImplemented
        return np.array_equal(self.instants, other.instants)

    def __hash__(self) -> int:
        return hash((self.instants + 0.0).tobytes())  # -0.0 == 0.0 must hash alike

    def __repr__(self) -> str:
        n = len(self.instants)
        if n <= 8:
            return f"FixedTimes(times={self.instants.tolist()!r})"
        return f"FixedTimes(<{n} times, {self.instants[0]:.6g} to {self.instants[-1]:.6g}>)"

    @property
    def rate(self) -> float | None:
        """(n - 1) / (last - first); None where all arrivals are at one instant."""
        span = float(self.instants[-1] - self.instants[0])
        return (len(self.instants) - 1) / span if span > 0 else None

    def with_rate(self, rate: float) -> "FixedTimes":
        """Stretched about the first arrival."""
        rate = positive("rate", rate)
        if self.rate is None:
            raise refuse("times", self.instants, "have no rate to change; give two distinct times")
        if rate == self.rate:
            return self
        first = self.instants[0]
        return FixedTimes(first + (self.instants - first) * (self.rate / rate))

    def times(self, rng: np.random.Generator) -> TimeStream:
        served = 0

        def take(n: int) -> NDArray[np.float64]:
            nonlocal served
            portion = self.instants[served : served + n].copy()
            served += portion.size
            return portion

        return take
