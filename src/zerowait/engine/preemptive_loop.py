"""The event loop of a preemptive system, written once and compiled per policy.

Events as in `loop.py`. A decision names the jobs to pause, then those to start; whoever is in
service before and after goes on undisturbed. Started at t a job ends at t + remaining; paused
at t it has end - t left, but never more than it started with.
"""

import math
from typing import Any

from zerowait.engine.arrays import Ints
from zerowait.engine.loop import (
    CONSUMED,
    DRAINING,
    FILLED,
    FULL,
    N_RUNNING,
    N_VACANT,
    ORDER,
    POSITION,
    Chunk,
    take_seat,
)
from zerowait.engine.seats import Seats, remaining_of
from zerowait.engine.statistics.sums import (
    Statistics,
    count_busy,
    count_in_system,
    note_arrival,
    record_job,
)
from zerowait.engine.structures.queues import NONE
from zerowait.engine.structures.removable_heap import RemovableHeap, remove, sift_up


def on_arrival(state: Any, jobs: Seats, job: int) -> None:
    """Placeholder, bound to the policy's hook by `compile_loop`."""


def on_departure(state: Any, jobs: Seats, job: int) -> None:
    """Placeholder, bound to the policy's hook by `compile_loop`."""


def decide(state: Any, jobs: Seats) -> None:
    """Placeholder, bound to the policy's hook by `compile_loop`."""


def next_stop(state: Any, jobs: Seats) -> int:
    """Placeholder, bound to the policy's hook by `compile_loop`."""
    return NONE


def next_start(state: Any, jobs: Seats) -> int:
    """Placeholder, bound to the policy's hook by `compile_loop`."""
    return NONE


def preemptive_loop(
    state: Any, jobs: Seats, heap: RemovableHeap, stats: Statistics, chunk: Chunk, cursor: Ints
) -> int:
    """Run until the chunk is consumed (when draining: until no job is left) or seats run out."""
    position = cursor[POSITION]
    filled = cursor[FILLED]
    draining = cursor[DRAINING] != 0
    order = cursor[ORDER]
    n_running = cursor[N_RUNNING]
    n_vacant = cursor[N_VACANT]
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
            jobs.clock[0] = now
            while n_running > 0 and heap.times[0] == now:
                job = heap.jobs[0]
                n_running = remove(heap, n_running, job)
                count_in_system(stats, jobs.job_class[job], now, -1)
                count_busy(stats, jobs.job_class[job], now, -jobs.need[job])
                on_departure(state, jobs, job)
                start = jobs.start[job]
                wait = start - jobs.arrival[job]
                if jobs.preemptions[job] > 0:
                    wait = max(now - jobs.arrival[job] - jobs.service[job], 0.0)
                record_job(stats, jobs, job, start, now, wait, jobs.preemptions[job])
                jobs.running[job] = 0
                jobs.vacant[n_vacant] = job
                n_vacant += 1
        elif position < filled:
            if n_vacant == 0:
                status = FULL
                break
            now = next_arrival
            jobs.clock[0] = now
            n_vacant -= 1
            job = jobs.vacant[n_vacant]
            take_seat(jobs, job, chunk, position, order)
            jobs.remaining[job] = jobs.service[job]
            jobs.start[job] = -1.0
            jobs.preemptions[job] = 0
            position += 1
            order += 1
            count_in_system(stats, jobs.job_class[job], now, 1)
            note_arrival(stats, order, now)
            on_arrival(state, jobs, job)
        else:
            break

        decide(state, jobs)
        while True:
            job = next_stop(state, jobs)
            if job == NONE:
                break
            jobs.remaining[job] = remaining_of(jobs, job)
            jobs.running[job] = 0
            jobs.preemptions[job] += 1
            n_running = remove(heap, n_running, job)
            count_busy(stats, jobs.job_class[job], now, -jobs.need[job])
        while True:
            job = next_start(state, jobs)
            if job == NONE:
                break
            jobs.end[job] = now + jobs.remaining[job]
            jobs.running[job] = 1
            if jobs.start[job] < 0.0:
                jobs.start[job] = now
            sift_up(heap, n_running, jobs.end[job], job)
            n_running += 1
            count_busy(stats, jobs.job_class[job], now, jobs.need[job])

    cursor[POSITION] = position
    cursor[ORDER] = order
    cursor[N_RUNNING] = n_running
    cursor[N_VACANT] = n_vacant
    return status
