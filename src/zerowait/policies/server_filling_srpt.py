"""ServerFilling-SRPT."""

from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Ints
from zerowait.engine.seats import Seats, is_priced
from zerowait.engine.structures.lines import (
    Boundary,
    Lines,
    empty_boundary,
    empty_lines,
    forget,
    join_boundary,
)
from zerowait.engine.system import System
from zerowait.policies.base import register
from zerowait.policies.families.common_order import REMAINING, Order, choose_prefix, empty_order
from zerowait.policies.families.filling import fill_by_need, powers_of_two_note
from zerowait.policies.families.preemptive import Preemptive
from zerowait.policies.families.srpt import join_by_remaining, leave_order, rejoin_order


class State(NamedTuple):
    servers: Ints  # [1]
    needs: Ints  # distinct needs, smallest first
    lines: Lines  # one per need
    order: Order
    chosen: Boundary  # M: the shortest prefix by remaining size that needs all servers


@register
class ServerFillingSrpt(Preemptive):
    """M = the fewest jobs, by remaining size (time x need), that need all servers together; serve
    M by need, largest first, then by remaining size, up to the first that does not fit."""

    name = "server-filling-srpt"
    alias = "sf-srpt"
    size_aware = True
    throughput_optimal = "yes, if servers and needs are powers of two"
    source = "Grosof, Scully, Harchol-Balter, Scheller-Wolf 2022"

    def notes_on(self, system: System) -> tuple[str, ...]:
        return powers_of_two_note(self.name, system)

    def initial_state(self, system: System) -> State:
        return State(
            np.array([system.servers]),
            system.needs.copy(),
            empty_lines(system.needs, system.n_seats),
            empty_order(REMAINING, system.needs.astype(np.float64), system.n_seats),
            empty_boundary(system.needs, system.n_seats),
        )

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        join_by_remaining(state.order, state.lines, jobs, job)
        join_boundary(state.chosen, state.lines.queues, jobs.need_rank[job], job)

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        forget(state.chosen, state.lines.queues, jobs.need_rank[job], job)
        leave_order(state.order, state.lines, jobs, job)

    @staticmethod
    def withdraw(state: State, jobs: Seats, job: int) -> None:
        forget(state.chosen, state.lines.queues, jobs.need_rank[job], job)
        leave_order(state.order, state.lines, jobs, job)

    @staticmethod
    def on_pause(state: State, jobs: Seats, job: int) -> None:
        if is_priced(jobs):
            rejoin_order(state.order, state.lines, state.chosen, jobs, job)

    @staticmethod
    def decide(state: State, jobs: Seats) -> None:
        choose_prefix(state.order, state.chosen, state.lines, jobs, state.servers[0])
        fill_by_need(state.lines, state.chosen, state.needs, state.servers[0])
