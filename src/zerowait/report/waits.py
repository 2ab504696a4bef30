"""The waits of the single jobs of a replay: how they are distributed, and which times were bad."""

from dataclasses import dataclass

import numpy as np

from zerowait.experiment.results.result import Result
from zerowait.experiment.simulation.log_setup import counted_jobs
from zerowait.model.quantities import Floats, Ints

DAY_S = 86_400.0
LONG = 60  # days; of a longer log weeks are told apart, and not days
FEWEST = 3  # weeks or days that say something
# The shares of jobs at which waits are drawn, evenly spaced in digits of the rest: 99% is 2.
DIGITS = np.linspace(0.0, 4.0, 161)
TICKS = ((0.0, "0%"), (0.301, "50%"), (1.0, "90%"), (2.0, "99%"), (3.0, "99.9%"), (4.0, "99.99%"))


@dataclass(frozen=True, eq=False)
class Waits:
    """Of the jobs that count, one entry each, in order of arrival."""

    arrival: Floats
    wait: Floats
    job_class: Ints  # its number among the result's classes


@dataclass(frozen=True, eq=False)
class Epochs:
    """Mean waits of the jobs that arrived in the same week or day; NaN where there are none."""

    unit: str
    days: Floats  # since the first arrival
    waits: Floats


def counted_waits(result: Result) -> Waits | None:
    """None where the single jobs were not kept."""
    if result.jobs is None:
        return None
    given = result.parameters
    first, end = counted_jobs(result.jobs.height, given["warmup"], given["cooldown"])
    jobs = result.jobs[first:end]
    arrival, wait = (
        column.to_numpy().astype(np.float64)
        for column in (jobs["arrival"], jobs["end"] - jobs["arrival"] - jobs["service"])
    )
    labels, which = np.unique(result.jobs["job_class"].to_numpy(), return_inverse=True)
    assert len(labels) == len(result.classes)
    return Waits(arrival, np.maximum(wait, 0.0), which[first:end].astype(np.int64))


def quantile_curve(waits: Floats) -> tuple[Floats, Floats]:
    """Digits of the rest, and the wait that so many of the jobs do not exceed.

    As far as there are jobs enough to say it.
    """
    if waits.size == 0:
        return np.zeros(0), np.zeros(0)
    digits = DIGITS[max(np.log10(waits.size), 0.302) >= DIGITS]
    return digits, np.quantile(waits, 1 - 10.0**-digits)


def over_time(waits: Waits) -> Epochs | None:
    """None where all is over in a few days."""
    arrival = waits.arrival
    span = float(arrival[-1] - arrival[0]) if arrival.size else 0.0
    length, unit = (7 * DAY_S, "week") if span > LONG * DAY_S else (DAY_S, "day")
    if span < FEWEST * length:
        return None
    bins = ((arrival - arrival[0]) // length).astype(np.int64)
    counts = np.bincount(bins)
    with np.errstate(invalid="ignore"):
        means = np.bincount(bins, weights=waits.wait) / counts
    return Epochs(unit, np.arange(len(counts), dtype=np.float64) * (length / DAY_S), means)
