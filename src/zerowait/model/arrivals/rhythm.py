"""Arrivals in a rhythm of days and weeks."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

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
from zerowait.model.quantities import magnitude, positive, refuse, vector

WEEK_S = 604_800.0


@register
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
    profile: Sequence[float] | NDArray[np.float64] = field(
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

    def on_calendar(self, clock: NDArray[np.float64]) -> NDArray[np.float64]:
        """When the clock shows so many periods; it stands still where nobody arrives."""
        whole = np.floor(clock)
        reached, edges = self._edges
        part = np.searchsorted(reached, clock - whole, side="right") - 1
        speed = np.diff(edges)[part] / np.diff(reached)[part]
        inside = edges[part] + (clock - whole - reached[part]) * speed
        return self.period * (whole + np.minimum(inside, edges[part + 1]))

    def on_clock(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """How many periods the clock has shown by then."""
        reached, edges = self._edges
        whole = np.floor(times / self.period)
        return np.asarray(whole + np.interp(times / self.period - whole, edges, reached))

    @property
    def _edges(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What clock and calendar show where a part begins, as shares of a period; then 1."""
        weights = np.array(self.profile)
        reached = np.append(0.0, np.cumsum(weights) / weights.sum())
        reached[-1] = 1.0
        return reached, np.linspace(0.0, 1.0, len(weights) + 1)
