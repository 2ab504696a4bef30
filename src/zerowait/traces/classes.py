"""Ways to make classes of needs, and their register."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from zerowait.model import InputError, Jobs
from zerowait.model.quantities import Floats, Ints, refuse
from zerowait.model.registers import Register


@dataclass(frozen=True, eq=False)
class Classes:
    """A grouping of jobs by need: the class of each job, and what each class stands for."""

    name: str
    index: Ints  # per job
    needs: Ints  # per class, ascending: the need of the class
    lowest: Ints  # per class: the smallest need in it
    highest: Ints  # per class: the largest need in it
    waste: float  # work added (or, below zero, left out) by the classes' needs, as a share

    @property
    def names(self) -> list[str]:
        """Return the classes' names: `need 8`, or `need 5-8` where several needs share one."""
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


def refuse_option(name: str, option: str) -> None:
    """Refuse a value given to a grouping that takes none."""
    if option:
        raise refuse("classes", f"{name}={option}", f"{name} takes no value")


def group(jobs: Jobs, spelling: str = "auto") -> Classes:
    """Group jobs into classes by need.

    `spelling` is `exact`, `down`, `up`, `bins=1/4/16` or `auto[=waste]`.
    """
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


@GROUPINGS.register_as("exact")
def keep_needs(jobs: Jobs, distinct: Ints, option: str) -> Ints:
    """Keep every need as it is."""
    refuse_option("exact", option)
    return distinct


def power_below(need: Ints) -> Ints:
    """Return the largest power of two that is not larger; exact, as frexp is."""
    return np.asarray(1 << (np.frexp(need.astype(np.float64))[1].astype(np.int64) - 1))


@GROUPINGS.register_as("down")
def round_down(jobs: Jobs, distinct: Ints, option: str) -> Ints:
    """Round down to a power of two, as the paper's table does: some work is left out."""
    refuse_option("down", option)
    return power_below(distinct)


@GROUPINGS.register_as("up")
def round_up(jobs: Jobs, distinct: Ints, option: str) -> Ints:
    """Round up to a power of two: every job fits its class's slots."""
    refuse_option("up", option)
    below = power_below(distinct)
    return np.where(below == distinct, below, 2 * below)


@GROUPINGS.register_as("bins")
def bin_needs(jobs: Jobs, distinct: Ints, option: str) -> Ints:
    """Give each need the largest need found in its bin.

    `bins=1/4/16` are the needs up to 1, from 2 to 4, and from 5 to 16.
    """
    try:
        edges = np.array([int(part) for part in option.split("/")], dtype=np.int64)
    except (ValueError, OverflowError):
        edges = np.array([], dtype=np.int64)
    if edges.size == 0 or edges[0] < 1 or (np.diff(edges) <= 0).any():
        raise InputError(
            f"classes = 'bins={option}': give the largest need of each bin, ascending, as in "
            "bins=1/4/16/128"
        )
    if distinct[-1] > edges[-1]:
        raise InputError(
            f"classes = 'bins={option}': a job needs {distinct[-1]}; end the bins there or beyond"
        )
    # The last of the needs that share a bin.
    return distinct[np.searchsorted(distinct, edges, side="right") - 1][
        np.searchsorted(edges, distinct)
    ]


MOST_WASTE = 0.1  # of the work, if every job held the largest need of its class
MOST_CLASSES = 12
# Beyond so many distinct needs, neighbours are put together first: the search is quadratic.
MOST_NEEDS = 600


@GROUPINGS.register_as("auto")
def choose_bins(jobs: Jobs, distinct: Ints, option: str) -> Ints:
    """Choose the fewest bins whose upper edges add at most 10% (or `auto=0.05`: 5%) to the work.

    At most 12 classes: where these are not enough, the 12 with the least waste.
    """
    limit = _limit(option)
    need = np.asarray(jobs.need, dtype=np.int64)
    service = np.zeros(len(distinct))
    np.add.at(service, np.searchsorted(distinct, need), np.asarray(jobs.service))
    upper = _coarse(distinct)
    cost = _costs(distinct, service, upper)
    work = float(np.dot(distinct.astype(np.float64), service))
    edges = _fewest(cost, upper, limit * work)
    return edges[np.searchsorted(edges, distinct)]


def _limit(option: str) -> float:
    try:
        limit = float(option) if option else MOST_WASTE
    except ValueError:
        limit = -1.0
    if not 0 <= limit < float("inf"):
        raise InputError(
            f"classes = 'auto={option}': give the share of work that may be wasted, as in auto=0.05"
        )
    return limit


def _coarse(distinct: Ints) -> Ints:
    """Return the candidates for upper edges."""
    if len(distinct) <= MOST_NEEDS:
        return distinct
    at = np.unique(np.linspace(0, len(distinct) - 1, MOST_NEEDS).round().astype(np.int64))
    return distinct[at]


def _costs(distinct: Ints, service: Floats, upper: Ints) -> Floats:
    """Return cost[i, j]: the work added where edges i to j are one class, served as edge j."""
    ends = np.concatenate([[0], np.searchsorted(distinct, upper, side="right")])
    time = np.concatenate([[0.0], np.cumsum(service)])[ends]
    work = np.concatenate([[0.0], np.cumsum(service * distinct)])[ends]
    cost = upper * (time[1:] - time[:-1, None]) - (work[1:] - work[:-1, None])
    return np.where(np.tri(len(upper), k=-1, dtype=bool), np.inf, cost)


def _fewest(cost: Floats, upper: Ints, allowed: float) -> Ints:
    """Return the upper edges of the fewest classes that cost no more than is allowed."""
    best = cost[0]  # per last edge: the least waste with one class
    came_from: list[Ints] = []  # per class more, per last edge: the edge before it
    enough = allowed + 1e-12 * float(cost[0, -1])  # differences of sums are not exact
    while best[-1] > enough and len(came_from) + 1 < min(MOST_CLASSES, len(upper)):
        one_more = best[:-1, None] + cost[1:]
        came_from.append(np.argmin(one_more, axis=0))
        best = np.min(one_more, axis=0)
    edges = [len(upper) - 1]
    for before in reversed(came_from):
        edges.append(int(before[edges[-1]]))
    return upper[edges[::-1]]


__all__ = ["GROUPINGS", "Classes", "group"]
