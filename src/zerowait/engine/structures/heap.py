"""A 4-ary min-heap of (time, job) held in two parallel arrays."""

from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Floats, Ints


class Heap(NamedTuple):
    """Running jobs by the time they end; the earliest stands at index 0."""

    times: Floats
    jobs: Ints


def empty_heap(n_seats: int) -> Heap:
    return Heap(np.zeros(n_seats), np.zeros(n_seats, np.int64))


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
