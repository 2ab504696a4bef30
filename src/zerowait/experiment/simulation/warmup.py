"""Where the warm-up of a run ends: MSER-5, at its leftmost local minimum.

MSER (White, Simulation 69, 1997; White, Cobb and Spratt, WSC 2000) cuts a series where what is
left has the least standard error of its mean. In the output of a queue the least of all often cuts
off a busy stretch that belongs there, and the mean comes out too low; the leftmost local minimum
(Pasupathy and Schmeiser, WSC 2010) hardly does. The series is the mean number of jobs in the system
in the batches of the engine, five of them together.
"""

import numpy as np

from zerowait.engine.arrays import Floats
from zerowait.engine.statistics.batches import Batches

FIVE = 5
FEWEST_POINTS = 10  # of the series; with fewer there is nothing to choose from


def mser(values: Floats) -> int:
    """How many of the first values to drop, half of them at most: the first d where
    S^2(d) / (n - d)^2 is no smaller at d + 1."""
    n = len(values)
    kept = np.arange(n, 0, -1.0)
    centred = values - values.mean()  # sums of squares keep their digits
    sums = np.cumsum(centred[::-1])[::-1]
    squares = np.cumsum(centred[::-1] ** 2)[::-1]
    errors = (squares - sums * sums / kept) / kept**2
    falling = np.diff(errors[: n // 2 + 1]) < 0
    return len(falling) if falling.all() else int(np.argmin(falling))


def mser_batches(batches: Batches) -> tuple[int, bool]:
    """How many batches to drop, and whether the search ended where it had to: at half of them."""
    points = len(batches) // FIVE
    if points < FEWEST_POINTS:
        return 0, False
    edges = np.arange(points + 1) * FIVE
    area, time = batches.in_system_area.sum(axis=1)[edges], batches.time[edges]
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.diff(area) / np.diff(time)
    if not np.isfinite(means).all():  # arrivals all at one instant
        return 0, False
    # A transient too short to show in the curve still biases a mean in heavy traffic: the first
    # point always goes.
    first = 1 + mser(means[1:])
    return FIVE * first, first >= points // 2
