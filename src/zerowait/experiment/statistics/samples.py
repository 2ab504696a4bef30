"""Every measure, in groups of jobs that are as good as independent."""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from zerowait.engine.batches import Batches
from zerowait.engine.sums import COUNT
from zerowait.experiment.measures import HALF_WIDTH, MEASURES, N_SUMS, Measure, measure_of
from zerowait.experiment.statistics.intervals import (
    LEVEL,
    ratio_half_widths,
    ratios,
    section_half_widths,
    student_interval,
)
from zerowait.model.quantities import Floats, Ints

MEASURED = [one for one in MEASURES.values() if one.only != "replays"]


@dataclass(frozen=True)
class Stretch:
    """Consecutive batches of one run."""

    batches: Batches
    first: int
    end: int

    def parts(self, n: int) -> Iterator["Stretch"]:
        """Cut into `n` parts that are as equal as whole batches allow; fewer if too short."""
        n = min(n, self.end - self.first)
        edges = np.linspace(self.first, self.end, n + 1).round().astype(int)
        for first, end in pairwise(edges):
            yield Stretch(self.batches, int(first), int(end))


@dataclass(frozen=True)
class Samples:
    """Numerators and denominators of the means, group x row: a row per class, the last for all."""

    numerators: Mapping[str, Floats]
    denominators: Mapping[str, Floats]
    quantiles: Mapping[str, Floats] = field(default_factory=dict)  # as "wait_p99": group x row
    points: Mapping[str, Floats] = field(default_factory=dict)  # quantiles of all groups: per row
    runs: Ints | None = None  # per group, where groups are batches: the replication
    quantile_runs: Ints | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Measures, and quantiles."""
        return (*self.numerators, *self.points)

    @property
    def n_groups(self) -> int:
        return len(self.numerators["response"])

    def means(self, measure: str) -> Floats:
        """Per row; also of a quantile."""
        if measure in self.points:
            return self.points[measure]
        return ratios(self.numerators[measure], self.denominators[measure])

    def half_widths(self, measure: str, level: float) -> Floats:
        """Per row; NaN where there are too few groups."""
        if measure in self.points:
            values, points = self.quantiles[measure], self.points[measure]
            return section_half_widths(values, points, level, self.quantile_runs)
        numerators, denominators = self.numerators[measure], self.denominators[measure]
        return ratio_half_widths(numerators, denominators, level, self.runs)


def samples_of(stretches: Sequence[Stretch], servers: int, runs: Ints | None = None) -> Samples:
    """One group per stretch; without quantiles."""
    counts = np.array([one.batches.counts[one.first : one.end].sum(axis=0) for one in stretches])
    moments = np.array(
        [one.batches.moments[one.first : one.end, :, :, 0].sum(axis=0) for one in stretches]
    )
    jobs = counts[:, :, COUNT]
    moments = moments + stretches[0].batches.pivots * jobs[:, :, None]
    time = np.array([one.batches.time[one.end] - one.batches.time[one.first] for one in stretches])

    def numerator(one: Measure) -> Floats:
        if one.area is not None:
            total = _integrals(stretches, one.area)
            return total / servers if one.per_server else total
        if one.moment is not None:
            return _with_all(moments[:, :, one.moment // N_SUMS])
        return _with_all(counts[:, :, one.count])

    numerators = {one.name: numerator(one) for one in MEASURED}
    everybody = _with_all(jobs)
    window = np.broadcast_to(time[:, None], everybody.shape)
    denominators = {one.name: everybody if one.area is None else window for one in MEASURED}
    return Samples(numerators, denominators, runs=runs)


def samples_of_parts(stretches: Sequence[Stretch], n: int, servers: int) -> Samples:
    """Each stretch, which is of a run of its own, cut into `n` groups."""
    parts = [list(one.parts(n)) for one in stretches]
    return samples_of([part for one in parts for part in one], servers, numbered(parts))


def numbered(groups: Sequence[Sized]) -> Ints:
    """For each member of each group the number of the group."""
    return np.repeat(np.arange(len(groups)), [len(one) for one in groups])


def _integrals(stretches: Sequence[Stretch], area: str) -> Floats:
    """Over the time of each stretch."""
    pairs = [(getattr(one.batches, area), one) for one in stretches]
    return _with_all(np.array([known[one.end] - known[one.first] for known, one in pairs]))


def _with_all(rows: Floats) -> Floats:
    """Group x class, with a last column for all classes together."""
    return np.concatenate([rows, rows.sum(axis=1, keepdims=True)], axis=1).astype(np.float64)


Row = dict[str, Any]


def over_seeds(rows: Iterable[Row], same: Callable[[Row], Hashable]) -> list[Row]:
    """One row for all that are the `same`: means, and intervals over the seeds. What the runs
    themselves say of their noise gives way to how they differ."""
    groups: dict[Hashable, list[Row]] = {}
    for row in rows:
        groups.setdefault(same(row), []).append(row)
    return [group[0] if len(group) == 1 else _pooled(group) for group in groups.values()]


def _pooled(rows: list[Row]) -> Row:
    pooled = dict(rows[0])
    for name in rows[0]:
        if name.endswith(HALF_WIDTH) or measure_of(name) is None:
            continue
        pooled[name] = pooled[name + HALF_WIDTH] = None
        values = [row[name] for row in rows]
        if all(value is not None and math.isfinite(value) for value in values):
            found = student_interval(values, LEVEL)
            pooled |= {name: found.mean, name + HALF_WIDTH: found.half_width}
    return pooled | {
        "diverging": any(row.get("diverging") for row in rows),
        "replications": sum(row.get("replications", 1) for row in rows),
    }
