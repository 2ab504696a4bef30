"""Waiting jobs in order of arrival: linked lists through the jobs' seats.

One `Queues` holds any number of lists; a job is in at most one of them. Joining, and
leaving from anywhere, cost a few memory accesses and never allocate.
"""

from typing import NamedTuple

import numpy as np

from zerowait.engine.kernel import Ints

NONE = -1


class Queues(NamedTuple):
    head: Ints  # per queue: the oldest job, or NONE
    tail: Ints  # per queue: the newest job, or NONE
    after: Ints  # per seat: the next newer job of its queue
    before: Ints  # per seat: the next older job of its queue


def empty_queues(n_queues: int, n_seats: int) -> Queues:
    return Queues(
        np.full(n_queues, NONE),
        np.full(n_queues, NONE),
        np.full(n_seats, NONE),
        np.full(n_seats, NONE),
    )


def join(queues: Queues, queue: int, job: int) -> None:
    """Put `job` at the end of `queue`."""
    last = queues.tail[queue]
    queues.before[job] = last
    queues.after[job] = NONE
    queues.tail[queue] = job
    if last == NONE:
        queues.head[queue] = job
    else:
        queues.after[last] = job


def leave(queues: Queues, queue: int, job: int) -> None:
    """Take `job` out of `queue`, wherever it stands."""
    older = queues.before[job]
    newer = queues.after[job]
    if older == NONE:
        queues.head[queue] = newer
    else:
        queues.after[older] = newer
    if newer == NONE:
        queues.tail[queue] = older
    else:
        queues.before[newer] = older
