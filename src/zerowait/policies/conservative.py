"""Conservative back-filling."""

from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Floats, Ints
from zerowait.engine.outline import called
from zerowait.engine.seats import Seats
from zerowait.engine.structures.job_trees import JobTrees, empty_job_trees, insert, remove
from zerowait.engine.structures.profile import (
    Profile,
    begin_profile,
    empty_profile,
    occupy,
    pass_time,
    release,
)
from zerowait.engine.structures.queues import NONE, Queues, empty_queues, join, leave
from zerowait.engine.structures.trees import following
from zerowait.engine.system import System
from zerowait.policies.base import Policy, register


class State(NamedTuple):
    servers: Ints  # [1]
    idle: Ints  # [1] servers
    waiting: Queues  # one queue
    planned: JobTrees  # one tree: the waiting jobs by the time of their reservation, less `fresh`
    running: JobTrees  # one tree: by start + estimate
    profile: Profile  # what running jobs and reservations leave free
    stale: Ints  # [1] is the profile to be built anew?
    built: Floats  # [1] when it was
    fresh: Ints  # [1] the job that just came and has no reservation yet, or NONE


def overrun(state: State, jobs: Seats) -> bool:
    """Does a job run that should have ended before now, unknown to the profile?"""
    first = state.running.first[0]
    now = jobs.clock[0]
    return first != NONE and state.running.key[first] < now and state.built[0] < now


@called
def build(state: State, jobs: Seats) -> None:
    """Profile and reservations from nothing, in order of arrival."""
    now = jobs.clock[0]
    begin_profile(state.profile, now, state.idle[0])
    job = state.running.first[0]
    while job != NONE:
        release(state.profile, state.running.key[job], jobs.need[job])
        job = following(state.running.trees, job)
    job = state.waiting.head[0]
    while job != NONE:
        if job != state.fresh[0]:
            remove(state.planned, 0, jobs, job)
        begin = occupy(state.profile, jobs.need[job], jobs.estimate[job])
        insert(state.planned, 0, jobs, job, begin)
        job = state.waiting.after[job]
    state.stale[0] = 0
    state.built[0] = now


def start(state: State, jobs: Seats, job: int) -> None:
    state.idle[0] -= jobs.need[job]
    leave(state.waiting, 0, job)
    insert(state.running, 0, jobs, job, jobs.clock[0] + jobs.estimate[job])


@register
class Conservative(Policy):
    """Every waiting job has a reservation that no later arrival delays; a job starts when its
    reservation is due.

    At a decision: running jobs are taken to end at their start plus their estimate, or now
    where that is past. In order of arrival each waiting job is given the earliest time, now
    or later, from which its need is free for its estimate beside the running jobs and the
    reservations before it (at that instant, if the estimate is zero). Those whose time is
    now start, in order of arrival; where a job overruns, only as far as servers are idle.

    A job whose need exceeds the servers (as auxiliary policy) is passed over.

    While jobs end as estimated the reservations stay what they are, so only a new job is
    given one: a walk over the profile, at most two steps for each job in the system. A job
    that ends early, overruns or is withdrawn costs such a walk for every waiting job, and
    overrunning jobs cost it at every decision until they end.
    """

    name = "conservative"
    size_aware = True
    throughput_optimal = "unknown"
    source = "Mu'alem, Feitelson 2001"

    def initial_state(self, system: System) -> State:
        return State(
            servers=np.array([system.servers]),
            idle=np.array([system.servers]),
            waiting=empty_queues(1, system.n_seats),
            planned=empty_job_trees(1, system.n_seats),
            running=empty_job_trees(1, system.n_seats),
            profile=empty_profile(system.n_seats),
            stale=np.ones(1, np.int64),
            built=np.full(1, -np.inf),
            fresh=np.array([NONE]),
        )

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        if jobs.need[job] <= state.servers[0]:
            join(state.waiting, 0, job)
            state.fresh[0] = job

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        state.idle[0] += jobs.need[job]
        if state.running.key[job] != jobs.clock[0]:
            state.stale[0] = 1
        remove(state.running, 0, jobs, job)

    @staticmethod
    def next_start(state: State, jobs: Seats) -> int:
        head = state.waiting.head[0]
        if head == NONE:
            return NONE
        fresh = state.fresh[0]
        if fresh == head and jobs.need[fresh] <= state.idle[0]:
            # Nobody else waits: the profile is not needed and not kept.
            state.fresh[0] = NONE
            state.stale[0] = 1
            start(state, jobs, fresh)
            return fresh
        if state.stale[0] != 0 or overrun(state, jobs):
            build(state, jobs)
        elif fresh != NONE:
            pass_time(state.profile, jobs.clock[0])
            begin = occupy(state.profile, jobs.need[fresh], jobs.estimate[fresh])
            insert(state.planned, 0, jobs, fresh, begin)
        state.fresh[0] = NONE
        job = state.planned.first[0]
        while job != NONE and state.planned.key[job] <= jobs.clock[0]:
            if jobs.need[job] <= state.idle[0]:
                remove(state.planned, 0, jobs, job)
                start(state, jobs, job)
                return job
            job = following(state.planned.trees, job)
        return NONE

    @staticmethod
    def withdraw(state: State, jobs: Seats, job: int) -> None:
        if jobs.need[job] > state.servers[0]:
            return
        leave(state.waiting, 0, job)
        if state.fresh[0] == job:
            state.fresh[0] = NONE
        else:
            remove(state.planned, 0, jobs, job)
            state.stale[0] = 1
