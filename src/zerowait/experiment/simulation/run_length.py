"""How long runs must be: where a warm-up ends, how many replications a precision takes, and
whether a run is long against the memory of its system.

MSER (White, Simulation 69, 1997; White, Cobb and Spratt, WSC 2000) cuts a series where what is
left has the least standard error of its mean. In the output of a queue the least of all often cuts
off a busy stretch that belongs there, and the mean comes out too low; the leftmost local minimum
(Pasupathy and Schmeiser, WSC 2010) hardly does. The series is the mean number of jobs in the system
in the batches of the engine, five of them together.

The procedure for a precision is sequential (Law, Simulation Modeling and Analysis, 2015, section
9.4.1): where the interval is too wide, the width that is seen says how many replications would do.
At most twice as many are run before the next look, for an early width is a poor guide; and nothing
is read off fewer than ten, whose widths are too often small by luck. The mean that a width is set
against may itself be too large: to be within g of the true one it is asked to be within g / (1 + g)
(the same section).

In heavy traffic the work in the system is a reflected Brownian motion, whatever the policy that
serves it. What it remembers fades over so many arrivals as its variance over the square of the
capacity that is left:

    relaxation = load^2 (gaps' + work's squared variation) / (limit - load)^2

with the limit one, or where a policy's own is known that (Asmussen, Applied Probability and Queues,
2003, X.6). A mean over fewer of these than `ENOUGH` comes out too low, for the run began empty, and
the spread of the runs does not tell: the crises that make the mean are missing in most of them.
"""

import math
from collections.abc import Sequence

import numpy as np

from zerowait.engine.batches import Batches
from zerowait.experiment.statistics.intervals import Interval
from zerowait.model import Renewal, Workload
from zerowait.model.quantities import Floats

PRECISE_REPLICATIONS = 10  # to begin with: a width seen in fewer is too often small by luck
FIVE = 5
FEWEST_POINTS = 10  # of the series of MSER; with fewer there is nothing to choose from
ENOUGH = 40  # relaxations in a run
SHORT = "runs are short"  # how the note begins


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


def is_precise(found: Interval, precision: float) -> bool:
    return found.known and found.half_width <= precision / (1 + precision) * abs(found.mean)


def next_replications(found: Interval, precision: float, n: int, most: int) -> int:
    if n < PRECISE_REPLICATIONS:
        return min(most, PRECISE_REPLICATIONS)
    if n >= most or is_precise(found, precision):
        return n
    wanted = math.inf
    if found.known and found.mean != 0:
        wanted = n * (found.half_width * (1 + precision) / (precision * found.mean)) ** 2
    return min(most, 2 * n, max(n + 1, math.ceil(wanted) if wanted < 2 * n else 2 * n))


def relaxation(workload: Workload, load: float, limit: float = 1.0) -> float:
    """Return how many arrivals the system remembers.

    Infinite where the work of a job has no variance, or nothing is left.
    """
    if load >= limit:
        return math.inf
    return load**2 * work_variation(workload) / (limit - load) ** 2


def work_variation(workload: Workload) -> float:
    """Squared variation of gaps and of the work of a job, together."""
    squares = math.fsum(
        one.share * one.need**2 * (one.service.variance + one.service.mean**2)
        for one in workload.classes
    )
    work = squares / workload.demand**2 - 1
    gaps = workload.arrivals.law.scv if isinstance(workload.arrivals, Renewal) else 1.0
    return gaps + work


def enough_arrivals(workload: Workload, load: float) -> float:
    """The length below which the note is written."""
    return ENOUGH * relaxation(workload, load)


def notes_on_length(arrivals: int, memory: float, unsettled: Sequence[bool]) -> tuple[str, ...]:
    """Return notes on runs that are too short; `memory` is their relaxation."""
    notes = []
    if sum(unsettled) > len(unsettled) / 2:
        notes.append(
            "MSER-5 would drop more than half of the run as warm-up: the run is too short, or has "
            "no steady state; raise arrivals"
        )
    if arrivals < ENOUGH * memory:
        what = f"{SHORT} against their own memory"
        if math.isfinite(memory):
            what += f" ({memory:.2g} arrivals): means may be too low and intervals too narrow; "
            notes.append(f"{what}give {ENOUGH * memory:.2g} arrivals")
        else:
            what += ", which has no end (a service of infinite variance, or a load at the limit): "
            notes.append(f"{what}means are too low and intervals too narrow at any length")
    return tuple(notes)
