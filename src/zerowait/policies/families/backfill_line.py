"""The line of a back-filling policy: who waits, by key, and the one reservation."""

from typing import NamedTuple

from zerowait.engine.kernel import called
from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import NONE, Queues, join, leave
from zerowait.engine.structures.trees import (
    JobTrees,
    first_in_time,
    first_to_free,
    insert,
    need_up_to,
    remove,
)
from zerowait.model.quantities import Floats, Ints
from zerowait.policies.families.backfill_rule import NEVER, Order


class State(NamedTuple):
    servers: Ints  # [1]
    idle: Ints  # [1] servers
    needs: Ints  # distinct needs, smallest first
    order: Order
    reserve_after: Floats  # [1]
    over_reserve: Ints  # [1]
    waiting: JobTrees  # one tree per need: by key, less `fresh`
    # Where a reservation comes late: who has waited long enough for it, and who has not.
    old: JobTrees  # one tree per need: by key
    young: Queues  # one queue: in order of arrival
    is_old: Ints  # per seat
    running: JobTrees  # one tree: by start + estimate; empty where nothing is ever reserved
    fresh: Ints  # [1] the job that just came, or NONE
    settled: Ints  # [1] may nobody but `fresh` start, as long as the reservation holds?
    head: Ints  # [1] who holds nobody but those behind it back, or NONE
    reserved: Ints  # [1] the head whose reservation this is, or NONE
    shadow: Floats  # [1] the time of the reservation
    extra: Ints  # [1] servers idle at that time that the head does not need


def goes_before(state: State, jobs: Seats, job: int, other: int) -> bool:
    key = state.waiting.key[job]
    later = state.waiting.key[other]
    return key < later or (key == later and jobs.order[job] < jobs.order[other])


def is_late(state: State) -> bool:
    """Do reservations come late, but come?"""
    return 0.0 < state.reserve_after[0] < NEVER


@called
def stand_in_line(state: State, jobs: Seats, job: int) -> None:
    """`job` waits."""
    insert(state.waiting, jobs.need_rank[job], jobs, job, state.waiting.key[job])
    if is_late(state):
        state.is_old[job] = 0
        join(state.young, 0, job)


@called
def leave_line(state: State, jobs: Seats, job: int) -> None:
    remove(state.waiting, jobs.need_rank[job], jobs, job)
    if is_late(state):
        if state.is_old[job] != 0:
            remove(state.old, jobs.need_rank[job], jobs, job)
        else:
            leave(state.young, 0, job)


@called
def grow_old(state: State, jobs: Seats) -> None:
    """Whoever has waited long enough may be the head from now on."""
    job = state.young.head[0]
    while job != NONE and jobs.clock[0] - jobs.arrival[job] >= state.reserve_after[0]:
        leave(state.young, 0, job)
        state.is_old[job] = 1
        insert(state.old, jobs.need_rank[job], jobs, job, state.waiting.key[job])
        if jobs.need[job] > state.idle[0]:
            state.settled[0] = 0
        job = state.young.head[0]


@called
def reserve(state: State, jobs: Seats) -> None:
    """The earliest time at which the assumed ends of the running jobs let the head start."""
    head = state.head[0]
    wanted = jobs.need[head] - state.idle[0]
    last = first_to_free(state.running, 0, jobs, wanted)
    shadow = max(state.running.key[last], jobs.clock[0])
    state.shadow[0] = shadow
    left = need_up_to(state.running, 0, jobs, shadow) - wanted
    state.extra[0] = left - state.over_reserve[0]
    state.reserved[0] = head


def is_overdue(state: State, jobs: Seats) -> bool:
    """Has a job that was to let the head start by now outrun its estimate?"""
    return state.reserved[0] != NONE and state.shadow[0] < jobs.clock[0]


def may_pass(state: State, jobs: Seats, job: int) -> bool:
    """Does a job that fits start without delaying the head, if it comes after it?"""
    head = state.head[0]
    if head == NONE or goes_before(state, jobs, job, head):
        return True
    if state.reserved[0] != head:
        reserve(state, jobs)
    in_time = jobs.clock[0] + jobs.estimate[job] <= state.shadow[0]
    return in_time or jobs.need[job] <= to_spare(state)


def to_spare(state: State) -> int:
    """Idle servers that may be held beyond the reservation; it takes `over_reserve` too many."""
    return min(state.extra[0], state.idle[0] - state.over_reserve[0])


@called
def first_that_passes(state: State, jobs: Seats) -> int:
    """The first of those that fit, all behind the head, that does not delay it, or NONE."""
    first = NONE
    spare = to_spare(state)
    for rank in range(state.needs.shape[0]):
        if state.needs[rank] > state.idle[0]:
            break
        job = state.waiting.first[rank]
        if job != NONE and state.needs[rank] > spare:
            job = first_in_time(state.waiting, rank, jobs, jobs.clock[0], state.shadow[0])
        if job != NONE and (first == NONE or goes_before(state, jobs, job, first)):
            first = job
    return first
