"""The jobs in the system, each in a seat that is reused once the job has left.

A kernel's `job` is the number of a seat. Memory grows with the jobs in the system, not
with the jobs simulated.
"""

from typing import NamedTuple

import numpy as np

from zerowait.model.quantities import Floats, Ints

# Bits of `helpers`: what a split did with the job.
ROUTED = 1  # found its own servers busy
SERVED = 2  # runs on the helpers

# What a seat holds, as the engine sees it: nobody, a job that waits, or one in service. REFUSED is
# a job that an auxiliary policy started on helpers that are not free; the loop goes no further.
VACANT, WAITING, RUNNING, REFUSED = range(4)

# Entries of `price`: what a pause costs.
TIME, SHARE = range(2)

# May jobs be paused? Bound to the policy's answer when the loop is compiled.
PAUSING = False


class Seats(NamedTuple):
    """What a policy may know of a job: `jobs.need[job]`, `jobs.arrival[job]`, ..."""

    arrival: Floats
    service: Floats
    estimate: (
        Floats  # the service time as announced; equal to `service` unless a trace says otherwise
    )
    job_class: Ints
    need: Ints
    need_rank: Ints  # place of the need among the distinct needs, smallest first
    order: Ints  # place in the stream: smaller means an earlier arrival
    helpers: Ints  # ROUTED | SERVED, set by policies that split the servers
    clock: Floats  # [1] the present time
    vacant: Ints  # a stack of free seats
    phase: Ints  # VACANT, WAITING, RUNNING or REFUSED
    price: Floats  # [2] of a pause: TIME, and SHARE of the service attained
    # Kept where jobs may be paused, as of the last pause:
    remaining: Floats  # time in service still to come, prices of pauses included
    work_left: Floats  # of that, the job's own service; it pays for its pauses first
    paid: Floats  # for its pauses, in time
    end: Floats  # of a job in service
    start: Floats  # of the first service; negative before it
    preemptions: Ints  # so far


def remaining_of(jobs: Seats, job: int) -> float:
    """Return the time in service still to come; never more than at the start of the service,
    whatever rounding says of end - now. (Kept where jobs may be paused.)"""
    if jobs.phase[job] == RUNNING:
        return min(jobs.end[job] - jobs.clock[0], jobs.remaining[job])
    return jobs.remaining[job]


def work_left_of(jobs: Seats, job: int) -> float:
    """Return the service still to come, without what the job has to pay before."""
    return min(jobs.work_left[job], remaining_of(jobs, job))


def is_priced(jobs: Seats) -> bool:
    """Do pauses cost anything?"""
    return jobs.price[TIME] > 0.0 or jobs.price[SHARE] > 0.0


def is_seat(jobs: Seats, job: int) -> bool:
    """May `job` be looked up at all?"""
    return 0 <= job < jobs.phase.shape[0]


def holds(jobs: Seats, job: int, phase: int) -> bool:
    """Is `job` one that is in this phase? NONE is not, nor is a number without a seat."""
    return is_seat(jobs, job) and jobs.phase[job] == phase


def empty_seats(n_seats: int) -> Seats:
    return Seats(
        arrival=np.zeros(n_seats),
        service=np.zeros(n_seats),
        estimate=np.zeros(n_seats),
        job_class=np.zeros(n_seats, np.int64),
        need=np.zeros(n_seats, np.int64),
        need_rank=np.zeros(n_seats, np.int64),
        order=np.zeros(n_seats, np.int64),
        helpers=np.zeros(n_seats, np.int64),
        clock=np.zeros(1),
        vacant=np.arange(n_seats),
        phase=np.full(n_seats, VACANT),
        price=np.zeros(2),
        remaining=np.zeros(n_seats),
        work_left=np.zeros(n_seats),
        paid=np.zeros(n_seats),
        end=np.zeros(n_seats),
        start=np.zeros(n_seats),
        preemptions=np.zeros(n_seats, np.int64),
    )
