"""The jobs of a log made ready for a replay: sizes, load, estimates, classes."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from zerowait.model import InputError, Jobs
from zerowait.model.quantities import positive, refuse, whole

ESTIMATES = ("user", "exact")


def too_large(jobs: Jobs, servers: int) -> NDArray[np.bool_]:
    """Per job: does it need more than there is?"""
    return np.asarray(np.asarray(jobs.need) > whole("servers", servers))


def keep_jobs(jobs: Jobs, keep: NDArray[np.bool_]) -> Jobs:
    if not keep.any():
        raise InputError("jobs: none is left; give more servers")
    labels = None if jobs.job_class is None else np.asarray(jobs.job_class)[keep]
    return Jobs(
        np.asarray(jobs.arrival)[keep], np.asarray(jobs.need)[keep],
        np.asarray(jobs.service)[keep], labels, np.asarray(jobs.estimate)[keep],
    )  # fmt: skip


def own_load(jobs: Jobs, servers: int) -> float:
    """Work per server and unit of time from the first to the last arrival."""
    arrival = np.asarray(jobs.arrival)
    span = float(arrival[-1] - arrival[0])
    if span <= 0:
        raise InputError("load: all jobs arrive at one instant; it is not defined")
    work = float(np.dot(np.asarray(jobs.need, dtype=np.float64), np.asarray(jobs.service)))
    return work / (whole("servers", servers) * span)


def stretch(jobs: Jobs, servers: int, load: float) -> float:
    """What the gaps between arrivals are multiplied by to get to a load."""
    own = own_load(jobs, servers)
    if own == 0:
        raise refuse("load", load, "the jobs bring no work, whatever their gaps")
    return own / positive("load", load)


def stretched(jobs: Jobs, factor: float) -> Jobs:
    """All gaps between arrivals times the factor; needs and service times stay."""
    arrival = np.asarray(jobs.arrival)
    return replace(jobs, arrival=arrival[0] + (arrival - arrival[0]) * factor)


def with_estimates(jobs: Jobs, estimates: str) -> Jobs:
    """`user`: as announced in the log; `exact`: the service times themselves."""
    if estimates not in ESTIMATES:
        raise refuse("estimates", estimates, f"must be one of {', '.join(ESTIMATES)}")
    return jobs if estimates == "user" else replace(jobs, estimate=jobs.service)
