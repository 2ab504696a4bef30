"""The arms of a family of policies: every combination of its words, narrowed as the user wants."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from zerowait.experiment.optimisation.space import Arm, Axis, Ground
from zerowait.model import InputError
from zerowait.policies import Policy
from zerowait.policies.ranges import Choice, Range, Unit
from zerowait.policies.spelling import options_of, parse_family, parse_option

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
    options = options_of(kind)
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
    """Those that the policy accepts; where it accepts none, what it says of the first."""
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
