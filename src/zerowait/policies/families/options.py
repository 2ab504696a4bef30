"""Options of policies: how they are spelled, checked and searched.

A policy of the user's own does the same as those here:

    warmth: float = field(default=1.0, metadata=NUMBER | {"search": Range(0.1, 10, "log")})
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal, get_args

from zerowait.model import InputError
from zerowait.model.quantities import HOUR_S, TIME_UNITS_S, finite, items, refuse

# number, time: as they are; mean service: times, as multiples of the mean service of all jobs, so
# that one range fits logs in seconds and workloads in units alike; fair slots: multiples of the
# slots that a class would have if servers were dealt out by demand.
Unit = Literal["number", "time", "mean service", "fair slots"]
# symlog: both signs, fine around zero and coarse at the ends.
Scale = Literal["linear", "log", "symlog"]
When = Mapping[str, tuple[Any, ...]]


@dataclass(frozen=True)
class Choice:
    """One of a few values; searched only `when` other fields have one of the given values."""

    values: tuple[Any, ...]
    when: When = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(items("values", self.values)))


@dataclass(frozen=True)
class Range:
    """A value between two ends; `first` and `last` are special values before and after them."""

    low: float
    high: float
    scale: Scale = "linear"
    unit: Unit = "number"
    whole: bool = False
    first: tuple[Any, ...] = ()
    last: tuple[Any, ...] = ()
    per_class: bool = False  # a tuple with one value per class
    instead_of: tuple[str, ...] = ()  # fields that are left alone where this one is searched
    when: When = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, known in (("scale", Scale), ("unit", Unit)):
            if getattr(self, name) not in get_args(known):
                raise refuse(name, getattr(self, name), f"must be one of {_words(known)}")
        for name in ("low", "high"):
            finite(name, getattr(self, name))
        if self.low >= self.high:
            raise refuse("low", self.low, f"must be below high = {self.high}")
        if self.scale == "log" and self.low <= 0:
            raise refuse("low", self.low, "must be above zero on the log scale; symlog goes below")
        if self.scale == "symlog" and self.low != -self.high:
            raise refuse("low", self.low, f"must be {-self.high} on the symlog scale, as -high")


def _words(known: Any) -> str:
    return ", ".join(get_args(known))


def parse_time(text: str) -> float:
    """Read `10h`, `90min`, `3d` as seconds, or a plain number in the workload's unit."""
    number = text.rstrip("abcdefghijklmnopqrstuvwxyz")
    unit = text[len(number) :]
    try:
        value = float(number) * TIME_UNITS_S[unit] if unit else float(number)
    except (ValueError, KeyError):
        units = ", ".join(TIME_UNITS_S)
        raise InputError(f"{text!r} is no time; give a number, perhaps with {units}") from None
    if not math.isfinite(value):
        raise InputError(f"{text!r} is no time; give a finite number")
    return value


def spell_time(value: float) -> str:
    """Write whole hours and days with their unit, anything else as a plain number."""
    for unit in ("d", "h"):
        if value and value % TIME_UNITS_S[unit] == 0:
            return f"{value / TIME_UNITS_S[unit]:.0f}{unit}"
    return spell_number(value)


def time_in_words(seconds: float) -> str:
    """Tell a time in hours, or in minutes where it is less than one hour."""
    if seconds >= HOUR_S:
        return f"{seconds / HOUR_S:.3g} h"
    return f"{seconds / 60:.0f} min"


def parse_time_or_never(text: str) -> float:
    value = math.inf if text == "never" else parse_time(text)
    if value < 0:
        raise InputError(f"{text!r} is below zero; give a time, or never")
    return value


def spell_time_or_never(value: float) -> str:
    return "never" if value == math.inf else spell_time(value)


def parse_times(text: str) -> tuple[float, ...]:
    """Read a table of times, one per class: `0/10/10/-10`."""
    return tuple(parse_time(part) for part in text.split("/"))


def spell_times(times: Sequence[float]) -> str:
    return "/".join(map(spell_time, times))


def parse_number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{text!r} is not a number")
    return value


def spell_number(value: float) -> str:
    return repr(float(value)).removesuffix(".0")


def parse_count(text: str) -> int:
    if not text.isdecimal():
        raise InputError(f"{text!r} is not a whole number, zero or more")
    return int(text)


def chosen_from(name: str, known: Sequence[str]) -> dict[str, Callable[[Any], Any]]:
    """Return the metadata of an option that is one of a few words."""

    def parse(text: str) -> str:
        if text not in known:
            raise InputError(f"{name}={text}: must be one of {', '.join(known)}")
        return text

    return {"parse": parse, "spell": str}


TIME = {"parse": parse_time, "spell": spell_time}
TIME_OR_NEVER = {"parse": parse_time_or_never, "spell": spell_time_or_never}
TIMES = {"parse": parse_times, "spell": spell_times}
NUMBER = {"parse": parse_number, "spell": spell_number}
COUNT = {"parse": parse_count, "spell": str}


def policy_options(kind: type) -> dict[str, Any]:
    """Return the fields that can be spelled, and `auxiliary`."""
    return {field.name: field for field in fields(kind)} if is_dataclass(kind) else {}


def check_options(kind: Any) -> None:
    """Raise InputError where an option of a policy does not say how it is read, spelled, searched.

    Found when the class is made known: else an option fails where it first is not its default.
    """
    for name, option in policy_options(kind).items():
        if name == "auxiliary":
            continue
        known = option.metadata
        if not all(callable(known.get(key)) for key in ("parse", "spell")):
            raise InputError(
                f"policy {kind.name}: option {name} does not say how it is read and spelled; write "
                f"field(default=..., metadata=COUNT), or NUMBER, TIME or chosen_from({name!r}, "
                "words), all of zerowait.kit"
            )
        if not isinstance(known.get("search", Choice((None,))), (Choice, Range)):
            raise InputError(
                f"policy {kind.name}: option {name}: search = {known['search']!r}: must be a "
                "Range(low, high) or a Choice(values) of zerowait.kit"
            )
