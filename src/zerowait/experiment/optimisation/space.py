"""What a search may try: the arms of a family of policies, each a cube of numbers.

An arm is a family with its words chosen (`backfill` with `order=due`, say); what is left are
axes from 0 to 1, one per number, made from the ranges that the policy's fields declare.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from zerowait.engine.arrays import Floats
from zerowait.experiment.optimisation.candidate import Candidate, Cut
from zerowait.policies.ranges import Range
from zerowait.policies.spelling import Family

EDGE = 0.12  # of an axis for each special value at its ends
BEND = 4.0  # of the symlog scale
HOUR_S = 3600.0


@dataclass(frozen=True)
class Ground:
    """What ranges are measured in."""

    servers: int
    class_needs: Sequence[int]  # per class: the largest
    class_demands: Sequence[float]  # per class: work, in any unit
    class_services: Sequence[float]  # per class: mean service
    mean_service: float
    in_seconds: bool = False  # then times are rounded to what people say
    need_bins: tuple[int, ...] = ()  # of classes that are cut, where they are not those counted


@dataclass(frozen=True)
class Axis:
    """One number: the field that it is of, in the policy or in its auxiliary."""

    field: str
    inner: bool
    range: Range
    place: int = 0  # in a tuple per class

    def value(self, u: float, ground: Ground) -> Any:
        """The value at a place between 0 and 1."""
        low_edge, high_edge = EDGE * len(self.range.first), EDGE * len(self.range.last)
        if u < low_edge:
            return self.range.first[int(u / EDGE)]
        if self.range.last and u >= 1 - high_edge:
            return self.range.last[min(int((u - 1 + high_edge) / EDGE), len(self.range.last) - 1)]
        x = _scaled((u - low_edge) / (1 - low_edge - high_edge), self.range)
        if self.range.unit == "mean service":
            return rounded_time(x * ground.mean_service, ground.in_seconds)
        if self.range.unit == "time":
            return rounded_time(x, ground.in_seconds)
        if self.range.unit == "fair slots":
            return x
        return round(x) if self.range.whole else _digits(x, 3)


def _scaled(t: float, axis: Range) -> float:
    if axis.scale == "log":
        return axis.low * math.exp(t * math.log(axis.high / axis.low))
    if axis.scale == "symlog":
        return axis.high * math.sinh(BEND * (2 * t - 1)) / math.sinh(BEND)
    return axis.low + (axis.high - axis.low) * t


def rounded_time(value: float, in_seconds: bool) -> float:
    """Three digits; of seconds two digits, or whole hours from three of them on."""
    if not in_seconds:
        return _digits(value, 3)
    if abs(value) >= 3 * HOUR_S:
        return HOUR_S * round(value / HOUR_S)
    return _digits(value, 2)


def _digits(value: float, digits: int) -> float:
    return float(f"{value:.{digits}g}")


@dataclass(frozen=True)
class Arm:
    """A family with its words chosen, and the numbers that are left to choose."""

    family: Family
    axes: tuple[Axis, ...]
    cut: Range | None = None  # a last axis: where classes are cut

    @property
    def n_axes(self) -> int:
        return len(self.axes) + (self.cut is not None)

    @property
    def name(self) -> str:
        """The words of the family, then the numbers that are searched."""
        words = {**self.family.values, **self.family.auxiliary_values}
        names = [f"{key}={value}" for key, value in words.items()]
        kind = self.family.kind.name
        if self.family.auxiliary is not None:
            kind += f":{self.family.auxiliary.name}"
        numbers = dict.fromkeys(axis.field for axis in self.axes)
        if self.cut is not None:
            numbers["cut"] = None
        return ",".join([kind, *names]) + (f" over {', '.join(numbers)}" if numbers else "")

    def candidate(self, point: Sequence[float] | Floats, ground_of: "GroundOf") -> Candidate:
        """The policy at a point of the cube."""
        cut = None
        ground = ground_of(None)
        if self.cut is not None:
            x = _scaled(float(point[-1]), self.cut)
            times = (rounded_time(x * one, ground.in_seconds) for one in ground.class_services)
            cut = Cut(tuple(times), ground.need_bins)
            ground = ground_of(cut)
        found: dict[tuple[bool, str], Any] = {}
        for axis, u in zip(self.axes, point, strict=False):
            value = axis.value(float(u), ground)
            key = (axis.inner, axis.field)
            found[key] = (*found.get(key, ()), value) if axis.range.per_class else value
        outer = {name: _table(name, v, ground) for (inner, name), v in found.items() if not inner}
        inside = {name: _table(name, v, ground) for (inner, name), v in found.items() if inner}
        family = replace(
            self.family,
            values=self.family.values | outer,
            auxiliary_values=self.family.auxiliary_values | inside,
        )
        return Candidate(family.build(), cut)


GroundOf = Callable[[Cut | None], Ground]


def _table(name: str, value: Any, ground: Ground) -> Any:
    """Times per class are told from the first class's; slots are whole, and leave helpers."""
    if name == "slots":
        return fitting_slots(value, ground)
    return (0.0, *value) if isinstance(value, tuple) else value


def fitting_slots(shares: Sequence[float], ground: Ground) -> tuple[int, ...]:
    """Slots at multiples of each class's fair share, all reduced alike until the helpers can
    serve the largest job, as in the balanced split."""
    total = sum(ground.class_demands) or 1.0
    fair = [
        ground.servers * demand / (need * total)
        for need, demand in zip(ground.class_needs, ground.class_demands, strict=True)
    ]
    most = ground.servers - max(ground.class_needs)

    def slots_at(psi: float) -> tuple[int, ...]:
        return tuple(int(psi * x * c) for x, c in zip(shares, fair, strict=True))

    def own_servers(slots: Sequence[int]) -> int:
        return sum(s * n for s, n in zip(slots, ground.class_needs, strict=True))

    low, high = 0.0, 1.0
    if own_servers(slots_at(high)) <= most:
        return slots_at(high)
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if own_servers(slots_at(middle)) <= most else (low, middle)
    return slots_at(low)
