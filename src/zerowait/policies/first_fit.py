"""First-fit back-filling."""

import math
from typing import Any, NamedTuple

import numpy as np

from zerowait.engine.policy import PoolView, System
from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import NONE, Queues, empty_queues, join, leave
from zerowait.model.quantities import Ints
from zerowait.policies.base import Policy, register


class State(NamedTuple):
    idle: Ints  # [1] servers
    needs: Ints  # distinct needs, smallest first
    waiting: Queues  # one queue per need


@register
class FirstFit(Policy):
    """Start the oldest waiting job that fits the idle servers, whoever waits before it.

    Whatever a scan of the queue has passed over does not fit later in the same scan either,
    so the scan is the same as starting, again and again, the oldest job that fits.
    """

    name = "first-fit"
    alias = "ff"
    throughput_optimal = "unknown"
    source = "First-Fit Back-Filling; the paper, section 2"
    look = ("orange", "square")
    seconds_per_million = 0.2

    def slurm_order(self) -> dict[str, Any]:
        return {"reserve_after": math.inf}

    def initial_state(self, system: System) -> State:
        return State(
            np.array([system.servers]),
            system.needs.copy(),
            empty_queues(len(system.needs), system.n_seats),
        )

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        join(state.waiting, jobs.need_rank[job], job)

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        state.idle[0] += jobs.need[job]

    @staticmethod
    def next_start(state: State, jobs: Seats) -> int:
        idle = state.idle[0]
        oldest = NONE
        for rank in range(state.needs.shape[0]):
            if state.needs[rank] > idle:
                break
            head = state.waiting.head[rank]
            if head != NONE and (oldest == NONE or jobs.order[head] < jobs.order[oldest]):
                oldest = head
        if oldest != NONE:
            state.idle[0] = idle - jobs.need[oldest]
            leave(state.waiting, jobs.need_rank[oldest], oldest)
        return oldest

    @staticmethod
    def withdraw(state: State, jobs: Seats, job: int) -> None:
        leave(state.waiting, jobs.need_rank[job], job)

    def why_start(self, pool: PoolView, job: int) -> str:
        skipped = pool.before(job)
        if not skipped:
            return f"the oldest that waits needs {pool.need(job)}, and {pool.idle_words}"
        return (
            f"it is the oldest that fits, for {pool.idle_words}; {pool.names(skipped)} would not "
            f"fit and {'is' if len(skipped) == 1 else 'are'} passed over"
        )

    def why_wait(self, pool: PoolView) -> str:
        return pool.nobody_fits
