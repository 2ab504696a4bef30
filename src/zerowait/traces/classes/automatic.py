"""Few classes with little waste, chosen by dynamic programming."""

import numpy as np
from numpy.typing import NDArray

from zerowait.model import InputError, Jobs
from zerowait.traces.classes.base import Ints, register

Floats = NDArray[np.float64]

MOST_WASTE = 0.1  # of the work, if every job held the largest need of its class
MOST_CLASSES = 12
# Beyond so many distinct needs, neighbours are put together first: the search is quadratic.
MOST_NEEDS = 600


@register("auto")
def automatic(jobs: Jobs, distinct: Ints, option: str) -> Ints:
    """The fewest bins whose upper edges add at most 10% (or `auto=0.05`: 5%) to the work.

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
    """Candidates for upper edges."""
    if len(distinct) <= MOST_NEEDS:
        return distinct
    at = np.unique(np.linspace(0, len(distinct) - 1, MOST_NEEDS).round().astype(np.int64))
    return distinct[at]


def _costs(distinct: Ints, service: Floats, upper: Ints) -> Floats:
    """cost[i, j]: work added where edges i to j are one class, and served as edge j."""
    ends = np.concatenate([[0], np.searchsorted(distinct, upper, side="right")])
    time = np.concatenate([[0.0], np.cumsum(service)])[ends]
    work = np.concatenate([[0.0], np.cumsum(service * distinct)])[ends]
    cost = upper * (time[1:] - time[:-1, None]) - (work[1:] - work[:-1, None])
    return np.where(np.tri(len(upper), k=-1, dtype=bool), np.inf, cost)


def _fewest(cost: Floats, upper: Ints, allowed: float) -> Ints:
    """Upper edges of the fewest classes that cost no more than is allowed."""
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
