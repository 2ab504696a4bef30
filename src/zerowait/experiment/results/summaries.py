"""From the sums of runs to measures, per class and overall, and to a result."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from zerowait.engine.batches import MAXIMUM, Tally
from zerowait.engine.sums import COUNT, quantiles
from zerowait.experiment.measures import MEASURES, N_SUMS, QUANTILES, Measure, split_column
from zerowait.model.quantities import Floats, Ints


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
    """What is measured, per class or overall: the register of measures says what each means."""

    count: int  # of jobs
    response: Summary
    wait: Summary
    slowdown: Summary
    bounded_slowdown: Summary | None  # of replays only
    p_wait: float
    utilisation: float
    in_system: float
    preemptions: float
    lost: float
    routed_to_helpers: float
    served_by_helpers: float

    def value(self, column: str) -> float:
        """A mean, or a quantile as "wait_p99"; NaN where there is none."""
        name, part = split_column(column)
        found = getattr(self, name)
        if isinstance(found, Summary):
            found = getattr(found, part or "mean")
        return math.nan if found is None else float(found)


def class_measures(tally: Tally, servers: int, bounded: bool) -> tuple[Measures, ...]:
    rows = range(len(tally.counts))
    return tuple(_measures(tally, [row], servers, bounded) for row in rows)


def overall_measures(tally: Tally, servers: int, bounded: bool) -> Measures:
    return _measures(tally, list(range(len(tally.counts))), servers, bounded)


def _measures(tally: Tally, rows: list[int], servers: int, bounded: bool) -> Measures:
    counts = tally.counts[rows].sum(axis=0)
    pooled = _pooled(tally, rows)

    def measured(one: Measure) -> Summary | float | None:
        if one.only == "replays" and not bounded:
            return None
        if one.moment is not None:
            mean, variance, largest = pooled[one.moment // N_SUMS]
            if one.mean_alone:
                return mean
            std = math.sqrt(variance) if variance > 0 else variance * 0.0
            return Summary(mean, std, largest, **_quantiles(tally, rows, one, largest))
        if one.count is not None:
            return float(counts[one.count] / counts[COUNT]) if counts[COUNT] else math.nan
        return _time_average(tally, rows, one, servers)

    known: dict[str, Any] = {one.name: measured(one) for one in MEASURES.values()}
    return Measures(count=int(counts[COUNT]), **known)


def _histogram(tally: Tally, measure: Measure) -> Ints:
    histogram: Ints = getattr(tally, f"{measure.name}_histogram")
    return histogram


def _time_average(tally: Tally, rows: list[int], measure: Measure, servers: int) -> float:
    assert measure.area is not None
    if not tally.window > 0:
        return math.nan
    average = float(getattr(tally, measure.area)[rows].sum() / tally.window)
    return average / servers if measure.per_server else average


def _pooled(tally: Tally, rows: list[int]) -> list[list[float]]:
    """Mean, variance and maximum of each measure: the classes' moments, each about its own pivot,
    pooled (Chan, Golub and LeVeque 1983)."""
    counts = tally.counts[rows, COUNT]
    rows = [row for row, count in zip(rows, counts.tolist(), strict=True) if count]
    if not rows:
        return [[math.nan] * 3] * tally.pivots.shape[1]
    counts = tally.counts[rows, COUNT]
    # Measure x class, the classes side by side in memory: there NumPy adds up pairwise.
    total, squares, maximum = np.ascontiguousarray(tally.moments[rows].T)
    pivots = np.ascontiguousarray(tally.pivots[rows].T)
    with np.errstate(invalid="ignore", over="ignore"):  # an infinite slowdown has none
        means = pivots + total / counts
        mean = (means * counts).sum(axis=1) / counts.sum()
        within = squares - total * total / counts
        between = counts * (means - mean[:, None]) ** 2
        variance = (within + between).sum(axis=1) / counts.sum()
    found: list[list[float]] = np.array([mean, variance, maximum.max(axis=1)]).T.tolist()
    return found


def _quantiles(tally: Tally, rows: list[int], measure: Measure, largest: float) -> dict[str, float]:
    if not measure.has_quantiles or math.isnan(largest):
        return {}
    histogram = _histogram(tally, measure)[rows].sum(axis=0, keepdims=True)
    levels = tuple(QUANTILES.values())
    values = quantiles(histogram, tally.origin, levels, np.array([largest]))
    return dict(zip(QUANTILES, values[:, 0].tolist(), strict=True))


def tally_quantiles(tally: Tally) -> dict[str, Floats]:
    """Return quantiles by name, as "wait_p99": of each class, then of all jobs."""
    found: dict[str, Floats] = {}
    for one in MEASURES.values():
        if one.moment is None or not one.has_quantiles:
            continue
        histogram = _histogram(tally, one)
        rows = np.concatenate([histogram, histogram.sum(axis=0, keepdims=True)])
        largest = tally.moments[:, one.moment // N_SUMS, MAXIMUM]
        values = quantiles(
            rows, tally.origin, tuple(QUANTILES.values()), np.append(largest, largest.max())
        )
        found |= {f"{one.name}_{key}": row for key, row in zip(QUANTILES, values, strict=True)}
    return found
