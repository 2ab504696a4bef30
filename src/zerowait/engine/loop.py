"""The event loop, written once and compiled per policy; and what happens to a job in service.

At one instant every completion releases its servers before the policy decides; then the
arrivals of that instant enter one by one, the policy deciding after each. So no decision
depends on the order in which the heap yields simultaneous completions. A decision names the
jobs to pause, then those to start; whoever is in service before and after goes on undisturbed.

Where no job is ever paused the end is known at the beginning: the job is counted at once, and
nothing is kept of what it has left to do. Otherwise it is counted when it ends. Started at t a job
ends at t + remaining; paused at t it has end - t left, but never more than it started with.

A pause may have a price, which is added to what is left, and paid first when the job goes on.
"""

import math
from typing import Any, NamedTuple

from zerowait.engine.mistakes import FINE, fault_of_start, fault_of_stop
from zerowait.engine.policy import Policy
from zerowait.engine.seats import (
    PAUSING,
    RUNNING,
    SHARE,
    TIME,
    VACANT,
    WAITING,
    Seats,
    remaining_of,
)
from zerowait.engine.structures.heap import Heap, enter_heap, pop, push, remove_from_heap
from zerowait.engine.structures.queues import NONE
from zerowait.engine.sums import (
    Statistics,
    count_busy,
    count_in_system,
    note_arrival,
    record_job,
    record_loss,
)
from zerowait.model.quantities import Floats, Ints


def begin_service(
    jobs: Seats, heap: Heap, stats: Statistics, n_running: int, job: int, now: float
) -> int:
    """Start or resume a job; return how many run."""
    jobs.phase[job] = RUNNING
    if PAUSING:
        end = now + jobs.remaining[job]
        jobs.end[job] = end
        if jobs.start[job] < 0.0:
            jobs.start[job] = now
        n_running = enter_heap(heap, n_running, end, job)
        count_busy(stats, jobs.job_class[job], now, jobs.need[job])
    else:
        end = now + jobs.service[job]
        n_running = push(heap.times, heap.jobs, n_running, end, job)
        count_busy(stats, jobs.job_class[job], now, jobs.need[job])
        record_job(stats, jobs, job, now, end, now - jobs.arrival[job], 0)
    return n_running


def pause_service(
    jobs: Seats, heap: Heap, stats: Statistics, n_running: int, job: int, now: float
) -> int:
    """Take a job out of service, and charge it for that; return how many run."""
    count_busy(stats, jobs.job_class[job], now, -jobs.need[job])
    remaining = remaining_of(jobs, job)
    jobs.work_left[job] = min(jobs.work_left[job], remaining)
    attained = jobs.service[job] - jobs.work_left[job]
    cost = jobs.price[TIME] + jobs.price[SHARE] * attained
    jobs.remaining[job] = remaining + cost
    jobs.paid[job] += cost
    jobs.phase[job] = WAITING
    jobs.preemptions[job] += 1
    return remove_from_heap(heap, n_running, job)


def end_service(
    jobs: Seats, heap: Heap, stats: Statistics, n_running: int, job: int, now: float
) -> int:
    """Take the job that is due, the first of the heap, out of service; return how many run."""
    if PAUSING:
        n_running = remove_from_heap(heap, n_running, job)
    else:
        n_running = pop(heap.times, heap.jobs, n_running)
    count_in_system(stats, jobs.job_class[job], now, -1)
    count_busy(stats, jobs.job_class[job], now, -jobs.need[job])
    return n_running


def vacate(jobs: Seats, stats: Statistics, n_vacant: int, job: int, now: float) -> int:
    """Free the seat of a job that has ended; return how many are free."""
    if PAUSING:
        start = jobs.start[job]
        wait = start - jobs.arrival[job]
        if jobs.preemptions[job] > 0:
            wait = max(now - jobs.arrival[job] - jobs.service[job], 0.0)
        record_job(stats, jobs, job, start, now, wait, jobs.preemptions[job])
        record_loss(stats, jobs, job, jobs.paid[job] * jobs.need[job])
    jobs.phase[job] = VACANT
    jobs.vacant[n_vacant] = job
    return n_vacant + 1


# Entries of `cursor`: the integers that a run carries from one call to the next.
POSITION, FILLED, DRAINING, ORDER, N_RUNNING, N_VACANT, FREE_SERVERS, FAULT, CULPRIT = range(9)
N_CURSOR = 9

