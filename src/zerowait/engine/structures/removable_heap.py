"""A 4-ary min-heap of (time, job) from which any job can be taken: running jobs may be paused."""

from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Floats, Ints
from zerowait.engine.outline import called


class RemovableHeap(NamedTuple):
    """Running jobs by the time they end; the earliest stands at index 0."""

    times: Floats
    jobs: Ints
    place: Ints  # per seat: where the job stands


def empty_removable_heap(n_seats: int) -> RemovableHeap:
    return RemovableHeap(
        np.zeros(n_seats), np.zeros(n_seats, np.int64), np.zeros(n_seats, np.int64)
    )


def sift_up(heap: RemovableHeap, hole: int, time: float, job: int) -> None:
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
def remove(heap: RemovableHeap, size: int, job: int) -> int:
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
