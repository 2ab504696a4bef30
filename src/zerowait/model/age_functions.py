"""Functions of a job's age (attained service): its Gittins rank, its mean residual life.

Both are kept as pieces that are linear in the age. For an empirical law they are exact, a
quotient of sums of service times; other laws are tabulated and thinned.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from zerowait.model.gittins_rank import tabulate
from zerowait.model.laws import Deterministic, Empirical, Exponential, Law

Floats = NDArray[np.float64]

TOLERANCE = 1e-4  # relative, of a thinned table to the table itself


@dataclass(frozen=True)
class AgeFunction:
    """(value - fall * age) / scale, with the entries of the last `start` that is not beyond."""

    start: Floats
    value: Floats
    fall: Floats
    scale: Floats

    def __call__(self, age: float) -> float:
        at = int(np.searchsorted(self.start, age, side="right")) - 1
        return float((self.value[at] - self.fall[at] * age) / self.scale[at])


@lru_cache(maxsize=4096)
def rank_function(law: Law) -> AgeFunction:
    """The Gittins rank of a class at a job's age; zero at an age that no service exceeds."""
    match law:
        case Exponential():
            return _pieces([(0.0, law.mean, 0.0, 1.0)])
        case Deterministic():
            return _empirical_rank(np.array([law.value]))
        case Empirical():
            return _empirical_rank(np.asarray(law.values))
    table = tabulate(law)
    return _thinned(table.ages, table.ranks)


@lru_cache(maxsize=4096)
def residual_function(law: Law) -> AgeFunction:
    """E[S - age | S > age]; zero at an age that no service exceeds."""
    match law:
        case Exponential():
            return _pieces([(0.0, law.mean, 0.0, 1.0)])
        case Deterministic():
            return _empirical_residual(np.array([law.value]))
        case Empirical():
            return _empirical_residual(np.asarray(law.values))
    table = tabulate(law)
    return _thinned(table.ages, table.residuals)


def _pieces(rows: list[tuple[float, float, float, float]]) -> AgeFunction:
    start, value, fall, scale = np.array(rows).T
    return AgeFunction(start, value, fall, scale)


def _empirical_residual(services: Floats) -> AgeFunction:
    distinct, counts = np.unique(services, return_counts=True)
    n_later = np.cumsum(counts[::-1])[::-1].astype(np.float64)  # of those at least as long
    work = np.cumsum((counts * distinct)[::-1])[::-1]
    starts = np.append(0.0, distinct[:-1])
    rows = np.stack([starts, work, n_later, n_later], axis=1)[starts < distinct]
    return _pieces([*rows.tolist(), (float(distinct[-1]), 0.0, 0.0, 1.0)])


def _empirical_rank(services: Floats) -> AgeFunction:
    """Where n services exceed the age a, stopping at service b gives the quotient (P - n a) / c:

    P adds up the services up to b, and b for each longer one; c counts those up to b. The best b
    lies on the upper hull of the points (number of services beyond b, their excess over b), and
    comes nearer as a grows.
    """
    distinct, counts = np.unique(services, return_counts=True)
    v = [float(value) for value in distinct]
    before = np.append(0, np.cumsum(counts)).tolist()  # services shorter than v[i]
    work = np.append(0.0, np.cumsum(counts * distinct)).tolist()  # and their sum
    n, total = before[-1], work[-1]

    def point(b: int) -> tuple[float, float]:
        beyond = n - before[b + 1]
        return beyond, total - work[b + 1] - v[b] * beyond

    def turns_up(hull: list[int], b: int) -> bool:
        """Is the hull's nearest point below the line from b to the next one?"""
        (x0, y0), (x1, y1), (x2, y2) = point(b), point(hull[-1]), point(hull[-2])
        return (y0 - y1) * (x1 - x2) >= (y1 - y2) * (x0 - x1)

    hull: list[int] = []  # the nearest last
    rows = [(v[-1], 0.0, 0.0, 1.0)]
    for i in range(len(v) - 1, -1, -1):
        while len(hull) > 1 and turns_up(hull, i):
            hull.pop()
        hull.append(i)
        begin, end = (v[i - 1] if i else 0.0), v[i]
        later = n - before[i]
        for place in range(len(hull) - 1, -1, -1):
            if end <= begin:
                break
            b = hull[place]
            done, count = _stopping(v, before, work, i, b)
            switch = begin
            if place > 0:
                further, further_count = _stopping(v, before, work, i, hull[place - 1])
                crossing = done * further_count - further * count
                switch = max(begin, crossing / (later * (further_count - count)))
            if switch < end:
                rows.append((switch, done, later, count))
                end = switch
    return _pieces(rows[::-1])


def _stopping(
    v: list[float], before: list[int], work: list[float], i: int, b: int
) -> tuple[float, int]:
    """P and c of ages in [v[i - 1], v[i]) and the stop at v[b]."""
    return work[b + 1] - work[i] + v[b] * (before[-1] - before[b + 1]), before[b + 1] - before[i]


def _thinned(ages: Floats, values: Floats) -> AgeFunction:
    """The fewest continuous pieces within the tolerance, found greedily; atoms stay jumps."""
    rows = []
    at = 0
    anchor = float(values[0])
    last = len(ages) - 1
    while at < last:
        if ages[at + 1] == ages[at]:
            at += 1
            anchor = float(values[at])
            continue
        end, slope = _longest_piece(ages, values, at, anchor)
        rows.append((float(ages[at]), anchor + slope * -float(ages[at]), -slope, 1.0))
        anchor += slope * float(ages[end] - ages[at])
        at = end
    return _pieces([*rows, (float(ages[last]), anchor, 0.0, 1.0)])


def _longest_piece(ages: Floats, values: Floats, at: int, anchor: float) -> tuple[int, float]:
    """From an anchor at an age as far as one slope is good for all values in between."""
    low, high = -math.inf, math.inf
    end = at
    for place in range(at + 1, len(ages)):
        step = float(ages[place] - ages[place - 1])
        if step == 0.0:
            break
        width = float(ages[place] - ages[at])
        slack = TOLERANCE * float(values[place])
        least = (float(values[place]) - slack - anchor) / width
        most = (float(values[place]) + slack - anchor) / width
        if least > high or most < low:
            break
        low, high, end = max(low, least), min(high, most), place
    slope = (float(values[end]) - anchor) / float(ages[end] - ages[at])
    slope = min(max(slope, low), high)
    return end, 0.0 if low <= 0.0 <= high else slope
