"""DivisorFilling."""

from typing import ClassVar, NamedTuple

import numpy as np

from zerowait.engine.arrays import Ints
from zerowait.engine.seats import Seats
from zerowait.engine.structures.lines import Boundary, Lines, empty_boundary, empty_lines, forget
from zerowait.engine.structures.reach import Reach, empty_reach
from zerowait.engine.structures.sorted_lines import attach
from zerowait.engine.system import System
from zerowait.policies.base import register
from zerowait.policies.families.common_order import ARRIVAL, Order, empty_order
from zerowait.policies.families.divisors import check_divisors, fill_divisors
from zerowait.policies.families.preemptive import Preemptive
from zerowait.policies.families.srpt import leave_order


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
