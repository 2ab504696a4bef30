"""A 4-ary min-heap of (time, job) held in parallel arrays.

Jobs that `push` puts in leave by `pop`, the earliest first. Those that `enter` puts in can be taken
from anywhere by `remove`, at the price of noting where each stands. A heap is used one way or the
other.
"""

from typing import NamedTuple

import numpy as np

from zerowait.engine.kernel import called
from zerowait.model.quantities import Floats, Ints


class Heap(NamedTuple):
    """Running jobs by the time they end; the earliest stands at index 0."""

    times: Floats
    jobs: Ints
    place: Ints  # per seat: where the job stands; kept by `enter` and `remove`


def empty_heap(n_seats: int) -> Heap:
    return Heap(np.zeros(n_seats), np.zeros(n_seats, np.int64), np.zeros(n_seats, np.int64))


def push(times: Floats, jobs: Ints, size: int, time: float, job: int) -> int:
    hole = size
    while hole > 0:
        parent = (hole - 1) >> 2
        if times[parent] <= time:
            break
        times[hole] = times[parent]
        jobs[hole] = jobs[parent]
        hole = parent
    times[hole] = time
    jobs[hole] = job
    return size + 1


def pop(times: Floats, jobs: Ints, size: int) -> int:
    """Drop the earliest entry (read it first, at index 0)."""
    size -= 1
    time = times[size]
    job = jobs[size]
    hole = 0
    while True:
        child = 4 * hole + 1
        if child >= size:
            break
        best = child
        best_time = times[child]
        last = min(child + 4, size)
        for other in range(child + 1, last):
            if times[other] < best_time:
                best_time = times[other]
                best = other
        if best_time >= time:
            break
        times[hole] = best_time
        jobs[hole] = jobs[best]
        hole = best
    times[hole] = time
    jobs[hole] = job
    return size


def enter_heap(heap: Heap, size: int, time: float, job: int) -> int:
    sift_up(heap, size, time, job)
    return size + 1


def sift_up(heap: Heap, hole: int, time: float, job: int) -> None:
    """Put (time, job) at `hole` or nearer to the top."""
    while hole > 0:
        parent = (hole - 1) >> 2
        if heap.times[parent] <= time:
            break
        heap.times[hole] = heap.times[parent]
        heap.jobs[hole] = heap.jobs[parent]
        heap.place[heap.jobs[hole]] = hole
        hole = parent
    heap.times[hole] = time
    heap.jobs[hole] = job
    heap.place[job] = hole


@called
def remove_from_heap(heap: Heap, size: int, job: int) -> int:
    """Take `job` out; the last entry fills its place."""
    size -= 1
    hole = heap.place[job]
    if hole == size:
        return size
    time = heap.times[size]
    moved = heap.jobs[size]
    while True:
        child = 4 * hole + 1
        if child >= size:
            break
        best = child
        for other in range(child + 1, min(child + 4, size)):
            if heap.times[other] < heap.times[best]:
                best = other
        if heap.times[best] >= time:
            break
        heap.times[hole] = heap.times[best]
        heap.jobs[hole] = heap.jobs[best]
        heap.place[heap.jobs[hole]] = hole
        hole = best
    sift_up(heap, hole, time, moved)
    return size
