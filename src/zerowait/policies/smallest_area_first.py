"""Smallest area first."""

from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Ints
from zerowait.engine.seats import Seats
from zerowait.engine.structures.job_trees import JobTrees, empty_job_trees, insert, remove
from zerowait.engine.structures.queues import NONE
from zerowait.engine.system import System
from zerowait.policies.base import Policy, register


class State(NamedTuple):
    idle: Ints  # [1] servers
    needs: Ints  # distinct needs, smallest first
    waiting: JobTrees  # one tree per need: the waiting jobs by area, less `fresh`
    fresh: Ints  # [1] the job that just came, or NONE
    settled: Ints  # [1] does nobody in `waiting` fit?


def area_of(jobs: Seats, job: int) -> float:
    return jobs.estimate[job] * jobs.need[job]


def smallest_that_fits(state: State, jobs: Seats) -> int:
    """The job of `waiting` with the smallest area among those that fit, or NONE."""
    smallest = NONE
    for rank in range(state.needs.shape[0]):
        if state.needs[rank] > state.idle[0]:
            break
        job = state.waiting.first[rank]
        if job == NONE:
            continue
        if smallest == NONE:
            smallest = job
            continue
        area = state.waiting.key[job]
        least = state.waiting.key[smallest]
        if area < least or (area == least and jobs.order[job] < jobs.order[smallest]):
            smallest = job
    return smallest


@register
class SmallestAreaFirst(Policy):
    """Start, of the waiting jobs that fit the idle servers, the one with the smallest area
    (estimated service x need), and again until none fits.

    This is first-fit over the waiting jobs in order of area, ties in order of arrival: what a
    scan has passed over does not fit later in the same scan either. A job that comes while
    nobody fits is the only one that can start, so the search looks at the first job of each
    need after completions only.
    """

    name = "smallest-area-first"
    alias = "saf"
    size_aware = True
    throughput_optimal = "unknown"
    source = "Carastan-Santos, de Camargo, Trystram, Zrigui 2019"

    def initial_state(self, system: System) -> State:
        return State(
            idle=np.array([system.servers]),
            needs=system.needs.copy(),
            waiting=empty_job_trees(len(system.needs), system.n_seats),
            fresh=np.array([NONE]),
            settled=np.zeros(1, np.int64),
        )

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        state.fresh[0] = job

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        state.idle[0] += jobs.need[job]
        state.settled[0] = 0

    @staticmethod
    def next_start(state: State, jobs: Seats) -> int:
        fresh = state.fresh[0]
        if fresh != NONE:
            state.fresh[0] = NONE
            if state.settled[0] != 0 and jobs.need[fresh] <= state.idle[0]:
                state.idle[0] -= jobs.need[fresh]
                return fresh
            insert(state.waiting, jobs.need_rank[fresh], jobs, fresh, area_of(jobs, fresh))
        if state.settled[0] != 0:
            return NONE
        job = smallest_that_fits(state, jobs)
        if job == NONE:
            state.settled[0] = 1
        else:
            state.idle[0] -= jobs.need[job]
            remove(state.waiting, jobs.need_rank[job], jobs, job)
        return job

    @staticmethod
    def withdraw(state: State, jobs: Seats, job: int) -> None:
        if state.fresh[0] == job:
            state.fresh[0] = NONE
        else:
            remove(state.waiting, jobs.need_rank[job], jobs, job)
