"""ServerFilling-SRPT."""

from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Ints
from zerowait.engine.lines import (
    Boundary,
    Lines,
    advance,
    empty_boundary,
    empty_lines,
    forget,
    include,
    retreat,
)
from zerowait.engine.queues import NONE
from zerowait.engine.seats import Seats
from zerowait.engine.system import System
from zerowait.policies.base import register
from zerowait.policies.filling import fill_by_need, powers_of_two_note
from zerowait.policies.preemptive import Preemptive
from zerowait.policies.srpt import (
    Order,
    empty_order,
    join_by_remaining,
    largest_inside,
    leave_order,
    look_at,
    overtaken,
    smallest_outside,
    stands_inside,
)


class State(NamedTuple):
    servers: Ints  # [1]
    needs: Ints  # distinct needs, smallest first
    lines: Lines  # one per need
    order: Order
    chosen: Boundary  # M: the shortest prefix by remaining size that needs all servers


def choose_prefix(state: State, jobs: Seats) -> None:
    """Move the boundary of M: a prefix of the common order, and the shortest that needs all."""
    order, lines, chosen = state.order, state.lines, state.chosen
    servers = state.servers[0]
    for line in range(state.needs.shape[0]):
        look_at(order, chosen, lines, jobs, line)
    growing = False  # once it grows it is not cut again, so that this ends whatever rounding does
    while True:
        line = largest_inside(order, chosen, jobs)
        outside = smallest_outside(order, chosen, lines, jobs)
        surplus = line != NONE and chosen.total[0] - state.needs[line] >= servers
        if not growing and (surplus or overtaken(order, chosen, lines, jobs, line, outside)):
            retreat(chosen, lines.queues, jobs, line)
        elif outside != NONE and chosen.total[0] < servers:
            growing = True
            line = outside
            advance(chosen, lines.queues, jobs, line)
        else:
            break
        look_at(order, chosen, lines, jobs, line)


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
        n_needs = len(system.needs)
        return State(
            np.array([system.servers]),
            system.needs.copy(),
            empty_lines(n_needs, system.n_seats),
            empty_order(system.needs.astype(np.float64), system.n_seats),
            empty_boundary(n_needs, system.n_seats),
        )

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        join_by_remaining(state.order, state.lines, jobs, job)
        if stands_inside(state.chosen, state.lines, job):
            include(state.chosen, jobs, jobs.need_rank[job], job)

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        forget(state.chosen, state.lines.queues, jobs, jobs.need_rank[job], job)
        leave_order(state.order, state.lines, jobs, job)

    @staticmethod
    def withdraw(state: State, jobs: Seats, job: int) -> None:
        forget(state.chosen, state.lines.queues, jobs, jobs.need_rank[job], job)
        leave_order(state.order, state.lines, jobs, job)

    @staticmethod
    def decide(state: State, jobs: Seats) -> None:
        choose_prefix(state, jobs)
        fill_by_need(state.lines, state.chosen, jobs, state.needs, state.servers[0])
