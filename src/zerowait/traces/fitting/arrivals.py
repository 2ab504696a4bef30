"""Arrival processes made of the arrivals of a log."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from zerowait.model import ArrivalProcess, Empirical, InputError, Jobs, Poisson, Renewal
from zerowait.model.quantities import refuse
from zerowait.traces.fitting.families.empirical import thinned

Floats = NDArray[np.float64]


def poisson(arrival: Floats, rate: float) -> ArrivalProcess:
    """Nothing of the log but its rate."""
    return Poisson(rate)


def resampled(arrival: Floats, rate: float) -> ArrivalProcess:
    """The log's own gaps, independently of each other and of the hour."""
    return Renewal(Empirical(thinned(np.diff(arrival))), rate)


ARRIVALS: dict[str, Callable[[Floats, float], ArrivalProcess]] = {
    "poisson": poisson,
    "resampled": resampled,
}


def arrival_process(jobs: Jobs, name: str) -> ArrivalProcess:
    """At a rate that brings the log's load: all its jobs in the time from the first to the last."""
    if name not in ARRIVALS:
        raise refuse("arrivals", name, f"must be one of {', '.join(ARRIVALS)}")
    arrival = np.asarray(jobs.arrival)
    span = float(arrival[-1] - arrival[0])
    if span <= 0:
        raise InputError("arrivals: all jobs arrive at one instant; their rate is not defined")
    return ARRIVALS[name](arrival, len(arrival) / span)
