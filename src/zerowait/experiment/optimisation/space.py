"""What a search may try: candidates, and the arms of a family, each a cube of numbers.

An arm is a family with its words chosen (`backfill` with `order=due`, say); what is left are
axes from 0 to 1, one per number, made from the ranges that the policy's fields declare.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np

from zerowait.model import InputError
from zerowait.model.quantities import Floats, Ints
from zerowait.policies import Policy
from zerowait.policies.families.options import Choice, Range, Unit, spell_times
from zerowait.policies.spelling import PartialPolicy, parse_family, parse_option, policy_options


@dataclass(frozen=True)
class Cut:
    """Per class the size from which on a job belongs to its second, longer half.

    The size is the estimate: on a workload the service time, unless its classes overestimate. The
    classes are those that jobs are counted in, or bins of needs, each given by its largest.
    """

    at: tuple[float, ...]
    needs: tuple[int, ...] = ()

    @property
    def n_classes(self) -> int:
        return 2 * len(self.at)

    def classes(
        self,
        index: Ints,
        need: Ints,
        estimate: Floats,
    ) -> Ints:
        """Return the class of each job: class i becomes 2i (short) and 2i + 1 (long)."""
        if self.needs:
            index = np.searchsorted(self.needs, need)
        return 2 * index + (estimate >= np.asarray(self.at)[index])

    def names(self, names: Sequence[str]) -> list[str]:
        return [f"{name}, {half}" for name in names for half in ("short", "long")]

    def __str__(self) -> str:
        of = f" of needs up to {'/'.join(map(str, self.needs))}" if self.needs else ""
        return f"with classes{of} cut at {spell_times(self.at)}"


@dataclass(frozen=True)
class Candidate:
    """What is tried."""

    policy: Policy
    cut: Cut | None = None

    @property
    def spelling(self) -> str:
        """Tells candidates apart, and says what they are."""
        return self.policy.spec if self.cut is None else f"{self.policy.spec} {self.cut}"


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

    family: PartialPolicy
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


MOST_CLASSES = 6  # with a number each; beyond, a formula of need and size says it better
CUTS = Range(0.05, 20.0, "log")  # of the size at which classes are cut, in mean services of each


@dataclass(frozen=True)
class Narrowing:
    """What the user has decided of the fields of all families: values, and ranges of values."""

    fixed: Mapping[str, str] = field(default_factory=dict)
    ranges: Mapping[str, str] = field(default_factory=dict)  # as low:high


def arms_of(policy: str, n_classes: int, narrowing: Narrowing, cut: bool = False) -> list[Arm]:
    """The arms of a family; options in its spelling are fixed, as those of the narrowing are."""
    family = parse_family(policy)
    n = 2 * n_classes if cut else n_classes
    outer = list(_halves(family.kind, family.values, narrowing, n))
    inner: list[_Half] = [_Half({}, ())]
    if family.auxiliary is not None:
        inner = list(_halves(family.auxiliary, family.auxiliary_values, narrowing, n, inner=True))
    arms = [
        Arm(replace(family, values=own.words, auxiliary_values=aux.words),
            own.axes + aux.axes, CUTS if cut else None)
        for own, aux in product(outer, inner)
    ]  # fmt: skip
    return _buildable(policy, arms, n)


@dataclass(frozen=True)
class _Half:
    """The words and axes of a policy, or of its auxiliary."""

    words: dict[str, Any]
    axes: tuple[Axis, ...]


def _halves(
    kind: type[Policy], given: Mapping[str, Any], narrowing: Narrowing, n_classes: int,
    inner: bool = False,
) -> Iterator[_Half]:  # fmt: skip
    options = policy_options(kind)
    fixed = dict(given)
    for name, text in narrowing.fixed.items():
        if name in options and name not in fixed:
            fixed[name] = parse_option(options[name], text, "fix")
    searched = {
        name: _narrowed(option, narrowing.ranges.get(name))
        for name, option in options.items()
        if "search" in option.metadata and name not in fixed
    }
    choices = {name: one for name, one in searched.items() if isinstance(one, Choice)}
    seen = []
    for words in product(*(one.values for one in choices.values())):
        chosen = dict(zip(choices, words, strict=True))
        active = _active(searched, {n: one.default for n, one in options.items()} | fixed, chosen)
        for fields in _alternatives(searched, active, n_classes):
            kept = {name: word for name, word in chosen.items() if name in fields} | fixed
            axes = tuple(_axes(fields, searched, inner, n_classes))
            if (kept, axes) not in seen:
                seen.append((kept, axes))
                yield _Half(kept, axes)


def _active(
    searched: Mapping[str, Choice | Range], values: Mapping[str, Any], chosen: Mapping[str, Any]
) -> set[str]:
    """The fields that are searched with these words; a word that is not keeps its default."""
    active = set(searched)
    for _ in searched:  # each may hang on another
        known = {**values, **{name: word for name, word in chosen.items() if name in active}}
        active = {
            name
            for name, one in searched.items()
            if all(known.get(other) in allowed for other, allowed in one.when.items())
        }
    return active


def _alternatives(
    searched: Mapping[str, Choice | Range], active: set[str], n_classes: int
) -> Iterator[list[str]]:
    """The fields that are searched together: without those that stand in for others, and with."""
    instead = {
        name: one
        for name, one in searched.items()
        if name in active and isinstance(one, Range) and one.instead_of
    }
    yield [name for name in searched if name in active and name not in instead]
    for name, one in instead.items():
        if n_classes <= MOST_CLASSES:
            others = {*instead, *one.instead_of} - {name}
            yield [field for field in searched if field in active and field not in others]


def _axes(
    fields: Sequence[str], searched: Mapping[str, Choice | Range], inner: bool, n_classes: int
) -> Iterator[Axis]:
    for name in fields:
        one = searched[name]
        if not isinstance(one, Range):
            continue
        if not one.per_class:
            yield Axis(name, inner, one)
            continue
        # Only differences between times matter, so that the first class's is none of them.
        first = 0 if one.unit == "fair slots" else 1
        yield from (Axis(name, inner, one, place) for place in range(first, n_classes))


def _narrowed(option: Any, text: str | None) -> Choice | Range:
    """The declared range, or the part of it that the user wants."""
    one: Choice | Range = option.metadata["search"]
    if text is None:
        return one
    low, colon, high = text.partition(":")
    what = f"range {option.name}={text}"
    if isinstance(one, Choice):
        words = tuple(parse_option(option, word, "range") for word in text.split("|"))
        return replace(one, values=words)
    if not colon or one.per_class:
        remedy = "a value per class has no range; fix it" if one.per_class else "give low:high"
        raise InputError(f"{what}: {remedy}")
    ends = parse_option(option, low, "range"), parse_option(option, high, "range")
    if not -math.inf < ends[0] < ends[1] < math.inf or (one.scale == "log" and ends[0] <= 0):
        above = ", both above zero" if one.scale == "log" else ""
        raise InputError(f"{what}: give two numbers, the smaller first{above}")
    unit: Unit = "time" if one.unit == "mean service" else one.unit
    return replace(one, low=ends[0], high=ends[1], unit=unit, first=(), last=())


def _buildable(policy: str, arms: Sequence[Arm], n_classes: int) -> list[Arm]:
    """Return the policies that can be built; where none can, raise what the first one says."""
    ground = Ground(1 << 20, [1] * n_classes, [1.0] * n_classes, [1.0] * n_classes, 1.0)
    kept, refusals = [], []
    for arm in arms:
        try:
            arm.candidate([0.5] * arm.n_axes, lambda cut: ground)
            kept.append(arm)
        except InputError as error:
            refusals.append(error)
    if not kept:
        raise InputError(f"policy {policy!r}: {refusals[0]}")
    return kept