# What the loop returns: it wants more arrivals, or more seats, or the policy broke a rule.
CONSUMED, FULL, BROKEN = range(3)

# Bound to the policy's own by `compile_loop`.
on_arrival = Policy.on_arrival
on_departure = Policy.on_departure
decide = Policy.decide
next_stop = Policy.next_stop
on_pause = Policy.on_pause
next_start = Policy.next_start


class Chunk(NamedTuple):
    """A stretch of the stream, one array entry per job, and what its kinds mean."""

    arrival: Floats
    service: Floats
    estimate: Floats
    kind: Ints
    class_of: Ints  # per kind
    need_of: Ints  # per kind
    rank_of: Ints  # per kind


def tell_time(jobs: Seats, now: float) -> None:
    """Set the clock; bound to nothing by `compile_loop` for policies that never look at it."""
    jobs.clock[0] = now


def take_seat(jobs: Seats, job: int, chunk: Chunk, position: int, order: int) -> None:
    """Seat the job at `position` of the chunk."""
    kind = chunk.kind[position]
    jobs.arrival[job] = chunk.arrival[position]
    jobs.service[job] = chunk.service[position]
    jobs.estimate[job] = chunk.estimate[position]
    jobs.job_class[job] = chunk.class_of[kind]
    jobs.need[job] = chunk.need_of[kind]
    jobs.need_rank[job] = chunk.rank_of[kind]
    jobs.order[job] = order
    jobs.helpers[job] = 0
    jobs.phase[job] = WAITING
    if PAUSING:
        jobs.remaining[job] = jobs.service[job]
        jobs.work_left[job] = jobs.service[job]
        jobs.paid[job] = 0.0
        jobs.start[job] = -1.0
        jobs.preemptions[job] = 0


def event_loop(
    state: Any,
    jobs: Seats,
    heap: Heap,
    stats: Statistics,
    chunk: Chunk,
    cursor: Ints,
) -> int:
    """Run until the chunk is consumed (when draining: until no job is left), seats run out or the
    policy breaks a rule."""
    position = cursor[POSITION]
    filled = cursor[FILLED]
    draining = cursor[DRAINING] != 0
    order = cursor[ORDER]
    n_running = cursor[N_RUNNING]
    n_vacant = cursor[N_VACANT]
    free = cursor[FREE_SERVERS]
    now = jobs.clock[0]
    status = CONSUMED
    while True:
        next_arrival = math.inf
        if position < filled:
            next_arrival = chunk.arrival[position]
        elif not draining:
            break

        if n_running > 0 and heap.times[0] <= next_arrival:
            now = heap.times[0]
            tell_time(jobs, now)
            while n_running > 0 and heap.times[0] == now:
                job = heap.jobs[0]
                n_running = end_service(jobs, heap, stats, n_running, job, now)
                free += jobs.need[job]
                on_departure(state, jobs, job)
                n_vacant = vacate(jobs, stats, n_vacant, job, now)
        elif position < filled:
            if n_vacant == 0:
                status = FULL
                break
            now = next_arrival
            tell_time(jobs, now)
            n_vacant -= 1
            job = jobs.vacant[n_vacant]
            take_seat(jobs, job, chunk, position, order)
            position += 1
            order += 1
            count_in_system(stats, jobs.job_class[job], now, 1)
            note_arrival(stats, order, now)
            on_arrival(state, jobs, job)
        else:
            break

        # One call each: hooks are inlined, and copies would double the time to compile.
        decide(state, jobs)
        fault = FINE
        if PAUSING:
            while True:
                job = next_stop(state, jobs)
                if job == NONE:
                    break
                fault = fault_of_stop(jobs, job)
                if fault != FINE:
                    break
                n_running = pause_service(jobs, heap, stats, n_running, job, now)
                free += jobs.need[job]
                on_pause(state, jobs, job)
        while fault == FINE:
            job = next_start(state, jobs)
            if job == NONE:
                break
            fault = fault_of_start(jobs, job, free)
            if fault == FINE:
                n_running = begin_service(jobs, heap, stats, n_running, job, now)
                free -= jobs.need[job]
        if fault != FINE:
            cursor[FAULT] = fault
            cursor[CULPRIT] = job
            status = BROKEN
            break

    jobs.clock[0] = now
    cursor[POSITION] = position
    cursor[ORDER] = order
    cursor[N_RUNNING] = n_running
    cursor[N_VACANT] = n_vacant
    cursor[FREE_SERVERS] = free
    return status
