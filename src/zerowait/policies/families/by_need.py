"""What the policies that look at needs alone share: lines in order of arrival."""

from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Ints
from zerowait.engine.seats import Seats
from zerowait.engine.structures.lines import Lines, empty_lines, leave_line
from zerowait.engine.structures.queues import join
from zerowait.engine.system import System
from zerowait.policies.families.preemptive import Preemptive


class State(NamedTuple):
    servers: Ints  # [1]
    needs: Ints  # distinct needs, smallest first
    present: Ints  # per need: jobs in the system
    lines: Lines  # one per need, in order of arrival


class ByNeed(Preemptive):
    """Keeps a line per need; a subclass decides how many of each are served."""

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
