"""Conservative back-filling."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from zerowait.engine.kernel import called
from zerowait.engine.policy import MOST_NAMED, PoolView, System
from zerowait.engine.seats import Seats
from zerowait.engine.structures.profile import (
    Profile,
    begin_profile,
    empty_profile,
    occupy,
    pass_time,
    release,
)
from zerowait.engine.structures.queues import NONE, Queues, empty_queues, join, leave
from zerowait.engine.structures.trees import JobTrees, empty_job_trees, following, insert, remove
from zerowait.model import InputError
from zerowait.model.quantities import Floats, Ints
from zerowait.policies.base import Policy, register

MOST_WAITING = 1_000_000  # a minute's work for three million arrivals at a load of 1.5


class State(NamedTuple):
    servers: Ints  # [1]
    idle: Ints  # [1] servers
    waiting: Queues  # one queue
    begin: Floats  # per seat: the time of the reservation of a waiting job, less `fresh`
    next: Floats  # [1] the earliest of them
    planned: JobTrees  # one tree: the same jobs by that time, if it is `sorted`
    sorted: Ints  # [1] is it?
    running: JobTrees  # one tree: by start + estimate
    profile: Profile  # what running jobs and reservations leave free
    stale: Ints  # [1] is the profile to be built anew?
    built: Floats  # [1] when it was
    fresh: Ints  # [1] the job that just came and has no reservation yet, or NONE


def is_overrun(state: State, jobs: Seats) -> bool:
    """Tell whether a job runs that should have ended before now, unknown to the profile."""
    first = state.running.first[0]
    now = jobs.clock[0]
    return first != NONE and state.running.key[first] < now and state.built[0] < now


def has_missed(state: State, jobs: Seats) -> bool:
    """Tell whether a job could not start when its reservation came.

    One that is to take no time holds no servers in the profile, so that who came later may have
    them.
    """
    if state.sorted[0] != 0:
        first = state.planned.first[0]
        return first != NONE and state.planned.key[first] < jobs.clock[0]
    return state.next[0] < jobs.clock[0]


@called
def build(state: State, jobs: Seats) -> None:
    """Build profile and reservations from nothing, in order of arrival."""
    now = jobs.clock[0]
    begin_profile(state.profile, now, state.idle[0])
    job = state.running.first[0]
    while job != NONE:
        release(state.profile, state.running.key[job], jobs.need[job])
        job = following(state.running.trees, job)
    state.planned.trees.root[0] = NONE
    state.planned.first[0] = NONE
    state.sorted[0] = 0
    state.next[0] = np.inf
    job = state.waiting.head[0]
    while job != NONE:
        give_reservation(state, jobs, job)
        job = state.waiting.after[job]
    state.stale[0] = 0
    state.built[0] = now


def give_reservation(state: State, jobs: Seats, job: int) -> None:
    need = jobs.need[job]
    begin = occupy(state.profile, jobs.need_rank[job], need, jobs.estimate[job])
    state.begin[job] = begin
    state.next[0] = min(state.next[0], begin)


@called
def sort(state: State, jobs: Seats) -> None:
    """Sort the waiting jobs by the time of their reservations.

    Not when these are made: where jobs end earlier than estimated all are made anew, again and
    again, before the order is needed.
    """
    job = state.waiting.head[0]
    while job != NONE:
        insert(state.planned, 0, jobs, job, state.begin[job])
        job = state.waiting.after[job]
    state.sorted[0] = 1


def start_reserved(state: State, jobs: Seats, job: int) -> None:
    state.idle[0] -= jobs.need[job]
    leave(state.waiting, 0, job)
    insert(state.running, 0, jobs, job, jobs.clock[0] + jobs.estimate[job])


@called
def next_due(state: State, jobs: Seats) -> int:
    """Return the next job whose reservation has come and for which servers are idle, or NONE."""
    now = jobs.clock[0]
    if state.sorted[0] != 0:
        job = state.planned.first[0]
        while job != NONE and state.planned.key[job] <= now:
            if jobs.need[job] <= state.idle[0]:
                remove(state.planned, 0, jobs, job)
                return job
            job = following(state.planned.trees, job)
        return NONE
    if state.next[0] > now:
        return NONE
    later = np.inf
    job = state.waiting.head[0]
    while job != NONE:
        if state.begin[job] <= now and jobs.need[job] <= state.idle[0]:
            return job
        later = min(later, state.begin[job])
        job = state.waiting.after[job]
    state.next[0] = later
    return NONE


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
    given one: a search of the profile from where there may be room for its need. A job that
    ends early, overruns or is withdrawn costs such a search for every waiting job, and
    overrunning jobs cost it at every decision until they end. A run in which more than a
    million jobs wait is refused.
    """

    name = "conservative"
    size_aware = True
    throughput_optimal = "unknown"
    source = "Mu'alem, Feitelson 2001"
    look = ("brown", "triangle", "dotted")
    seconds_per_million = 3.0

    def initial_state(self, system: System) -> State:
        if system.n_seats // 2 - system.servers >= MOST_WAITING:  # seats double when all are taken
            raise InputError(
                f"policy conservative: more than {MOST_WAITING} jobs wait, and all their "
                "reservations are kept; give fewer arrivals or a lower load, or take easy"
            )
        return State(
            servers=np.array([system.servers]),
            idle=np.array([system.servers]),
            waiting=empty_queues(1, system.n_seats),
            begin=np.zeros(system.n_seats),
            next=np.full(1, np.inf),
            planned=empty_job_trees(1, system.n_seats),
            sorted=np.zeros(1, np.int64),
            running=empty_job_trees(1, system.n_seats),
            profile=empty_profile(system.n_seats, len(system.needs)),
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
            start_reserved(state, jobs, fresh)
            return fresh
        if state.stale[0] != 0 or is_overrun(state, jobs) or has_missed(state, jobs):
            build(state, jobs)
        else:
            if fresh != NONE:
                pass_time(state.profile, jobs.clock[0])
                give_reservation(state, jobs, fresh)
                if state.sorted[0] != 0:
                    insert(state.planned, 0, jobs, fresh, state.begin[fresh])
            if state.sorted[0] == 0 and state.built[0] < jobs.clock[0] >= state.next[0]:
                sort(state, jobs)
        state.fresh[0] = NONE
        job = next_due(state, jobs)
        if job != NONE:
            start_reserved(state, jobs, job)
        return job

    @staticmethod
    def withdraw(state: State, jobs: Seats, job: int) -> None:
        if jobs.need[job] > state.servers[0]:
            return
        leave(state.waiting, 0, job)
        if state.fresh[0] == job:
            state.fresh[0] = NONE
        else:
            if state.sorted[0] != 0:
                remove(state.planned, 0, jobs, job)
            state.stale[0] = 1

    def why_start(self, pool: PoolView, job: int) -> str:
        passed = [one for one in pool.before(job) if pool.need(one) <= pool.servers]
        if not passed:
            return f"its reservation is for now; it needs {pool.need(job)}, and {pool.idle_words}"
        return (
            "there is room for it now that delays no reservation made before "
            f"({reservations(pool, passed)})"
        )

    def why_wait(self, pool: PoolView) -> str:
        few = [job for job in pool.waiting if pool.need(job) <= pool.servers]
        if not few:
            return f"nobody that waits can ever run on {pool.servers} {pool.noun}"
        return f"{pool.idle_words}; reserved: {reservations(pool, few)}"


def reservations(pool: PoolView, jobs: Sequence[int]) -> str:
    """Say for when the first few of these jobs have reservations."""
    begin = pool.state.begin
    shown = [
        f"job {pool.name(job)} at {pool.time(float(begin[job]))}"
        for job in jobs[:MOST_NAMED]
        if math.isfinite(begin[job])
    ]
    more = len(jobs) - len(shown)
    return ", ".join([*shown, f"{more} more"] if more else shown)
