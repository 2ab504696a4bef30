"""Counts of times in buckets of equal relative width.

A bucket is an octave cut into 64 equal parts, so its middle is within 0.8% of every time
in it. The octaves run from 2^-32 to 2^32 times the unit, a power of two near the mean
service time; bucket 0 holds what is below (zero waits above all), the last what is beyond.
"""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from zerowait.engine.kernel import Floats, Ints

PARTS_BITS = 6
PARTS = 1 << PARTS_BITS
OCTAVES = 64
N_BUCKETS = OCTAVES * PARTS + 1


def histogram_origin(unit: float) -> int:
    """What to subtract from a time's leading bits to get its bucket."""
    exponent = math.frexp(unit)[1] if unit > 0 else 0
    lowest = math.ldexp(1.0, max(exponent - OCTAVES // 2, -1000))
    return leading_bits(lowest) - 1


def leading_bits(time: float) -> Any:
    """Exponent and first bits of the fraction: ordered as the times are, 64 to an octave."""
    return np.float64(time).view(np.int64) >> (52 - PARTS_BITS)


def bucket_of(time: float, origin: int) -> Any:
    return min(max(leading_bits(time) - origin, 0), N_BUCKETS - 1)


def bucket_edges(origin: int) -> Floats:
    """Lower edge of each bucket, and the upper edge of the last."""
    bits = np.arange(origin, origin + N_BUCKETS + 1, dtype=np.int64) << (52 - PARTS_BITS)
    edges = bits.view(np.float64).copy()
    edges[0] = 0.0
    return edges


@cache
def bucket_middles(origin: int) -> Floats:
    """What stands for the times of each bucket; zero for the first."""
    edges = bucket_edges(origin)
    middles: Floats = (edges[:-1] + edges[1:]) / 2
    middles[0] = 0.0
    middles.flags.writeable = False
    return middles


def quantile(counts: Ints, origin: int, probability: float, maximum: float) -> float:
    """The time below which a share `probability` of the counted times lie (nearest rank)."""
    found = quantiles(counts[None, :], origin, (probability,), np.array([maximum]))
    return float(found[0, 0])


def quantiles(counts: Ints, origin: int, probabilities: Sequence[float], maxima: Floats) -> Floats:
    """Probability x row, of histograms that are row x bucket; NaN for those without a count."""
    levels = np.asarray(probabilities)
    middles = bucket_middles(origin)
    found = np.full((len(levels), len(counts)), np.nan)
    for row, running in enumerate(np.cumsum(counts, axis=1)):
        if total := running[-1]:
            ranks = np.maximum(np.ceil(levels * total), 1)
            found[:, row] = np.minimum(middles[np.searchsorted(running, ranks)], maxima[row])
    return found
