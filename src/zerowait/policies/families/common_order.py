"""The order common to all lines, and where a boundary cuts it.

Every line is sorted by the same key, so that the jobs next to its boundary stand for the line:
a decision compares one job per line. Keys move while jobs are in service, but never against
the order of their own line.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from zerowait.engine.kernel import called
from zerowait.engine.seats import Seats, remaining_of, work_left_of
from zerowait.engine.structures.age_pieces import Ages, ages_of, rounding_of, value_at
from zerowait.engine.structures.queues import NONE, Boundary, Lines, advance, first_outside, retreat
from zerowait.engine.structures.trees import Trees, empty_trees
from zerowait.model.age_functions import AgeFunction
from zerowait.model.quantities import Floats, Ints

# What jobs are ordered by; equals by arrival.
ARRIVAL, REMAINING, RANK = range(3)


class CommonOrder(NamedTuple):
    rule: Ints  # [1] ARRIVAL, REMAINING or RANK
    weights: Floats  # per line: what a remaining time or a rank is multiplied by
    ranks: Ages  # per class; for RANK alone
    tree: Trees
    inside: Floats  # per line: key of the last job inside the boundary, -1 if there is none
    outside: Floats  # per line: key of the first job outside, infinite if there is none


def empty_order(
    rule: int, weights: Floats, n_seats: int, ranks: Sequence[AgeFunction] = ()
) -> CommonOrder:
    n_lines = len(weights)
    return CommonOrder(
        np.array([rule]),
        weights,
        ages_of(ranks),
        empty_trees(n_lines, n_seats),
        np.zeros(n_lines),
        np.zeros(n_lines),
    )


def without_last_bits(value: float) -> float:
    """Round to 41 bits, so that ranks that only rounding tells apart are equal (Dekker 1971)."""
    spread = value * 4097.0
    return spread - (spread - value)


@called
def common_key(order: CommonOrder, jobs: Seats, line: int, job: int) -> float:
    if order.rule[0] == ARRIVAL:
        return float(jobs.order[job])
    if order.rule[0] == RANK:
        left = work_left_of(jobs, job)
        age = jobs.service[job] - left
        rank = value_at(order.ranks, jobs.job_class[job], age, rounding_of(jobs, age, left))
        return without_last_bits(rank * order.weights[line])
    return remaining_of(jobs, job) * order.weights[line]


@called
def look_at(order: CommonOrder, boundary: Boundary, lines: Lines, jobs: Seats, line: int) -> None:
    """Note the keys on both sides of the boundary in one line."""
    last = boundary.last[line]
    order.inside[line] = -1.0
    if last != NONE:
        order.inside[line] = common_key(order, jobs, line, last)
    first = first_outside(boundary, lines.queues, line)
    order.outside[line] = math.inf
    if first != NONE:
        order.outside[line] = common_key(order, jobs, line, first)


@called
def look_within(
    order: CommonOrder, boundary: Boundary, wider: Boundary, lines: Lines, jobs: Seats, line: int
) -> None:
    """The same, where only jobs inside a wider boundary come into question."""
    look_at(order, boundary, lines, jobs, line)
    first = first_outside(boundary, lines.queues, line)
    if first != NONE and wider.inside[first] == 0:
        order.outside[line] = math.inf


@called
def overlook(order: CommonOrder) -> None:
    """Let no line come into question, until it is looked at."""
    for line in range(order.inside.shape[0]):
        order.inside[line] = -1.0
        order.outside[line] = math.inf


@called
def largest_inside(order: CommonOrder, boundary: Boundary, jobs: Seats) -> int:
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
def smallest_outside(order: CommonOrder, boundary: Boundary, lines: Lines, jobs: Seats) -> int:
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
    order: CommonOrder, boundary: Boundary, lines: Lines, jobs: Seats, inside: int, outside: int
) -> bool:
    """Does the smallest job outside come before the largest inside?"""
    if inside == NONE or outside == NONE:
        return False
    if order.outside[outside] == order.inside[inside]:
        first = first_outside(boundary, lines.queues, outside)
        return jobs.order[first] < jobs.order[boundary.last[inside]]
    return order.outside[outside] < order.inside[inside]


def choose_prefix(
    order: CommonOrder, chosen: Boundary, lines: Lines, jobs: Seats, least: int
) -> None:
    """Make `chosen` the shortest prefix of the common order that weighs `least` or more."""
    for line in range(order.inside.shape[0]):
        look_at(order, chosen, lines, jobs, line)
    growing = False  # once it grows it is not cut again, so that this ends whatever rounding does
    while True:
        line = largest_inside(order, chosen, jobs)
        outside = smallest_outside(order, chosen, lines, jobs)
        surplus = line != NONE and chosen.total[0] - chosen.weights[line] >= least
        if not growing and (surplus or overtaken(order, chosen, lines, jobs, line, outside)):
            retreat(chosen, lines.queues, line)
        elif outside != NONE and chosen.total[0] < least:
            growing = True
            line = outside
            advance(chosen, lines.queues, line)
        else:
            break
        look_at(order, chosen, lines, jobs, line)
