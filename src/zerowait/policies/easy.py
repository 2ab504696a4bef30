"""EASY back-filling."""

from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Floats, Ints
from zerowait.engine.outline import called
from zerowait.engine.seats import Seats
from zerowait.engine.structures.job_trees import (
    JobTrees,
    empty_job_trees,
    first_in_time,
    first_to_free,
    insert,
    need_up_to,
    remove,
)
from zerowait.engine.structures.queues import NONE, Queues, empty_queues, join, leave
from zerowait.engine.system import System
from zerowait.policies.base import Policy, register


class State(NamedTuple):
    servers: Ints  # [1]
    idle: Ints  # [1] servers
    needs: Ints  # distinct needs, smallest first
    waiting: Queues  # one queue
    behind: JobTrees  # one tree per need: the waiting jobs in order of arrival, less `fresh`
    running: JobTrees  # one tree: by start + estimate
    fresh: Ints  # [1] the job that just came, or NONE
    settled: Ints  # [1] is nobody in `behind` to start, as long as the reservation holds?
    reserved: Ints  # [1] the blocked head whose reservation this is, or NONE
    shadow: Floats  # [1] the time of the reservation
    extra: Ints  # [1] servers idle at that time that the head does not need


@called
def reserve(state: State, jobs: Seats, head: int) -> None:
    """The earliest time at which the assumed ends of the running jobs let `head` start."""
    wanted = jobs.need[head] - state.idle[0]
    last = first_to_free(state.running, 0, jobs, wanted)
    shadow = max(state.running.key[last], jobs.clock[0])
    state.shadow[0] = shadow
    state.extra[0] = need_up_to(state.running, 0, jobs, shadow) - wanted
    state.reserved[0] = head
    state.settled[0] = 0


def may_overtake(state: State, jobs: Seats, job: int) -> bool:
    """Does `job` fit now without delaying the head?"""
    need = jobs.need[job]
    return need <= state.idle[0] and (
        need <= state.extra[0] or jobs.clock[0] + jobs.estimate[job] <= state.shadow[0]
    )


@called
def oldest_behind(state: State, jobs: Seats) -> int:
    """The oldest job of `behind` that may overtake the head, or NONE."""
    idle = state.idle[0]
    extra = state.extra[0]
    oldest = NONE
    for rank in range(state.needs.shape[0]):
        need = state.needs[rank]
        if need > idle:
            break
        job = state.behind.first[rank]
        if job != NONE and need > extra:
            job = first_in_time(state.behind, rank, jobs, jobs.clock[0], state.shadow[0])
        if job != NONE and (oldest == NONE or jobs.order[job] < jobs.order[oldest]):
            oldest = job
    return oldest


def forget(state: State, jobs: Seats, job: int) -> None:
    """`job` does not wait here any more."""
    leave(state.waiting, 0, job)
    if state.fresh[0] == job:
        state.fresh[0] = NONE
    else:
        remove(state.behind, jobs.need_rank[job], jobs, job)
    if state.reserved[0] == job:
        state.reserved[0] = NONE


@register
class Easy(Policy):
    """Start jobs in order of arrival; the first that does not fit gets a reservation, and a
    later job that fits starts if that does not delay it.

    The reservation is the earliest time (`shadow`) at which enough servers are idle if every
    running job ends at its start plus its estimate, or now where that is past; `extra` servers
    are then left over. A later job that fits the idle servers may start if it is estimated to
    end by `shadow`, or needs no more than `extra` servers, which it then uses up. Such a start
    changes neither `shadow` nor what else is idle then, so one that is passed over stays so,
    and the scan in order of arrival is to start, again and again, the oldest that may.

    A job whose need exceeds the servers (as auxiliary policy: it waits for servers of its
    own) never runs here, so it is passed over: it is no head and has no reservation.

    The reservation is sought anew only for another head, or after a job that ended before its
    estimate or overran; then, and at every start, each need costs a logarithm of the queue.
    """

    name = "easy"
    size_aware = True
    throughput_optimal = "unknown"
    source = "Lifka 1995; Mu'alem, Feitelson 2001"

    def initial_state(self, system: System) -> State:
        return State(
            servers=np.array([system.servers]),
            idle=np.array([system.servers]),
            needs=system.needs.copy(),
            waiting=empty_queues(1, system.n_seats),
            behind=empty_job_trees(len(system.needs), system.n_seats),
            running=empty_job_trees(1, system.n_seats),
            fresh=np.array([NONE]),
            settled=np.zeros(1, np.int64),
            reserved=np.array([NONE]),
            shadow=np.zeros(1),
            extra=np.zeros(1, np.int64),
        )

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        if jobs.need[job] <= state.servers[0]:
            join(state.waiting, 0, job)
            state.fresh[0] = job

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        state.idle[0] += jobs.need[job]
        state.settled[0] = 0
        if state.running.key[job] > jobs.clock[0]:
            # Sooner than assumed: the head may be let in sooner, too.
            state.reserved[0] = NONE
        remove(state.running, 0, jobs, job)

    @staticmethod
    def next_start(state: State, jobs: Seats) -> int:
        head = state.waiting.head[0]
        if head == NONE:
            return NONE
        job = NONE
        if jobs.need[head] <= state.idle[0]:
            job = head
        elif state.idle[0] > 0:
            if state.reserved[0] != head or state.shadow[0] < jobs.clock[0]:
                reserve(state, jobs, head)
            if state.settled[0] == 0:
                job = oldest_behind(state, jobs)
            if job == NONE:
                state.settled[0] = 1
                fresh = state.fresh[0]
                if fresh != NONE and may_overtake(state, jobs, fresh):
                    job = fresh
        if job == NONE:
            fresh = state.fresh[0]
            if fresh != NONE:
                insert(state.behind, jobs.need_rank[fresh], jobs, fresh, float(jobs.order[fresh]))
                state.fresh[0] = NONE
            return NONE
        end = jobs.clock[0] + jobs.estimate[job]
        if job != head and end > state.shadow[0]:
            state.extra[0] -= jobs.need[job]
        state.idle[0] -= jobs.need[job]
        forget(state, jobs, job)
        insert(state.running, 0, jobs, job, end)
        return job

    @staticmethod
    def withdraw(state: State, jobs: Seats, job: int) -> None:
        if jobs.need[job] <= state.servers[0]:
            forget(state, jobs, job)
