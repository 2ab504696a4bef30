"""Functions of a job's age (attained service): Gittins rank, mean residual life.

Both are kept as pieces that are linear in the age. For an empirical law they are exact, a
quotient of sums of service times; other laws are tabulated and thinned.

    rank(a) = inf_{b > a} E[min(S, b) - a | S > a] / P(S <= b | S > a)

(Gittins, Glazebrook, Weber 2011; Scully, Grosof, Harchol-Balter 2020). With the tail
T(t) = P(S > t) and J(t) = int_t^inf T the quotient is (J(a) - J(b)) / (T(a) - T(b)): the slope
between two points of the curve (T, J). So the ranks of all ages are the slopes from each point
to the lower convex hull of the later ones, found in one pass from the far end.

Where the hazard falls the infimum is the limit b -> a, the inverse hazard; where it rises it
is b = inf, the mean residual life. At an age that no service exceeds both are zero.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from zerowait.model.laws import Deterministic, Empirical, Exponential, Law
from zerowait.model.quantities import Floats

RARE = 1e-12  # ages that fewer jobs exceed are beyond a table
NOISE = 1e-10  # smaller relative differences are not told from rounding
NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)


@dataclass(frozen=True)
class RankTable:
    """Ranks and mean residual lives on a grid of ages, to be interpolated linearly.

    An atom of the law stands twice, before it and after it: at an age equal to several entries
    the last one holds. Ages beyond the last, which a share of 1e-12 of the jobs exceeds, have
    the last entry's values. Interpolated ranks are within 0.1% for laws of the register.
    """

    ages: Floats
    ranks: Floats
    residuals: Floats


def rank_table(law: Law, n_ages: int = 1024) -> RankTable:
    """Tabulate rank and mean residual life at all atoms and a few times `n_ages` ages."""
    ages, tail = _with_both_sides(law, _grid(law, n_ages))
    excess = _excess(law, ages)
    ranks = np.minimum(_hull_slopes(tail, excess), _inverse_hazard(law, ages, tail))
    ranks[tail <= 0] = 0.0
    return RankTable(ages, ranks, _quotient(excess, tail))


def _grid(law: Law, n: int) -> Floats:
    """Choose ages up to where hardly a job is left: by ratio, by difference and by quantile."""
    levels = np.concatenate([np.linspace(0, 1, n + 2)[1:-1], np.geomspace(RARE, 0.5, n // 2)])
    tails = np.concatenate([levels, 1 - np.geomspace(1e-9, 0.5, n // 2)])
    quantiles = _times_of(law, tails)
    end = float(quantiles.max())
    if end <= 0:
        return np.unique(np.append(law.breakpoints, 0.0))
    special = law.breakpoints
    near = np.zeros(0)
    if len(special) <= 16:  # ranks may bend sharply towards an atom or a kink
        bend = np.geomspace(1e-7, 0.5, n // 8)
        near = np.outer(special, np.concatenate([1 - bend, 1 + bend])).ravel()
    # Nearer to zero the differences of J drown in rounding.
    start = min(end, law.mean) * 1e-8
    quantiles = quantiles[quantiles > start]
    return np.unique(
        np.concatenate(
            [
                np.zeros(1),
                np.geomspace(start, end, n),
                np.linspace(0, end, n),
                quantiles,
                special,
                near[(near > start) & (near < end)],
            ]
        )
    )


def _times_of(law: Law, tails: Floats) -> Floats:
    """Return the times that shares `tails` of the jobs exceed, by bisection of logarithms."""
    low = np.full(len(tails), math.log(law.mean) - 60 if law.mean > 0 else 0.0)
    high = np.full(len(tails), math.log(law.mean) + 60 if law.mean > 0 else 0.0)
    for _ in range(70):
        middle = (low + high) / 2
        beyond = np.asarray(law.survival(np.exp(middle))) > tails
        low, high = np.where(beyond, middle, low), np.where(beyond, high, middle)
    return np.exp(high) if law.mean > 0 else np.zeros(len(tails))


def _with_both_sides(law: Law, ages: Floats) -> tuple[Floats, Floats]:
    """Return ages and tails; at a breakpoint the tail just before it, then the one at it."""
    special = ages[np.isin(ages, law.breakpoints) & (ages > 0)]
    before = np.asarray(law.survival(np.nextafter(special, -math.inf)))
    at = np.asarray(law.survival(ages))
    places = np.searchsorted(ages, special)
    return np.insert(ages, places, special), np.insert(at, places, before)


def _excess(law: Law, ages: Floats) -> Floats:
    """Integrate the tail from each age on (J), added up from the far end."""
    ends = [ages]
    last = float(ages[-1])
    if last > 0 and law.survival(last) > 0:
        # On by eighths of an octave, until nothing is left (heavy tails: of a float).
        octaves = np.arange(1, 8 * int(996 - math.log2(last))) / 8
        beyond = last * 2.0**octaves
        ends.append(beyond[: int(np.sum(np.asarray(law.survival(beyond)) > 0)) + 1])
    points = np.concatenate(ends)
    total = np.append(np.cumsum(_cells(law, points)[::-1])[::-1], 0.0)
    return np.asarray(total[: len(ages)])


def _cells(law: Law, points: Floats) -> Floats:
    """Integrate the tail between each point and the next."""
    half = np.diff(points) / 2
    inside = (points[:-1] + half)[:, np.newaxis] + half[:, np.newaxis] * NODES
    return np.asarray(half * (np.asarray(law.survival(inside)) @ WEIGHTS))


def _hull_slopes(tail: Floats, excess: Floats) -> Floats:
    """Return the least slope from each point of the curve to a later one; the last is (0, 0)."""
    hull = [(0.0, 0.0)]
    slopes = np.zeros(len(tail))
    for place in range(len(tail) - 1, -1, -1):
        t, j = float(tail[place]), float(excess[place])
        best = _slope(t, j, hull[-1])
        while len(hull) > 1:
            other = _slope(t, j, hull[-2])
            if other > best:
                break
            best = other
            hull.pop()
        slopes[place] = best
        hull.append((t, j))
    return slopes


def _slope(t: float, j: float, point: tuple[float, float]) -> float:
    drop = t - point[0]
    return (j - point[1]) / drop if drop > NOISE * t else math.inf


def _inverse_hazard(law: Law, ages: Floats, tail: Floats) -> Floats:
    """Return the slope to a time so near that nothing has changed; infinite where nobody ends."""
    step = 1e-5 * np.minimum(np.maximum(ages, 1e-6 * law.mean), max(law.mean, 1e-300))
    step = np.maximum(step, 1e-9 * ages)
    drop = tail - np.asarray(law.survival(ages + step))
    gain = step * (tail - drop / 2)
    return np.where(drop > NOISE * tail, gain / np.maximum(drop, 1e-300), math.inf)


def _quotient(excess: Floats, tail: Floats) -> Floats:
    return np.where(tail > 0, excess / np.maximum(tail, 1e-300), 0.0)


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
    """Return the Gittins rank of a class at a job's age; zero where no service is longer."""
    match law:
        case Exponential():
            return _pieces([(0.0, law.mean, 0.0, 1.0)])
        case Deterministic():
            return _empirical_rank(np.array([law.value]))
        case Empirical():
            return _empirical_rank(np.asarray(law.values))
    table = rank_table(law)
    return _thinned(table.ages, table.ranks)


@lru_cache(maxsize=4096)
def residual_function(law: Law) -> AgeFunction:
    """Return E[S - age | S > age]; zero at an age that no service exceeds."""
    match law:
        case Exponential():
            return _pieces([(0.0, law.mean, 0.0, 1.0)])
        case Deterministic():
            return _empirical_residual(np.array([law.value]))
        case Empirical():
            return _empirical_residual(np.asarray(law.values))
    table = rank_table(law)
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
    """Return the rank of a sample. Where n services exceed the age a, stopping at service b gives
    the quotient (P - n a) / c:

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
    """Return P and c of ages in [v[i - 1], v[i]) and the stop at v[b]."""
    return work[b + 1] - work[i] + v[b] * (before[-1] - before[b + 1]), before[b + 1] - before[i]


def _thinned(ages: Floats, values: Floats) -> AgeFunction:
    """Return the fewest continuous pieces within the tolerance, greedily; atoms stay jumps."""
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
    """Return where the longest piece from an anchor at an age ends, and its slope."""
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
