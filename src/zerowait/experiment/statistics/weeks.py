"""Weeks of a log as groups of its jobs, and the measures of each single job.

One log is one sample. Its jobs depend on each other, as do its days, so that whole weeks are the
groups that means, differences and their errors are made from; what neighbouring weeks share counts
as it does for the batches of one run.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from zerowait.experiment.measures import MEASURES
from zerowait.experiment.statistics.samples import Samples
from zerowait.model.quantities import WEEK_S, Floats, Ints, positive

if TYPE_CHECKING:
    import polars


OF_JOBS = {"response", "wait", "slowdown", "bounded_slowdown", "p_wait"}
FEWEST_WEEKS = 4  # with fewer there is next to nothing to tell an error from

Mask = NDArray[np.bool_]


def week_numbers(arrival: Floats) -> NDArray[np.int64]:
    """Return per job the week of its arrival, counted from that of the first job."""
    return np.asarray((arrival - arrival[0]) // WEEK_S, dtype=np.int64)


def present_weeks(arrival: Floats, length: float = WEEK_S) -> tuple[Ints, int]:
    """Return per job the place of its week among those with a job, and how many there are."""
    number = ((arrival - arrival[0]) // positive("week", length)).astype(np.int64)
    present, place = np.unique(number, return_inverse=True)
    return place, len(present)


def samples_of_weeks(values: Mapping[str, Floats], week: Ints, rows: Sequence[Mask]) -> Samples:
    """Return the sums of each week, in the rows given and a last one for all jobs.

    `values` are the measures of each job, `week` is its week; a row says which jobs it has.
    """
    n_weeks = int(week.max()) + 1
    rows = [*rows, np.ones(len(week), bool)]

    def sums(one: Floats) -> Floats:
        found = [np.bincount(week[row], one[row], n_weeks) for row in rows]
        return np.array(found, dtype=np.float64).T

    counts = sums(np.ones(len(week)))
    return Samples(
        {name: sums(one) for name, one in values.items()},
        dict.fromkeys(values, counts),
        runs=np.zeros(n_weeks, np.int64),  # neighbours are of one run
        fewest=FEWEST_WEEKS,
    )


def job_measures(jobs: "polars.DataFrame", bound: float) -> dict[str, Floats]:
    """The measures of each single job, in the order of the register."""
    arrival, service, start, end = (
        jobs[name].to_numpy().astype(np.float64) for name in ("arrival", "service", "start", "end")
    )
    measured = OF_JOBS if bound > 0 else OF_JOBS - {"bounded_slowdown"}
    return {
        name: job_measure(name, arrival, service, start, end, bound)
        for name in MEASURES
        if name in measured
    }


def job_measure(
    name: str, arrival: Floats, service: Floats, start: Floats, end: Floats, bound: float
) -> Floats:
    """Compute a measure that times alone tell.

    A job of no service that waited is slowed down for ever.
    """
    assert name in OF_JOBS, name
    response = end - arrival
    if name == "wait":
        return response - service
    if name == "p_wait":
        return (start > arrival).astype(np.float64)
    if name == "bounded_slowdown":
        return np.maximum(1.0, response / np.maximum(service, bound))
    if name == "slowdown":
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(service > 0, response / service, np.where(response > 0, np.inf, 1.0))
    return response
