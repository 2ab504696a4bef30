"""First-come first-served."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from zerowait.engine.policy import LoadTerms, PoolView, System
from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import NONE, Queues, empty_queues, join, leave
from zerowait.model.quantities import Ints
from zerowait.policies.base import Policy, register


class State(NamedTuple):
    idle: Ints  # [1] servers
    waiting: Queues  # one queue


def never_idle(servers: int, needs: Sequence[int]) -> float:
    """Return the share of the servers that is busy whenever a job waits, at the least."""
    unit = math.gcd(*needs)
    usable = servers - servers % unit
    return (usable - max(needs) + unit) / servers


@register
class Fcfs(Policy):
    """Start jobs in order of arrival; the first that does not fit blocks all behind it."""

    name = "fcfs"
    in_order = True
    throughput_optimal = "asymptotically"
    source = "Wang, Xie, Harchol-Balter 2021 (zero queueing)"
    look = ("vermillion",)
    seconds_per_million = 0.2
    saturation = "limit"

    def proven_loads(self, terms: LoadTerms) -> tuple[float, float]:
        stable_below, growing_above = super().proven_loads(terms)
        return max(stable_below, never_idle(terms.servers, terms.needs)), growing_above

    def slurm_order(self) -> dict[str, Any]:
        return {"backfills": False}

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

    def why_start(self, pool: PoolView, job: int) -> str:
        return f"it is the head of the queue, needs {pool.need(job)}, and {pool.idle_words}"

    def why_wait(self, pool: PoolView) -> str:
        head, behind = pool.waiting[0], len(pool.waiting) - 1
        blocked = f"; it blocks the {'one' if behind == 1 else behind} behind it" if behind else ""
        return (
            f"job {pool.name(head)}, the head of the queue, needs {pool.need(head)}, "
            f"and {pool.idle_words}{blocked}"
        )
