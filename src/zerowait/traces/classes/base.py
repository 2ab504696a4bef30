"""Classes of jobs made from their needs, and the register of ways to make them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zerowait.model import InputError, Jobs
from zerowait.model.quantities import refuse
from zerowait.model.registers import Register

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Classes:
    """Per job its class; per class the need that stands for it, and the needs it holds."""

    name: str
    index: Ints  # per job
    needs: Ints  # per class, ascending: the need of the class
    lowest: Ints  # per class: the smallest need in it
    highest: Ints  # per class: the largest need in it
    waste: float  # work added (or, below zero, left out) by the classes' needs, as a share

    @property
    def names(self) -> list[str]:
        """`need 8`, or `need 5-8` where several needs are served as the largest."""
        names = []
        for need, low, high in zip(self.needs, self.lowest, self.highest, strict=True):
            name = f"need {low}-{high}" if low != high else f"need {low}"
            names.append(name if need == high else f"{name} as {need}")
        return names

    def __len__(self) -> int:
        return len(self.needs)


# name: what makes the need of the class, for each of the distinct needs (ascending)
Grouping = Callable[[Jobs, Ints, str], Ints]
GROUPINGS: Register[Grouping] = Register("grouping")


def register(name: str) -> Callable[[Grouping], Grouping]:
    """Function decorator: makes a way of grouping known under `name`."""
    return lambda grouping: GROUPINGS.add(name, grouping)


def no_option(name: str, option: str) -> None:
    """Refuses a value given to a grouping that takes none."""
    if option:
        raise refuse("classes", f"{name}={option}", f"{name} takes no value")


def group(jobs: Jobs, spelling: str = "auto") -> Classes:
    """Classes by their spelling: `exact`, `down`, `up`, `bins=1/4/16`, `auto[=waste]`."""
    name, _, option = spelling.strip().partition("=")
    if name not in GROUPINGS:
        known = ", ".join(GROUPINGS)
        raise InputError(f"classes = {spelling!r}: is not known; give one of {known}")
    need, service = np.asarray(jobs.need, dtype=np.int64), np.asarray(jobs.service)
    distinct, which = np.unique(need, return_inverse=True)
    stands_for = GROUPINGS[name](jobs, distinct, option)
    needs, index = np.unique(stands_for, return_inverse=True)
    lowest = np.full(len(needs), np.iinfo(np.int64).max)
    highest = np.zeros(len(needs), np.int64)
    np.minimum.at(lowest, index, distinct)
    np.maximum.at(highest, index, distinct)
    work = float(np.dot(need.astype(np.float64), service))
    given = float(np.dot(stands_for[which].astype(np.float64), service))
    waste = given / work - 1 if work > 0 else 0.0
    return Classes(spelling, index[which].astype(np.int64), needs, lowest, highest, waste)
