"""Gittins rank and mean residual life of a law at an age (attained service).

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

import numpy as np
from numpy.typing import NDArray

from zerowait.model.laws import Law

Floats = NDArray[np.float64]

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


def tabulate(law: Law, n_ages: int = 1024) -> RankTable:
    """Rank and mean residual life on a grid of a few times `n_ages` ages, and all atoms."""
    ages, tail = _with_both_sides(law, _grid(law, n_ages))
    excess = _excess(law, ages)
    ranks = np.minimum(_hull_slopes(tail, excess), _inverse_hazard(law, ages, tail))
    ranks[tail <= 0] = 0.0
    return RankTable(ages, ranks, _quotient(excess, tail))


def _grid(law: Law, n: int) -> Floats:
    """Ages from zero to where hardly a job is left: by ratio, by difference and by quantile."""
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
    """The times that a share `tails` of the jobs exceed, by bisection of their logarithms."""
    low = np.full(len(tails), math.log(law.mean) - 60 if law.mean > 0 else 0.0)
    high = np.full(len(tails), math.log(law.mean) + 60 if law.mean > 0 else 0.0)
    for _ in range(70):
        middle = (low + high) / 2
        beyond = np.asarray(law.survival(np.exp(middle))) > tails
        low, high = np.where(beyond, middle, low), np.where(beyond, high, middle)
    return np.exp(high) if law.mean > 0 else np.zeros(len(tails))


def _with_both_sides(law: Law, ages: Floats) -> tuple[Floats, Floats]:
    """Ages and tails; at a breakpoint the tail just before it, then the one at it."""
    special = ages[np.isin(ages, law.breakpoints) & (ages > 0)]
    before = np.asarray(law.survival(np.nextafter(special, -math.inf)))
    at = np.asarray(law.survival(ages))
    places = np.searchsorted(ages, special)
    return np.insert(ages, places, special), np.insert(at, places, before)


def _excess(law: Law, ages: Floats) -> Floats:
    """J: the integral of the tail from each age on, added up from the far end."""
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
    """The integral of the tail between each point and the next."""
    half = np.diff(points) / 2
    inside = (points[:-1] + half)[:, np.newaxis] + half[:, np.newaxis] * NODES
    return np.asarray(half * (np.asarray(law.survival(inside)) @ WEIGHTS))


def _hull_slopes(tail: Floats, excess: Floats) -> Floats:
    """The least slope from each point of the curve to a later one; the last is (0, 0)."""
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
    """The slope to a time so near that nothing has changed; infinite where nobody ends."""
    step = 1e-5 * np.minimum(np.maximum(ages, 1e-6 * law.mean), max(law.mean, 1e-300))
    step = np.maximum(step, 1e-9 * ages)
    drop = tail - np.asarray(law.survival(ages + step))
    gain = step * (tail - drop / 2)
    return np.where(drop > NOISE * tail, gain / np.maximum(drop, 1e-300), math.inf)


def _quotient(excess: Floats, tail: Floats) -> Floats:
    return np.where(tail > 0, excess / np.maximum(tail, 1e-300), 0.0)
