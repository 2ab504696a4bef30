"""Runs that differ in their seed alone, as one: they are replications of it."""

import math
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from zerowait.experiment.measures import HALF_WIDTH, measure_of
from zerowait.experiment.statistics.intervals import LEVEL, student_interval

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
