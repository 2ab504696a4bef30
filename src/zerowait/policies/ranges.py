"""What of a policy can be searched: the ranges that its fields declare as `metadata["search"]`.

A policy of the user's own does the same as those here:

    warmth: float = field(default=1.0, metadata=NUMBER | {"search": Range(0.1, 10, "log")})
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from zerowait.model.quantities import finite, items, refuse

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
