"""DivisorFilling, DivisorFilling-SRPT and DivisorFilling-Gittins.

Of the first jobs of an order, as many as there are servers, the earliest set with the largest
total that fits is served. A need that is passed over stays so (exchange two jobs of one need),
so that the set is the first few of each need.
"""

import math
from collections.abc import Sequence
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from zerowait.engine.kernel import called
from zerowait.engine.policy import PoolView, System
from zerowait.engine.seats import Seats, is_priced
from zerowait.engine.structures.packing import Reach, empty_reach, most_reached, reaches
from zerowait.engine.structures.queues import (
    NONE,
    Boundary,
    Lines,
    empty_boundary,
    empty_lines,
    forget,
    join_boundary,
    plan_count,
    plan_fewer,
    plan_more,
)
from zerowait.engine.structures.trees import attach
from zerowait.model import InputError
from zerowait.model.quantities import Ints
from zerowait.policies.base import Policy, register
from zerowait.policies.families.common_order import (
    ARRIVAL,
    REMAINING,
    CommonOrder,
    choose_prefix,
    empty_order,
    largest_inside,
    look_within,
    overtaken,
    smallest_outside,
)
from zerowait.policies.families.gittins_order import Gittins, Ranked, age_in_service, empty_ranked
from zerowait.policies.families.preemptive import Preemptive
from zerowait.policies.families.srpt import join_by_remaining, leave_order, rejoin_order


class Filling(Protocol):
    """The part of a policy's state that a decision works with."""

    @property
    def need_rank(self) -> Ints:
        """Place of each line's need among the distinct ones."""

    @property
    def lines(self) -> Lines: ...

    @property
    def order(self) -> CommonOrder: ...

    @property
    def chosen(self) -> Boundary:
        """The first jobs of the order, as many as there are servers."""


def check_divisors(name: str, system: System) -> None:
    """Refuse a system whose servers a need does not divide."""
    for need in system.needs:
        if system.servers % need:
            raise InputError(
                f"{name}: need {need} does not divide {system.servers} servers; "
                "choose another number of servers, or server-filling"
            )


def fill_divisors(filling: Filling, reach: Reach, jobs: Seats, servers: int) -> None:
    """Plan the earliest set of the chosen jobs that fills the servers, or as many as can be."""
    choose_prefix(filling.order, filling.chosen, filling.lines, jobs, servers)
    target = most_to_serve(filling, reach, servers)
    for line in range(filling.need_rank.shape[0]):
        planned = min(filling.lines.plan.n_inside[line], filling.chosen.n_inside[line])
        if target < 0:
            planned = filling.chosen.n_inside[line]
        plan_count(filling.lines, line, planned)
        reach.left[filling.need_rank[line]] -= planned
        look_within(filling.order, filling.lines.plan, filling.chosen, filling.lines, jobs, line)
    if target >= 0:
        cut_and_grow(filling, reach, jobs, target)


def most_to_serve(filling: Filling, reach: Reach, servers: int) -> int:
    """Return how many servers can be busy, -1 if all jobs fit; `left` then counts the chosen."""
    for rank in range(reach.left.shape[0]):
        reach.left[rank] = 0
    wanted = 0
    for line in range(filling.need_rank.shape[0]):
        reach.left[filling.need_rank[line]] += filling.chosen.n_inside[line]
        wanted += filling.chosen.n_inside[line] * filling.lines.plan.weights[line]
    if wanted <= servers:
        return -1
    if filling.chosen.total[0] >= servers:
        return servers  # so many jobs, whose needs divide the servers, always fill them
    return most_reached(reach, servers)


@called
def cut_and_grow(filling: Filling, reach: Reach, jobs: Seats, target: int) -> None:
    """Cut the plan back to a prefix of the order from which the target can be reached, then add
    each job with which it still can."""
    order, lines, left = filling.order, filling.lines, reach.left
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
            left[filling.need_rank[line]] += 1
        elif outside == NONE or rest == 0:
            break
        else:
            growing = True
            line = outside
            rank = filling.need_rank[line]
            left[rank] -= 1
            if not reaches(reach, rest - lines.plan.weights[line]):
                pass_over(filling, reach, rank)
                continue
            plan_more(lines, line)
        look_within(order, lines.plan, filling.chosen, lines, jobs, line)


def pass_over(filling: Filling, reach: Reach, rank: int) -> None:
    """Let no more jobs of a need come into question."""
    reach.left[rank] = 0
    for line in range(filling.need_rank.shape[0]):
        if filling.need_rank[line] == rank:
            filling.order.outside[line] = math.inf


