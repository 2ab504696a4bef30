"""Arrival processes, and their register."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from zerowait.model.laws.base import Draws, Law
from zerowait.model.quantities import WEEK_S, Floats, magnitude, positive, refuse, vector
from zerowait.model.registers import Register

ARRIVALS: Register[type["ArrivalProcess"]] = Register("process")

# What workloads' files say of a field; `meaning` is for editors.
RATE = {"meaning": "arrivals per unit of time"}

TimeStream = Callable[[int], Floats]


class ArrivalProcess(ABC):
    """Successive arrival times. Subclasses are frozen dataclasses."""

    name: ClassVar[str]
    in_files: ClassVar[bool] = True  # may a workload's file have it?

    if TYPE_CHECKING:  # at run time this property would pass for the default of a field `rate`

        @property
        @abstractmethod
        def rate(self) -> float | None:
            """Return the arrivals per unit of time; None: not fixed yet, the load decides."""

    @abstractmethod
    def with_rate(self, rate: float) -> "ArrivalProcess":
        """Return the same process with its time axis stretched to the given rate."""

    @abstractmethod
    def times(self, rng: np.random.Generator) -> TimeStream:
        """Return a function that gives the next n arrival times at each call, never decreasing.

        Bit for bit the same stream whatever the n; fewer than n only at the end of a list.
        """


def rate_or_none(rate: object) -> float | None:
    """Return a rate that may be left to the load."""
    return None if rate is None else magnitude("rate", rate)


def decided(rate: float | None) -> float:
    """Return the rate, or refuse one that is not known by now."""
    if rate is None:
        raise refuse("rate", None, "must be decided before arrivals are drawn; give a rate or load")
    return rate


def running_sum(gaps: Draws) -> TimeStream:
    """Return arrival times from gaps, added one after the other so that portions do not matter."""
    last = 0.0

    def take(n: int) -> Floats:
        nonlocal last
        times = gaps.take(n)
        if n:
            times[0] += last
            # Into another array: in place, NumPy does not let other threads run meanwhile.
            times = np.cumsum(times)
            last = float(times[-1])
        return times

    return take


@ARRIVALS.register
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


@ARRIVALS.register
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


@ARRIVALS.register
@dataclass(frozen=True, eq=False, init=False, repr=False)
class FixedTimes(ArrivalProcess):
    """A sorted list of arrival times, served exactly as given, and no arrival after its end."""

    name: ClassVar[str] = "fixed-times"
    in_files = False
    instants: Floats

    def __init__(self, times: Sequence[float] | Floats) -> None:
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
        """Return (n - 1) / (last - first); None where all arrivals are at one instant."""
        span = float(self.instants[-1] - self.instants[0])
        return (len(self.instants) - 1) / span if span > 0 else None

    def with_rate(self, rate: float) -> "FixedTimes":
        """Return the times stretched about the first arrival."""
        rate = positive("rate", rate)
        if self.rate is None:
            raise refuse("times", self.instants, "have no rate to change; give two distinct times")
        if rate == self.rate:
            return self
        first = self.instants[0]
        return FixedTimes(first + (self.instants - first) * (self.rate / rate))

    def times(self, rng: np.random.Generator) -> TimeStream:
        served = 0

        def take(n: int) -> Floats:
            nonlocal served
            portion = self.instants[served : served + n].copy()
            served += portion.size
            return portion

        return take


@ARRIVALS.register
@dataclass(frozen=True)
class Rhythm(ArrivalProcess):
    """Independent gaps of `law` on a clock that runs fast in busy parts of a period, slow in quiet.

    `profile` has the relative rates of equal parts of the `period`, the first of which begins at
    time 0: 168 of them are the hours of a week. On that clock arrivals come at rate 1 in the mean,
    on the calendar at `rate`. With another rate the period keeps its length: a busier week has more
    arrivals in each of its hours.
    """

    name: ClassVar[str] = "rhythm"
    law: Law = field(metadata={"meaning": "law of the gaps where the profile is 1, up to scale"})
    profile: Sequence[float] | Floats = field(
        metadata={"meaning": "relative rates of equal parts of the period"}
    )
    period: float = field(
        default=WEEK_S, metadata={"meaning": "what the profile repeats after [a week in s]"}
    )
    rate: float | None = field(default=None, metadata=RATE)

    def __post_init__(self) -> None:
        if not isinstance(self.law, Law):
            raise refuse("law", self.law, "must be a law, e.g. Exponential(mean=1.0)")
        positive("mean of law", self.law.mean, "must be above zero for arrivals to be countable")
        profile = vector("profile", self.profile, "give the relative rates of the parts")
        positive("sum of profile", float(profile.sum()), "must be above zero: someone must arrive")
        object.__setattr__(self, "profile", tuple(profile.tolist()))
        object.__setattr__(self, "period", magnitude("period", self.period))
        object.__setattr__(self, "rate", rate_or_none(self.rate))

    def with_rate(self, rate: float) -> "Rhythm":
        return replace(self, rate=magnitude("rate", rate))

    def times(self, rng: np.random.Generator) -> TimeStream:
        per_period = decided(self.rate) * self.period
        scale = 1 / (per_period * self.law.mean)  # a period of the clock has length 1
        take = running_sum(Draws(lambda n: scale * self.law.sample(rng, n)))
        return lambda n: self.on_calendar(take(n))

    def on_calendar(self, clock: Floats) -> Floats:
        """Return when the clock shows so many periods; it stands still where nobody arrives."""
        whole = np.floor(clock)
        reached, edges = self._edges
        part = np.searchsorted(reached, clock - whole, side="right") - 1
        speed = np.diff(edges)[part] / np.diff(reached)[part]
        inside = edges[part] + (clock - whole - reached[part]) * speed
        return self.period * (whole + np.minimum(inside, edges[part + 1]))

    def on_clock(self, times: Floats) -> Floats:
        """Return how many periods the clock has shown by then."""
        reached, edges = self._edges
        whole = np.floor(times / self.period)
        return np.asarray(whole + np.interp(times / self.period - whole, edges, reached))

    @property
    def _edges(self) -> tuple[Floats, Floats]:
        """Return what clock and calendar show where a part begins, in periods; then 1."""
        weights = np.array(self.profile)
        reached = np.append(0.0, np.cumsum(weights) / weights.sum())
        reached[-1] = 1.0
        return reached, np.linspace(0.0, 1.0, len(weights) + 1)


__all__ = ["ARRIVALS", "ArrivalProcess", "FixedTimes", "Poisson", "Renewal", "Rhythm"]
