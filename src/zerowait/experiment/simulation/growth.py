"""Does the queue grow for as long as the run lasts? What the runs themselves say.

The mean queue of a whole run is set against that of its first half. A stable system has a ratio
near 1; one that cannot keep up grows linearly; exactly at the limit the queue is a reflected
Brownian motion and grows with the square root of time (docs/decisions/0105). So the square root
is where the two are told apart, and a Student interval over replications says how surely.

A small queue is too noisy for that, and needs no such test: at the limit it would be as long as
the work that came scatters (`queue_at_limit`). One far shorter is not there.
"""

import math
from collections.abc import Sequence

import numpy as np

from zerowait.engine.arrays import Floats
from zerowait.experiment.simulation.run_length import work_variation
from zerowait.experiment.statistics.intervals import LEVEL, student_interval
from zerowait.model import Workload

STABLE, GROWING, UNDECIDED = "stable", "growing", "undecided"
FEWEST = 8  # parts of a run
FLOOR = 1e-3  # of the jobs in service: a smaller queue is none
UNSETTLED = 0.1  # of a run comes before its parts, where its warm-up is not given
SMALL = 0.25  # of the queue at the limit
# Of single runs, which have no interval:
TREND = 0.9
GROWTH = 2.0


def verdict_on(
    segments: Sequence[Floats], in_service: float, before: float = UNSETTLED, at_limit: float = 0.0
) -> str:
    """From the mean number in the system in equal parts of each replication.

    `in_service` are the jobs in service on average; `before` is the share of the run that came
    before its parts; `at_limit` is the queue that a system at its limit would have.
    """
    whole = [one for one in segments if len(one) >= FEWEST and np.isfinite(one).all()]
    if len(whole) < len(segments) or not whole:
        return UNDECIDED
    if np.mean(whole) - in_service < SMALL * at_limit:
        return STABLE
    found = [growth(one, in_service) for one in whole]
    limit = critical_growth(before)
    if len(found) == 1:
        if is_rising(whole[0]):
            return GROWING
        return STABLE if found[0] < limit else UNDECIDED
    return verdict(found, limit, LEVEL)


def verdict(found: Sequence[float], limit: float, level: float) -> str:
    """Independent values wholly on one side of the limit, or neither."""
    interval = student_interval(found, level)
    if interval.mean + interval.half_width < limit:
        return STABLE
    return GROWING if interval.mean - interval.half_width > limit else UNDECIDED


def growth(segments: Floats, in_service: float) -> float:
    """log2 of the mean queue of all parts over that of the first half of them."""
    least = max(FLOOR * in_service, np.finfo(float).tiny)
    half, everything = segments[: len(segments) // 2], segments
    first, last = (max(float(one.mean()) - in_service, least) for one in (half, everything))
    return math.log2(last / first)


def critical_growth(before: float) -> float:
    """`growth` of a queue that grows with the square root of time."""

    def area(end: float) -> float:
        return float((end**1.5 - before**1.5) / (end - before))

    return math.log2(area(1.0) / area((1 + before) / 2))


def queue_at_limit(workload: Workload, arrivals: int) -> float:
    """The mean number that wait in a run of a system at its limit, at the least.

    The work that waits is then a reflected Brownian motion, on average over time 2/3 sqrt(2/pi) of
    the scatter of all work that came. The fewest jobs that it can be are those with most work.
    """
    scatter = math.sqrt(arrivals * work_variation(workload)) * workload.demand
    most = float((workload.needs * workload.mean_services).max())
    return 2 / 3 * math.sqrt(2 / math.pi) * scatter / most if math.isfinite(scatter) else 0.0


def is_rising(segments: Floats) -> bool:
    """A single run has no error of its growth: its parts must be correlated with time, and the
    last quarter a multiple of the first. Sixteen independent numbers show a correlation of 0.9
    with time once in a million runs."""
    quarter = len(segments) // 4
    if segments[-quarter:].mean() < GROWTH * segments[:quarter].mean():
        return False
    return bool(np.corrcoef(np.arange(len(segments)), segments)[0, 1] > TREND)
