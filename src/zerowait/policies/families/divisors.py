"""What the DivisorFilling policies share: the first jobs of an order that fill all servers.

Of the first jobs of the order, as many as there are servers, the earliest set with the largest
total that fits is served. A need that is passed over stays so (exchange two jobs of one need),
so that the set is the first few of each need.
"""

import math
from typing import Protocol

from zerowait.engine.kernel import called
from zerowait.engine.seats import Seats
from zerowait.engine.structures.packing import Reach, most_reached, reaches
from zerowait.engine.structures.queues import (
    NONE,
    Boundary,
    Lines,
    plan_count,
    plan_fewer,
    plan_more,
)
from zerowait.engine.system import System
from zerowait.model import InputError
from zerowait.model.quantities import Ints
from zerowait.policies.families.common_order import (
    Order,
    choose_prefix,
    largest_inside,
    look_within,
    overtaken,
    smallest_outside,
)


class Choice(Protocol):
    """The part of a policy's state that a decision works with."""

    @property
    def need_rank(self) -> Ints:
        """Per line: place of its need among the distinct ones."""

    @property
    def lines(self) -> Lines: ...

    @property
    def order(self) -> Order: ...

    @property
    def chosen(self) -> Boundary:
        """The first jobs of the order, as many as there are servers."""


def check_divisors(name: str, system: System) -> None:
    for need in system.needs:
        if system.servers % need:
            raise InputError(
                f"{name}: need {need} does not divide {system.servers} servers; "
                "choose another number of servers, or server-filling"
            )


def fill_divisors(choice: Choice, reach: Reach, jobs: Seats, servers: int) -> None:
    """Plan the earliest set of the chosen jobs that fills the servers, or as many as can be."""
    choose_prefix(choice.order, choice.chosen, choice.lines, jobs, servers)
    target = most_to_serve(choice, reach, servers)
    for line in range(choice.need_rank.shape[0]):
        planned = min(choice.lines.plan.n_inside[line], choice.chosen.n_inside[line])
        if target < 0:
            planned = choice.chosen.n_inside[line]
        plan_count(choice.lines, line, planned)
        reach.left[choice.need_rank[line]] -= planned
        look_within(choice.order, choice.lines.plan, choice.chosen, choice.lines, jobs, line)
    if target >= 0:
        cut_and_grow(choice, reach, jobs, target)


def most_to_serve(choice: Choice, reach: Reach, servers: int) -> int:
    """The number of servers that can be busy, or -1 if all jobs fit; `left` counts the chosen."""
    for rank in range(reach.left.shape[0]):
        reach.left[rank] = 0
    wanted = 0
    for line in range(choice.need_rank.shape[0]):
        reach.left[choice.need_rank[line]] += choice.chosen.n_inside[line]
        wanted += choice.chosen.n_inside[line] * choice.lines.plan.weights[line]
    if wanted <= servers:
        return -1
    if choice.chosen.total[0] >= servers:
        return servers  # so many jobs, whose needs divide the servers, always fill them
    return most_reached(reach, servers)


@called
def cut_and_grow(choice: Choice, reach: Reach, jobs: Seats, target: int) -> None:
    """Cut the plan back to a prefix of the order from which the target can be reached, then add
    each job with which it still can."""
    order, lines, left = choice.order, choice.lines, reach.left
    growing = False  # once it grows it is not cut again, so that this ends whatever rounding does
    while True:
        line = largest_inside(order, lines.plan, jobs)
        outside = smallest_outside(order, lines.plan, lines, jobs)
        rest = target - lines.plan.total[0]
        if (
            not growing
            and line != NONE
            and (
                overtaken(order, lines.plan, lines, jobs, line, outside) or not reaches(reach, rest)
            )
        ):
            plan_fewer(lines, line)
            left[choice.need_rank[line]] += 1
        elif outside == NONE or rest == 0:
            break
        else:
            growing = True
            line = outside
            rank = choice.need_rank[line]
            left[rank] -= 1
            if not reaches(reach, rest - lines.plan.weights[line]):
                pass_over(choice, reach, rank)
                continue
            plan_more(lines, line)
        look_within(order, lines.plan, choice.chosen, lines, jobs, line)


def pass_over(choice: Choice, reach: Reach, rank: int) -> None:
    """Let no more jobs of a need come into question."""
    reach.left[rank] = 0
    for line in range(choice.need_rank.shape[0]):
        if choice.need_rank[line] == rank:
            choice.order.outside[line] = math.inf
