"""Arrival processes made of the arrivals of a log."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from zerowait.model import ArrivalProcess, Empirical, InputError, Jobs, Poisson, Renewal, Rhythm
from zerowait.model.arrivals.rhythm import WEEK_S
from zerowait.model.quantities import refuse
from zerowait.traces.clock import HOUR_S, Clock
from zerowait.traces.fitting.families.empirical import thinned

HOURS = 168  # of a week

Floats = NDArray[np.float64]


def poisson(arrival: Floats, rate: float, clock: Clock) -> ArrivalProcess:
    """Nothing of the log but its rate."""
    return Poisson(rate)


def resampled(arrival: Floats, rate: float, clock: Clock) -> ArrivalProcess:
    """The log's own gaps, independently of each other and of the hour."""
    return Renewal(Empirical(thinned(np.diff(arrival))), rate)


def rhythm(arrival: Floats, rate: float, clock: Clock) -> ArrivalProcess:
    """The log's rates by the hour of the week, and its gaps on a clock that follows these."""
    # From Monday's midnight before the first arrival on; the clock change is not followed.
    minutes = (arrival[0] + (clock.origin or 0.0)) % HOUR_S
    time = arrival - arrival[0] + clock.hours_of_week(arrival[:1])[0] * HOUR_S + minutes
    hour = (time // HOUR_S).astype(np.int64)
    if hour[-1] - hour[0] < HOURS:
        raise refuse("arrivals", "rhythm", "the log covers less than a week; take another process")
    seen = np.bincount(np.arange(hour[0], hour[-1] + 1) % HOURS, minlength=HOURS)
    profile = np.bincount(hour % HOURS, minlength=HOURS) / seen
    gaps = np.diff(Rhythm(Empirical([1.0]), profile).on_clock(time))
    # In units of what comes in the mean: 1 is a usual gap, whatever the hour.
    return Rhythm(Empirical(thinned(gaps * rate * WEEK_S)), profile, rate=rate)


ARRIVALS: dict[str, Callable[[Floats, float, Clock], ArrivalProcess]] = {
    "poisson": poisson,
    "resampled": resampled,
    "rhythm": rhythm,
}


def arrival_process(jobs: Jobs, name: str, clock: Clock) -> ArrivalProcess:
    """At a rate that brings the log's load: all its jobs in the time from the first to the last."""
    if name not in ARRIVALS:
        raise refuse("arrivals", name, f"must be one of {', '.join(ARRIVALS)}")
    arrival = np.asarray(jobs.arrival)
    span = float(arrival[-1] - arrival[0])
    if span <= 0:
        raise InputError("arrivals: all jobs arrive at one instant; their rate is not defined")
    return ARRIVALS[name](arrival, len(arrival) / span, clock)
