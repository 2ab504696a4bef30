"""From the sums of a run to its measures, per class and overall."""

import math
from dataclasses import dataclass

import numpy as np

from zerowait.engine.arrays import Floats, Ints
from zerowait.engine.statistics.histogram import quantiles
from zerowait.engine.statistics.sums import (
    BOUNDED_SLOWDOWN,
    COUNT,
    PREEMPTIONS,
    RESPONSE,
    ROUTED_TO_HELPERS,
    SERVED_BY_HELPERS,
    SLOWDOWN,
    WAIT,
    WAITED,
)
from zerowait.engine.statistics.tally import MAXIMUM, Tally

# The measures of a result, in the order of tables.
MEASURES = (
    "response",
    "wait",
    "slowdown",
    "bounded_slowdown",
    "p_wait",
    "utilisation",
    "in_system",
    "preemptions",
    "routed_to_helpers",
    "served_by_helpers",
)
QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "p999": 0.999}


@dataclass(frozen=True)
class Summary:
    """A measure over the counted jobs; quantiles are within 1%, the rest is exact.

    `std` is that of the jobs themselves (divided by their number), no error of the mean.
    """

    mean: float
    std: float
    max: float
    p50: float | None = None
    p95: float | None = None
    p99: float | None = None
    p999: float | None = None


@dataclass(frozen=True)
class Measures:
    """What is measured, per class or overall; DESIGN's names."""

    count: int
    response: Summary  # end - arrival
    wait: Summary  # response - service
    slowdown: Summary  # response / service
    bounded_slowdown: Summary | None  # max(1, response / max(service, 10 s)); replays only
    p_wait: float  # share of jobs not in service from the instant of arrival
    utilisation: float  # busy servers / servers, time average
    in_system: float  # jobs, time average
    preemptions: float  # per job
    routed_to_helpers: float  # share of jobs that found their own servers busy
    served_by_helpers: float  # share of jobs that ran on the helpers


def class_measures(tally: Tally, servers: int, bounded: bool) -> tuple[Measures, ...]:
    rows = range(len(tally.counts))
    return tuple(_measures(tally, [row], servers, bounded) for row in rows)


def overall_measures(tally: Tally, servers: int, bounded: bool) -> Measures:
    return _measures(tally, list(range(len(tally.counts))), servers, bounded)


def _measures(tally: Tally, rows: list[int], servers: int, bounded: bool) -> Measures:
    counts = tally.counts[rows].sum(axis=0)
    responses = tally.response_histogram[rows].sum(axis=0)
    waits = tally.wait_histogram[rows].sum(axis=0)

    def summary(measure: int, histogram: Ints | None = None) -> Summary:
        return _summary(tally, rows, measure // 3, histogram)

    def share(column: int) -> float:
        return float(counts[column] / counts[COUNT]) if counts[COUNT] else math.nan

    def time_average(area: Floats) -> float:
        return float(area[rows].sum() / tally.window) if tally.window > 0 else math.nan

    return Measures(
        count=int(counts[COUNT]),
        response=summary(RESPONSE, responses),
        wait=summary(WAIT, waits),
        slowdown=summary(SLOWDOWN),
        bounded_slowdown=summary(BOUNDED_SLOWDOWN) if bounded else None,
        p_wait=share(WAITED),
        utilisation=time_average(tally.busy_area) / servers,
        in_system=time_average(tally.in_system_area),
        preemptions=share(PREEMPTIONS),
        routed_to_helpers=share(ROUTED_TO_HELPERS),
        served_by_helpers=share(SERVED_BY_HELPERS),
    )


def _summary(tally: Tally, rows: list[int], measure: int, histogram: Ints | None) -> Summary:
    """Pool the classes' moments, each about its own pivot (Chan, Golub and LeVeque 1983)."""
    counts = tally.counts[rows, COUNT]
    rows = [row for row, count in zip(rows, counts, strict=True) if count]
    if not rows:
        return Summary(math.nan, math.nan, math.nan)
    counts = tally.counts[rows, COUNT]
    total, squares, maximum = tally.moments[rows, measure].T
    with np.errstate(invalid="ignore"):  # an infinite slowdown has no variance
        means = tally.pivots[rows, measure] + total / counts
        mean = float(np.average(means, weights=counts))
        within = squares - total * total / counts
        between = counts * (means - mean) ** 2
        variance = float((within + between).sum() / counts.sum())
    largest = float(maximum.max())
    found: dict[str, float] = {}
    if histogram is not None:
        values = quantiles(
            histogram[None, :], tally.origin, tuple(QUANTILES.values()), np.array([largest])
        )
        found = dict(zip(QUANTILES, values[:, 0].tolist(), strict=True))
    std = math.sqrt(variance) if variance > 0 else variance * 0.0
    return Summary(mean, std, largest, **found)


def tally_quantiles(tally: Tally) -> dict[str, Floats]:
    """As "wait_p99": per class, then for all jobs."""
    found: dict[str, Floats] = {}
    for name, at, histogram in (
        ("response", RESPONSE, tally.response_histogram),
        ("wait", WAIT, tally.wait_histogram),
    ):
        rows = np.concatenate([histogram, histogram.sum(axis=0, keepdims=True)])
        largest = tally.moments[:, at // 3, MAXIMUM]
        values = quantiles(
            rows, tally.origin, tuple(QUANTILES.values()), np.append(largest, largest.max())
        )
        found |= {f"{name}_{key}": row for key, row in zip(QUANTILES, values, strict=True)}
    return found
