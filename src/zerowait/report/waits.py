"""The waits of the single jobs of a replay: how they are distributed, and which times were bad."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zerowait.experiment.results.result import Result
from zerowait.experiment.simulation.log_setup import counted_jobs
from zerowait.model.quantities import Floats, Ints
from zerowait.report.charts import Chart, LineView, Point, Series
from zerowait.report.measured import form_of, heading, labelled

DAY_S = 86_400.0
LONG = 60  # days; of a longer log weeks are told apart, and not days
FEWEST = 3  # weeks or days that say something
# The shares of jobs at which waits are drawn, evenly spaced in digits of the rest: 99% is 2.
DIGITS = np.linspace(0.0, 4.0, 161)
SHARE_AXIS = "share of the jobs that wait no longer"
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
    """Return the waits of the jobs that count; None where the single jobs were not kept."""
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
    """Return digits of the rest, and the waits that so many of the jobs do not exceed.

    Both end where there are too few jobs to say more.
    """
    if waits.size == 0:
        return np.zeros(0), np.zeros(0)
    digits = DIGITS[max(np.log10(waits.size), 0.302) >= DIGITS]
    return digits, np.quantile(waits, 1 - 10.0**-digits)


def over_time(waits: Waits) -> Epochs | None:
    """Return the mean waits over time; None where all is over in a few days."""
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


def quantile_chart(
    waits: Sequence[Floats | None], series: tuple[Series, ...], more: str = ""
) -> Chart:
    """Draw a quantile curve for each series, of seconds; None: there are no waits for it."""
    points = [
        Point(number, float(value), x=float(x))
        for number, one in enumerate(waits)
        if one is not None
        for x, value in zip(*quantile_curve(one), strict=True)
    ]
    form, label = form_of("wait", seconds=True), labelled("wait").label
    view = LineView("", SHARE_AXIS, label, tuple(points), form, log=True, ticks=TICKS)
    said = f"Read it as: 99% of the jobs wait no longer than this.{more}"
    return Chart("Waits, from the usual to the unlucky", said, series, (view,))


def bad_times(waits: Sequence[Waits | None], series: tuple[Series, ...]) -> list[Chart]:
    """Draw the mean waits over time, of seconds; none unless all are known over time."""
    found = [times for one in waits if one is not None and (times := over_time(one))]
    if len(found) < len(waits):
        return []
    points = [
        Point(number, float(wait) if wait == wait else None, x=float(day))
        for number, one in enumerate(found)
        for day, wait in zip(one.days, one.waits, strict=True)
    ]
    form = form_of("wait", seconds=True)
    view = LineView("", "days since the first arrival", heading("wait"), tuple(points), form)
    said = f"Mean wait of the jobs that arrived in the same {found[0].unit}."
    return [Chart("Bad times", said, series, (view,))]
