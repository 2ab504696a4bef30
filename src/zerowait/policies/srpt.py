"""What the policies that serve short jobs first share: lines by remaining time.

Within a need the jobs in service are the first of their line and shrink at the same pace,
the others stand still: so a line's order never changes, and a job moves only when it comes
or goes. Across needs, a set that is a prefix of the common order stays one for the same reason.
"""

import math
from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Floats, Ints
from zerowait.engine.lines import (
    Boundary,
    Lines,
    empty_lines,
    first_outside,
    forget,
    include,
    plan_fewer,
    plan_more,
    touch,
)
from zerowait.engine.outline import called
from zerowait.engine.queues import NONE
from zerowait.engine.seats import Seats, remaining_of
from zerowait.engine.sorted_lines import Tree, attach, empty_tree, take_out
from zerowait.engine.system import System
from zerowait.policies.preemptive import Preemptive


class Order(NamedTuple):
    """Lines by remaining time, and where a boundary cuts the order common to all of them."""

    weights: Floats  # per line: what a remaining time is multiplied by to compare lines
    tree: Tree
    inside: Floats  # per line: key of the last job inside the boundary, -1 if there is none
    outside: Floats  # per line: key of the first job outside, infinite if there is none


class State(NamedTuple):
    servers: Ints  # [1]
    needs: Ints  # distinct needs, smallest first
    lines: Lines  # one per need
    order: Order


def empty_order(weights: Floats, n_seats: int) -> Order:
    n_lines = len(weights)
    return Order(weights, empty_tree(n_lines, n_seats), np.zeros(n_lines), np.zeros(n_lines))


def join_by_remaining(order: Order, lines: Lines, jobs: Seats, job: int) -> None:
    """Find the newcomer's place; equal remaining times keep the order of arrival."""
    line = jobs.need_rank[job]
    tree = order.tree
    remaining = jobs.remaining[job]
    older = NONE
    node = tree.root[line]
    while node != NONE:
        if remaining < remaining_of(jobs, node):
            node = tree.left[node]
        else:
            older = node
            node = tree.right[node]
    attach(tree, lines.queues, line, jobs, job, older)
    if stands_inside(lines.plan, lines, job):
        include(lines.plan, jobs, line, job)
        touch(lines, job)


def stands_inside(boundary: Boundary, lines: Lines, job: int) -> bool:
    """A newcomer is inside if the next job of its line is."""
    after = lines.queues.after[job]
    return after != NONE and boundary.inside[after] != 0


def leave_order(order: Order, lines: Lines, jobs: Seats, job: int) -> None:
    line = jobs.need_rank[job]
    forget(lines.plan, lines.queues, jobs, line, job)
    take_out(order.tree, lines.queues, line, job)


@called
def look_at(order: Order, boundary: Boundary, lines: Lines, jobs: Seats, line: int) -> None:
    """Note the keys on both sides of the boundary in one line."""
    last = boundary.last[line]
    order.inside[line] = -1.0
    if last != NONE:
        order.inside[line] = remaining_of(jobs, last) * order.weights[line]
    first = first_outside(boundary, lines.queues, line)
    order.outside[line] = math.inf
    if first != NONE:
        order.outside[line] = remaining_of(jobs, first) * order.weights[line]


@called
def largest_inside(order: Order, boundary: Boundary, jobs: Seats) -> int:
    """The line of the largest job inside, the latest arrival among equals; or NONE."""
    best = NONE
    for line in range(order.inside.shape[0]):
        key = order.inside[line]
        if key < 0.0:
            continue
        later = best == NONE or key > order.inside[best]
        if not later and key == order.inside[best]:
            later = jobs.order[boundary.last[line]] > jobs.order[boundary.last[best]]
        if later:
            best = line
    return best


@called
def smallest_outside(order: Order, boundary: Boundary, lines: Lines, jobs: Seats) -> int:
    """The line of the smallest job outside, the earliest arrival among equals; or NONE."""
    best = NONE
    for line in range(order.outside.shape[0]):
        key = order.outside[line]
        if key == math.inf:
            continue
        if best == NONE or key < order.outside[best]:
            best = line
        elif key == order.outside[best]:
            one = first_outside(boundary, lines.queues, line)
            other = first_outside(boundary, lines.queues, best)
            if jobs.order[one] < jobs.order[other]:
                best = line
    return best


@called
def overtaken(
    order: Order, boundary: Boundary, lines: Lines, jobs: Seats, inside: int, outside: int
) -> bool:
    """Does the smallest job outside come before the largest inside?"""
    if inside == NONE or outside == NONE:
        return False
    if order.outside[outside] == order.inside[inside]:
        first = first_outside(boundary, lines.queues, outside)
        return jobs.order[first] < jobs.order[boundary.last[inside]]
    return order.outside[outside] < order.inside[inside]


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
            plan_fewer(lines, jobs, line)
        elif outside == NONE:
            break
        elif state.needs[outside] <= idle:
            growing = True
            line = outside
            plan_more(lines, jobs, line)
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

    def weights(self, system: System) -> Floats:
        """Needs, to compare jobs by remaining size; ones, by remaining time."""
        return system.needs.astype(np.float64)

    def initial_state(self, system: System) -> State:
        return State(
            np.array([system.servers]),
            system.needs.copy(),
            empty_lines(len(system.needs), system.n_seats),
            empty_order(self.weights(system), system.n_seats),
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
