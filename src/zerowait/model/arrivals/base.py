"""What every arrival process offers, and the register of arrival processes."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from zerowait.model.draws import Draws
from zerowait.model.quantities import magnitude, refuse
from zerowait.model.registers import Register

ARRIVALS: Register[type["ArrivalProcess"]] = Register("process")

# What workloads' files say of a field; `meaning` is for editors.
RATE = {"meaning": "arrivals per unit of time"}

A = TypeVar("A", bound="type[ArrivalProcess]")

TimeStream = Callable[[int], NDArray[np.float64]]


def register(process: A) -> A:
    """Class decorator: makes an arrival process known under its `name`."""
    ARRIVALS.add(process.name, process)
    return process


class ArrivalProcess(ABC):
    """Successive arrival times. Subclasses are frozen dataclasses."""

    name: ClassVar[str]
    in_files: ClassVar[bool] = True  # may a workload's file have it?

    if TYPE_CHECKING:  # at run time this property would pass for the default of a field `rate`

        @property
        @abstractmethod
        def rate(self) -> float | None:
            """Arrivals per unit of time; None: not fixed yet, the load decides."""

    @abstractmethod
    def with_rate(self, rate: float) -> "ArrivalProcess":
        """The same process with its time axis stretched to the given rate."""

    @abstractmethod
    def times(self, rng: np.random.Generator) -> TimeStream:
        """A function that gives the next n arrival times at each call, never decreasing.

        Bit for bit the same stream whatever the n; fewer than n only at the end of a list.
        """


def rate_or_none(rate: object) -> float | None:
    """A rate that may be left to the load."""
    return None if rate is None else magnitude("rate", rate)


def decided(rate: float | None) -> float:
    """The rate, which must be known by now."""
    if rate is None:
        raise refuse("rate", None, "must be decided before arrivals are drawn; give a rate or load")
    return rate


def running_sum(gaps: Draws) -> TimeStream:
    """Arrival times from gaps, added one after the other so that portions do not matter."""
    last = 0.0

    def take(n: int) -> NDArray[np.float64]:
        nonlocal last
        times = gaps.take(n)
        if n:
            times[0] += last
            # Into another array: in place, NumPy does not let other threads run meanwhile.
            times = np.cumsum(times)
            last = float(times[-1])
        return times

    return take
