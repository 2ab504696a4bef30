"""DivisorFilling, DivisorFilling-SRPT and DivisorFilling-Gittins."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from zerowait.engine.seats import Seats, is_priced
from zerowait.engine.structures.packing import Reach, empty_reach
from zerowait.engine.structures.queues import (
    Boundary,
    Lines,
    empty_boundary,
    empty_lines,
    forget,
    join_boundary,
)
from zerowait.engine.structures.trees import attach
from zerowait.engine.system import System
from zerowait.model.quantities import Ints
from zerowait.policies.base import register
from zerowait.policies.families.common_order import ARRIVAL, REMAINING, Order, empty_order
from zerowait.policies.families.divisors import check_divisors, fill_divisors
from zerowait.policies.families.gittins_order import Gittins, Ranked, age_in_service, empty_ranked
from zerowait.policies.families.preemptive import Preemptive
from zerowait.policies.families.srpt import join_by_remaining, leave_order, rejoin_order


class State(NamedTuple):
    servers: Ints  # [1]
    need_rank: Ints  # per line: lines and distinct needs are the same
    lines: Lines  # one per need
    order: Order
    chosen: Boundary  # the first jobs of the order, as many as there are servers
    reach: Reach


@register
class DivisorFilling(Preemptive):
    """All needs divide the servers: of the first jobs in order of arrival, as many as there are
    servers, serve the earliest set that fills all servers (or as many as can be filled)."""

    name = "divisor-filling"
    alias = "df"
    throughput_optimal = "yes, if all needs divide the servers"
    source = "Grosof, Harchol-Balter, Scheller-Wolf 2022 (WCFS)"
    look = ("green", "triangle", "dashdot")
    rule: ClassVar[int] = ARRIVAL

    def is_throughput_optimal(self, servers: int, needs: Sequence[int]) -> bool:
        return all(servers % need == 0 for need in needs)

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
class DivisorFillingGittins(Gittins):
    """All needs divide the servers: of the first jobs by Gittins rank at their age x need, as many
    as there are servers, serve the first set by rank that fills all servers.

    In a replay a class's law is that of its own service times.
    """

    name = "divisor-filling-gittins"
    alias = "df-gittins"
    throughput_optimal = "yes, if all needs divide the servers"
    source = "Grosof, Scully, Harchol-Balter, Scheller-Wolf 2022"
    look = ("green", "plus", "dashed")

    def is_throughput_optimal(self, servers: int, needs: Sequence[int]) -> bool:
        return all(servers % need == 0 for need in needs)

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
