"""From chains cut at more and more jobs to the chain that is not cut: Wynn's epsilon algorithm.

What is lost falls all but geometrically with the length, as a sum of few such terms; the algorithm
removes one with each pair of further values.
"""

from collections.abc import Sequence
from itertools import pairwise

MARGIN = 10.0  # times the last change: what is claimed as the error
ROUNDING = 1e-14


def extrapolate(values: Sequence[float]) -> tuple[float, float]:
    """The limit of a sequence, and an estimate of its error.

    Two columns may agree by chance on what neither has reached; that the limits of shorter
    sequences agree with them as well, is no chance.
    """
    found = [_limit_of(values[:n]) for n in range(max(len(values) - 2, 1), len(values) + 1)]
    limit, change, settled = found[-1]
    if not settled:
        change = max([change, *(abs(b[0] - a[0]) for a, b in pairwise(found))])
    return limit, MARGIN * change + (ROUNDING if change else 0.0)


def _limit_of(values: Sequence[float]) -> tuple[float, float, bool]:
    """The limit, the last change on the way to it, and whether the sequence has settled itself.

    Of the algorithm's columns the one that changed least from the one before is taken.
    """
    before, column = [0.0] * (len(values) + 1), [float(value) for value in values]
    limits = [column[-1]]
    while len(column) > 1:
        steps = [b - a for a, b in pairwise(column)]
        if len(limits) == 1 and min(map(abs, steps)) <= ROUNDING * max(1.0, abs(column[-1])):
            return values[-1], abs(steps[-1]), True
        if 0.0 in steps:
            break
        following = [before[i + 1] + 1 / step for i, step in enumerate(steps)]
        before, column = column, following
        if (len(values) - len(column)) % 2 == 0:
            limits.append(column[-1])
    changes = [abs(b - a) for a, b in pairwise(limits)]
    if not changes:
        return values[-1], abs(values[-1] - values[0]), False
    best = changes.index(min(changes))
    return limits[best + 1], changes[best], False
