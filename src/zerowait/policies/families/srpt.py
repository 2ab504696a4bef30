"""What the policies that serve short jobs first share: lines by remaining time.

Within a need the jobs in service are the first of their line and shrink at the same pace,
the others stand still: so a line's order never changes, and a job moves only when it comes
or goes, or is charged for a pause. Across needs, a set that is a prefix of the common order stays
one for the same reason.
"""

import math
from typing import ClassVar, NamedTuple

import numpy as np

from zerowait.engine.policy import PoolView, System
from zerowait.engine.seats import Seats, is_priced, remaining_of
from zerowait.engine.structures.queues import (
    NONE,
    Boundary,
    Lines,
    empty_lines,
    forget,
    join_boundary,
    plan_fewer,
    plan_more,
    touch,
)
from zerowait.engine.structures.trees import attach, take_out
from zerowait.model.quantities import Floats, Ints
from zerowait.policies.families.common_order import (
    REMAINING,
    CommonOrder,
    empty_order,
    largest_inside,
    look_at,
    overtaken,
    smallest_outside,
)
from zerowait.policies.families.preemptive import Preemptive


class State(NamedTuple):
    servers: Ints  # [1]
    needs: Ints  # distinct needs, smallest first
    lines: Lines  # one per need
    order: CommonOrder


def join_by_remaining(order: CommonOrder, lines: Lines, jobs: Seats, job: int) -> None:
    """Find the job's place; equal remaining times keep the order of arrival."""
    line = jobs.need_rank[job]
    tree = order.tree
    remaining = jobs.remaining[job]
    older = NONE
    node = tree.root[line]
    while node != NONE:
        other = remaining_of(jobs, node)
        if remaining < other or (remaining == other and jobs.order[job] < jobs.order[node]):
            node = tree.left[node]
        else:
            older = node
            node = tree.right[node]
    attach(tree, lines.queues, line, jobs, job, older)
    if join_boundary(lines.plan, lines.queues, line, job):
        touch(lines, job)


def leave_order(order: CommonOrder, lines: Lines, jobs: Seats, job: int) -> None:
    line = jobs.need_rank[job]
    forget(lines.plan, lines.queues, line, job)
    take_out(order.tree, lines.queues, line, job)


def rejoin_order(order: CommonOrder, lines: Lines, chosen: Boundary, jobs: Seats, job: int) -> None:
    """A paused job has more left than before, and goes back to where that belongs."""
    forget(chosen, lines.queues, jobs.need_rank[job], job)
    leave_order(order, lines, jobs, job)
    join_by_remaining(order, lines, jobs, job)
    join_boundary(chosen, lines.queues, jobs.need_rank[job], job)


def plan_in_order(state: State, jobs: Seats, skip: bool) -> None:
    """Plan jobs in the common order while they fit; past the first that does not, `skip` on.

    First the plan is cut back to a prefix of the common order that fits the servers: whoever
    is in it would be found to fit again. Then it grows. A job that does not fit closes its line,
    because the idle servers only get fewer.
    """
    order, lines = state.order, state.lines
    for line in range(state.needs.shape[0]):
        look_at(order, lines.plan, lines, jobs, line)
    growing = False  # once it grows it is not cut again, so that this ends whatever rounding does
    while True:
        line = largest_inside(order, lines.plan, jobs)
        outside = smallest_outside(order, lines.plan, lines, jobs)
        idle = state.servers[0] - lines.plan.total[0]
        if not growing and (idle < 0 or overtaken(order, lines.plan, lines, jobs, line, outside)):
            plan_fewer(lines, line)
        elif outside == NONE:
            break
        elif state.needs[outside] <= idle:
            growing = True
            line = outside
            plan_more(lines, line)
        elif skip:
            growing = True
            order.outside[outside] = math.inf
            continue
        else:
            break
        look_at(order, lines.plan, lines, jobs, line)


class Srpt(Preemptive):
    """Keeps a line per need by remaining time; a subclass cuts the common order."""

    size_aware = True
    skips: ClassVar[bool] = False  # does it look on past a job that does not fit?

    @property
    def by_size(self) -> bool:
        """Whether jobs are ordered by time x need, and not by time alone."""
        return True

    def weights(self, system: System) -> Floats:
        """Needs, to compare jobs by remaining size; ones, by remaining time."""
        return system.needs.astype(np.float64)

    def initial_state(self, system: System) -> State:
        return State(
            np.array([system.servers]),
            system.needs.copy(),
            empty_lines(system.needs, system.n_seats),
            empty_order(REMAINING, self.weights(system), system.n_seats),
        )

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        join_by_remaining(state.order, state.lines, jobs, job)

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        leave_order(state.order, state.lines, jobs, job)

    @staticmethod
    def withdraw(state: State, jobs: Seats, job: int) -> None:
        leave_order(state.order, state.lines, jobs, job)

    @staticmethod
    def on_pause(state: State, jobs: Seats, job: int) -> None:
        if is_priced(jobs):
            leave_order(state.order, state.lines, jobs, job)
            join_by_remaining(state.order, state.lines, jobs, job)

    def why_start(self, pool: PoolView, job: int) -> str:
        return f"{self._order_told()}: it has {self._left(pool, job)} left"

    def why_pause(self, pool: PoolView, job: int) -> str:
        return f"{self.why_start(pool, job)}, and others come first"

    def why_wait(self, pool: PoolView) -> str:
        if self.skips:
            return pool.nobody_fits
        least = "of those who wait the one with the least left does not fit, and blocks the rest"
        return f"{pool.idle_words}; {least}"

    def _order_told(self) -> str:
        what = "size (time x need)" if self.by_size else "time"
        until = "skipping what does not fit" if self.skips else "up to the first that does not fit"
        return f"least remaining {what} first, {until}"

    def _left(self, pool: PoolView, job: int) -> str:
        left = pool.length(float(remaining_of(pool.jobs, job)))
        return f"{left} x {pool.need(job)}" if self.by_size else left
