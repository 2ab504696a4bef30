"""Waiting jobs in order: linked lists through the jobs' seats, and lines with a plan.

One `Queues` holds any number of lists; a job is in at most one of them. Joining, and leaving from
anywhere, cost a few memory accesses and never allocate.

`Lines` are queues, one per need, of which a policy plans to serve the first few jobs. Within a need
the order is fixed (arrival, or remaining time), so that a preemptive decision is a boundary per
line. Boundaries move one job at a time; what they passed over is all that can change, and the loop
starts or pauses just the difference.
"""

from typing import NamedTuple

import numpy as np

from zerowait.engine.seats import RUNNING, WAITING, Seats
from zerowait.model.quantities import Ints

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


class Boundary(NamedTuple):
    """The first jobs of every line, up to and with `last`."""

    weights: Ints  # per line: what a job adds to the total, its need or one
    last: Ints  # per line, or NONE
    n_inside: Ints  # per line
    total: Ints  # [1] weight of all inside
    inside: Ints  # per seat


class Lines(NamedTuple):
    queues: Queues  # one line per need
    plan: Boundary  # who is to be in service
    touched: Ints  # a stack of the jobs that the plan's boundary passed since the last decision
    is_touched: Ints  # per seat
    cursor: Ints  # [3] size of the stack, next to look at for a pause, for a start


N_TOUCHED, PAUSED, STARTED = range(3)


def empty_boundary(weights: Ints, n_seats: int) -> Boundary:
    return Boundary(
        weights.copy(),
        np.full(len(weights), NONE),
        np.zeros(len(weights), np.int64),
        np.zeros(1, np.int64),
        np.zeros(n_seats, np.int64),
    )


def empty_lines(needs: Ints, n_seats: int) -> Lines:
    """Return lines for jobs with these needs."""
    return Lines(
        empty_queues(len(needs), n_seats),
        empty_boundary(needs, n_seats),
        np.zeros(n_seats, np.int64),
        np.zeros(n_seats, np.int64),
        np.zeros(3, np.int64),
    )


def first_outside(boundary: Boundary, queues: Queues, line: int) -> int:
    last = boundary.last[line]
    if last == NONE:
        return queues.head[line]
    return queues.after[last]


def include(boundary: Boundary, line: int, job: int) -> None:
    """Count `job`, which stands before the boundary or is the first beyond it, as inside."""
    boundary.inside[job] = 1
    boundary.n_inside[line] += 1
    boundary.total[0] += boundary.weights[line]


def exclude(boundary: Boundary, line: int, job: int) -> None:
    boundary.inside[job] = 0
    boundary.n_inside[line] -= 1
    boundary.total[0] -= boundary.weights[line]


def join_boundary(boundary: Boundary, queues: Queues, line: int, job: int) -> bool:
    """Count a newcomer to a line as inside if the next job of the line is; say whether."""
    after = queues.after[job]
    inside = after != NONE and boundary.inside[after] != 0
    if inside:
        include(boundary, line, job)
    return inside


def join_inside(boundary: Boundary, queues: Queues, line: int, job: int) -> None:
    """Count a newcomer to a line, none before it outside, as inside."""
    if boundary.last[line] == queues.before[job]:
        boundary.last[line] = job
    include(boundary, line, job)


def advance(boundary: Boundary, queues: Queues, line: int) -> int:
    """Take the first job outside in."""
    job = first_outside(boundary, queues, line)
    boundary.last[line] = job
    include(boundary, line, job)
    return job


def retreat(boundary: Boundary, queues: Queues, line: int) -> int:
    """Leave the last job inside out."""
    job = boundary.last[line]
    boundary.last[line] = queues.before[job]
    exclude(boundary, line, job)
    return job


def forget(boundary: Boundary, queues: Queues, line: int, job: int) -> None:
    """Take `job`, which is about to leave its line, off the boundary."""
    if boundary.inside[job] != 0:
        if boundary.last[line] == job:
            boundary.last[line] = queues.before[job]
        exclude(boundary, line, job)


def touch(lines: Lines, job: int) -> None:
    if lines.is_touched[job] == 0:
        lines.is_touched[job] = 1
        lines.touched[lines.cursor[N_TOUCHED]] = job
        lines.cursor[N_TOUCHED] += 1


def plan_more(lines: Lines, line: int) -> None:
    touch(lines, advance(lines.plan, lines.queues, line))


def plan_fewer(lines: Lines, line: int) -> None:
    touch(lines, retreat(lines.plan, lines.queues, line))


def plan_count(lines: Lines, line: int, count: int) -> None:
    """Plan to serve the first `count` jobs of the line."""
    while lines.plan.n_inside[line] > count:
        plan_fewer(lines, line)
    while lines.plan.n_inside[line] < count:
        plan_more(lines, line)


def leave_line(lines: Lines, line: int, job: int) -> None:
    forget(lines.plan, lines.queues, line, job)
    leave(lines.queues, line, job)


def next_pause(lines: Lines, jobs: Seats) -> int:
    """Return a job in service that the plan has dropped, or NONE."""
    while lines.cursor[PAUSED] < lines.cursor[N_TOUCHED]:
        job = lines.touched[lines.cursor[PAUSED]]
        lines.cursor[PAUSED] += 1
        if jobs.phase[job] == RUNNING and lines.plan.inside[job] == 0:
            return job
    return NONE


def next_planned(lines: Lines, jobs: Seats) -> int:
    """Return a planned job that is not in service, or NONE; asked after all pauses."""
    while lines.cursor[STARTED] < lines.cursor[N_TOUCHED]:
        job = lines.touched[lines.cursor[STARTED]]
        lines.cursor[STARTED] += 1
        lines.is_touched[job] = 0
        if jobs.phase[job] == WAITING and lines.plan.inside[job] != 0:
            return job
    lines.cursor[N_TOUCHED] = 0
    lines.cursor[PAUSED] = 0
    lines.cursor[STARTED] = 0
    return NONE
