"""ServerFilling."""

from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Ints
from zerowait.engine.seats import Seats
from zerowait.engine.structures.lines import (
    Boundary,
    Lines,
    advance,
    empty_boundary,
    empty_lines,
    forget,
    leave_line,
)
from zerowait.engine.structures.queues import NONE, Queues, empty_queues, join, leave
from zerowait.engine.system import System
from zerowait.policies.base import register
from zerowait.policies.families.filling import fill_by_need, powers_of_two_note
from zerowait.policies.families.preemptive import Preemptive


class State(NamedTuple):
    servers: Ints  # [1]
    needs: Ints  # distinct needs, smallest first
    lines: Lines  # one per need, in order of arrival
    chosen: Boundary  # M: the shortest prefix that needs all servers
    beyond: Queues  # one queue: the jobs outside M


@register
class ServerFilling(Preemptive):
    """M = the fewest jobs, in order of arrival, that need all servers together; serve M by need,
    largest first, up to the first that does not fit (all jobs, if there is no such M)."""

    name = "server-filling"
    alias = "sf"
    throughput_optimal = "yes, if servers and needs are powers of two"
    source = "Grosof, Harchol-Balter, Scheller-Wolf 2022 (WCFS)"

    def notes_on(self, system: System) -> tuple[str, ...]:
        return powers_of_two_note(self.name, system)

    def initial_state(self, system: System) -> State:
        return State(
            np.array([system.servers]),
            system.needs.copy(),
            empty_lines(system.needs, system.n_seats),
            empty_boundary(system.needs, system.n_seats),
            empty_queues(1, system.n_seats),
        )

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        join(state.lines.queues, jobs.need_rank[job], job)
        join(state.beyond, 0, job)

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        line = jobs.need_rank[job]
        forget(state.chosen, state.lines.queues, line, job)
        leave_line(state.lines, line, job)

    @staticmethod
    def withdraw(state: State, jobs: Seats, job: int) -> None:
        line = jobs.need_rank[job]
        if state.chosen.inside[job] == 0:
            leave(state.beyond, 0, job)
        forget(state.chosen, state.lines.queues, line, job)
        leave_line(state.lines, line, job)

    @staticmethod
    def decide(state: State, jobs: Seats) -> None:
        # Only members of M leave, so M grows at its end alone.
        job = state.beyond.head[0]
        while state.chosen.total[0] < state.servers[0] and job != NONE:
            leave(state.beyond, 0, job)
            advance(state.chosen, state.lines.queues, jobs.need_rank[job])
            job = state.beyond.head[0]
        fill_by_need(state.lines, state.chosen, state.needs, state.servers[0])
