"""First-come first-served."""

from typing import NamedTuple

import numpy as np

from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import NONE, Queues, empty_queues, join, leave
from zerowait.engine.system import System
from zerowait.model.quantities import Ints
from zerowait.policies.base import Policy, register


class State(NamedTuple):
    idle: Ints  # [1] servers
    waiting: Queues  # one queue


@register
class Fcfs(Policy):
    """Start jobs in order of arrival; the first that does not fit blocks all behind it."""

    name = "fcfs"
    throughput_optimal = "asymptotically"
    source = "Wang, Xie, Harchol-Balter 2021 (zero queueing)"

    def initial_state(self, system: System) -> State:
        return State(np.array([system.servers]), empty_queues(1, system.n_seats))

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        join(state.waiting, 0, job)

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        state.idle[0] += jobs.need[job]

    @staticmethod
    def next_start(state: State, jobs: Seats) -> int:
        job = state.waiting.head[0]
        if job == NONE or jobs.need[job] > state.idle[0]:
            return NONE
        state.idle[0] -= jobs.need[job]
        leave(state.waiting, 0, job)
        return job

    @staticmethod
    def withdraw(state: State, jobs: Seats, job: int) -> None:
        leave(state.waiting, 0, job)
