"""What the preemptive policies share: jobs in lines by need, a plan, and filling by need."""

from typing import Any, ClassVar, NamedTuple

import numpy as np

from zerowait.engine.policy import PoolView, System
from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import (
    Boundary,
    Lines,
    empty_lines,
    join,
    leave_line,
    next_pause,
    next_planned,
    plan_count,
)
from zerowait.model.quantities import Ints
from zerowait.policies.base import Policy


class Preemptive(Policy):
    """Its state has `lines`; `decide` moves the plan's boundaries, the rest follows from them."""

    preemptive = True

    @staticmethod
    def next_stop(state: Any, jobs: Seats) -> int:
        """The next job to pause, or NONE."""
        return next_pause(state.lines, jobs)

    @staticmethod
    def next_start(state: Any, jobs: Seats) -> int:
        """The next job to start or resume, or NONE."""
        return next_planned(state.lines, jobs)


class State(NamedTuple):
    servers: Ints  # [1]
    needs: Ints  # distinct needs, smallest first
    present: Ints  # per need: jobs in the system
    lines: Lines  # one per need, in order of arrival


class ByNeed(Preemptive):
    """Keeps a line per need; a subclass decides how many of each are served."""

    first: ClassVar[str] = ""  # which needs come first: largest, smallest

    def initial_state(self, system: System) -> State:
        return State(
            np.array([system.servers]),
            system.needs.copy(),
            np.zeros(len(system.needs), np.int64),
            empty_lines(system.needs, system.n_seats),
        )

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        join(state.lines.queues, jobs.need_rank[job], job)
        state.present[jobs.need_rank[job]] += 1

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        leave_line(state.lines, jobs.need_rank[job], job)
        state.present[jobs.need_rank[job]] -= 1

    @staticmethod
    def withdraw(state: State, jobs: Seats, job: int) -> None:
        leave_line(state.lines, jobs.need_rank[job], job)
        state.present[jobs.need_rank[job]] -= 1

    def why_start(self, pool: PoolView, job: int) -> str:
        return f"by need, {self.first} first, each that fits: it needs {pool.need(job)}"

    def why_pause(self, pool: PoolView, job: int) -> str:
        need = pool.need(job)
        return f"by need, {self.first} first: those before it leave fewer than the {need} it needs"

    def why_wait(self, pool: PoolView) -> str:
        return pool.nobody_fits


def fill_by_need(lines: Lines, chosen: Boundary, needs: Ints, servers: int) -> None:
    """Plan the chosen jobs, largest need first, up to the first that does not fit."""
    idle = servers
    stopped = False
    for line in range(needs.shape[0] - 1, -1, -1):
        count = 0
        if not stopped:
            count = min(chosen.n_inside[line], idle // needs[line])
            stopped = count < chosen.n_inside[line]
            idle -= count * needs[line]
        plan_count(lines, line, count)