class FillsByDivisors(Policy):
    """What is known of the DivisorFilling policies."""

    throughput_optimal = "yes, if all needs divide the servers"
    ordered: ClassVar[str]  # how the first jobs are found

    def is_throughput_optimal(self, servers: int, needs: Sequence[int]) -> bool:
        return all(servers % need == 0 for need in needs)

    def why_start(self, pool: PoolView, job: int) -> str:
        return f"it is in {self._told(pool)}"

    def why_pause(self, pool: PoolView, job: int) -> str:
        return f"it is not in {self._told(pool)}"

    def why_wait(self, pool: PoolView) -> str:
        return f"{pool.idle_words}: those who wait are not in {self._told(pool)}"

    def _told(self, pool: PoolView) -> str:
        return (
            f"the earliest set that fills the {pool.servers} {pool.noun}, "
            f"of the first {pool.servers} jobs {self.ordered}"
        )


class State(NamedTuple):
    servers: Ints  # [1]
    need_rank: Ints  # per line: lines and distinct needs are the same
    lines: Lines  # one per need
    order: CommonOrder
    chosen: Boundary  # the first jobs of the order, as many as there are servers
    reach: Reach


@register
class DivisorFilling(FillsByDivisors, Preemptive):
    """All needs divide the servers: of the first jobs in order of arrival, as many as there are
    servers, serve the earliest set that fills all servers (or as many as can be filled)."""

    name = "divisor-filling"
    alias = "df"
    ordered = "in order of arrival"
    source = "Grosof, Harchol-Balter, Scheller-Wolf 2022 (WCFS)"
    look = ("green", "triangle", "dashdot")
    rule: ClassVar[int] = ARRIVAL

    def initial_state(self, system: System) -> State:
        check_divisors(self.name, system)
        needs, n_seats = system.needs, system.n_seats
        return State(
            np.array([system.servers]),
            np.arange(len(needs)),
            empty_lines(needs, n_seats),
            empty_order(self.rule, needs.astype(np.float64), n_seats),
            empty_boundary(np.ones_like(needs), n_seats),
            empty_reach(needs, system.servers),
        )

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        line = jobs.need_rank[job]
        queues = state.lines.queues
        attach(state.order.tree, queues, line, jobs, job, queues.tail[line])

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        forget(state.chosen, state.lines.queues, jobs.need_rank[job], job)
        leave_order(state.order, state.lines, jobs, job)

    @staticmethod
    def withdraw(state: State, jobs: Seats, job: int) -> None:
        forget(state.chosen, state.lines.queues, jobs.need_rank[job], job)
        leave_order(state.order, state.lines, jobs, job)

    @staticmethod
    def decide(state: State, jobs: Seats) -> None:
        fill_divisors(state, state.reach, jobs, state.servers[0])


@register
class DivisorFillingSrpt(DivisorFilling):
    """All needs divide the servers: of the smallest jobs by remaining size (time x need), as many
    as there are servers, serve the first set by size that fills all servers."""

    name = "divisor-filling-srpt"
    alias = "df-srpt"
    ordered = "by remaining size"
    size_aware = True
    source = "Grosof, Scully, Harchol-Balter, Scheller-Wolf 2022"
    look = ("violet", "down", "dotted")
    rule = REMAINING

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        join_by_remaining(state.order, state.lines, jobs, job)
        join_boundary(state.chosen, state.lines.queues, jobs.need_rank[job], job)

    @staticmethod
    def on_pause(state: State, jobs: Seats, job: int) -> None:
        if is_priced(jobs):
            rejoin_order(state.order, state.lines, state.chosen, jobs, job)


class DivisorGittinsState(NamedTuple):
    servers: Ints  # [1]
    ranked: Ranked  # `chosen` are the first jobs of the order, as many as there are servers
    reach: Reach


@register
class DivisorFillingGittins(FillsByDivisors, Gittins):
    """All needs divide the servers: of the first jobs by Gittins rank at their age x need, as many
    as there are servers, serve the first set by rank that fills all servers.

    In a replay a class's law is that of its own service times.
    """

    name = "divisor-filling-gittins"
    alias = "df-gittins"
    ordered = "by Gittins rank x need"
    source = "Grosof, Scully, Harchol-Balter, Scheller-Wolf 2022"
    look = ("green", "plus", "dashed")

    def initial_state(self, system: System) -> DivisorGittinsState:
        check_divisors(self.name, system)
        return DivisorGittinsState(
            np.array([system.servers]),
            empty_ranked(system, weigh_needs=False),
            empty_reach(system.needs, system.servers),
        )

    @staticmethod
    def decide(state: DivisorGittinsState, jobs: Seats) -> None:
        age_in_service(state.ranked, jobs)
        fill_divisors(state.ranked, state.reach, jobs, state.servers[0])
