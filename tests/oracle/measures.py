"""The measures of a naive run, straight from DESIGN.md: sums over the jobs, nothing else."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .naive import JobRow, Outcome, classes_of


class Moments(NamedTuple):
    mean: float
    variance: float  # of the population (ddof = 0)
    max: float


@dataclass(frozen=True)
class Measures:
    count: int
    response: Moments
    wait: Moments
    slowdown: Moments
    bounded_slowdown: Moments
    p_wait: float
    routed_to_helpers: float
    served_by_helpers: float
    utilisation: float
    in_system: float


def ratio(a: float, b: float) -> float:
    """a / b as IEEE 754 has it, for a, b >= 0."""
    if b > 0:
        return a / b
    return math.inf if a > 0 else math.nan


def slowdown(response: float, service: float) -> float:
    """A job of no service is slowed down by nothing if it did not wait, else beyond measure."""
    return 1.0 if response == service == 0 else ratio(response, service)


def moments(values: Sequence[float]) -> Moments:
    if any(math.isnan(v) for v in values):
        return Moments(math.nan, math.nan, math.nan)
    if any(math.isinf(v) for v in values):
        return Moments(math.inf, math.nan, math.inf)
    mean = math.fsum(values) / len(values)
    variance = math.fsum((v - mean) ** 2 for v in values) / len(values)
    return Moments(mean, variance, max(values))


def measures_of(rows: Sequence[tuple[JobRow, Outcome]], servers: int, horizon: float) -> Measures:
    """The measures of some jobs of a run that lasted `horizon`."""
    n = len(rows)
    response = [o.end - arrival for (arrival, _, _), o in rows]
    service = [s for (_, _, s), _ in rows]
    return Measures(
        count=n,
        response=moments(response),
        wait=moments([o.start - arrival for (arrival, _, _), o in rows]),
        slowdown=moments([slowdown(r, s) for r, s in zip(response, service, strict=True)]),
        bounded_slowdown=moments(
            [max(1.0, r / max(s, 10.0)) for r, s in zip(response, service, strict=True)]
        ),
        p_wait=sum(o.start > arrival for (arrival, _, _), o in rows) / n,
        routed_to_helpers=sum(o.routed for _, o in rows) / n,
        served_by_helpers=sum(o.helpers for _, o in rows) / n,
        utilisation=ratio(
            math.fsum(need * (o.end - o.start) for (_, need, _), o in rows), servers * horizon
        ),
        in_system=ratio(math.fsum(response), horizon),
    )


def naive_measures(
    jobs: Sequence[JobRow],
    outcomes: Sequence[Outcome],
    servers: int,
    job_class: Sequence[int] | None = None,
) -> tuple[Measures, list[Measures]]:
    """Overall and per class; all time averages over [first arrival, last completion]."""
    classes = classes_of(jobs, job_class)
    rows = list(zip(jobs, outcomes, strict=True))
    horizon = max(o.end for o in outcomes) - jobs[0][0]
    per_class = [
        [row for row, other in zip(rows, classes, strict=True) if other == c]
        for c in range(max(classes) + 1)
    ]
    overall = measures_of(rows, servers, horizon)
    return overall, [measures_of(group, servers, horizon) for group in per_class]
