"""MaxWeight without preemption."""

from typing import NamedTuple

import numpy as np

from zerowait.engine.policy import PoolView, System
from zerowait.engine.seats import Seats
from zerowait.engine.structures.packing import Packing, empty_packing, pack
from zerowait.engine.structures.queues import NONE, Queues, empty_queues, join, leave
from zerowait.model.quantities import Ints
from zerowait.policies.base import Policy, register


class State(NamedTuple):
    idle: Ints  # [1] servers
    needs: Ints  # distinct needs, smallest first
    waiting: Queues  # one queue per need
    n_waiting: Ints  # per need
    packing: Packing
    chosen: Ints  # [1] the largest need, by rank, of which jobs are still to start, or NONE
    settled: Ints  # [1] does nobody that waits fit?
    fresh: Ints  # [1] the job that just came, or NONE


def choose_packing(state: State) -> None:
    """Choose the packing of the idle servers; its counts are the jobs to start."""
    packing = state.packing
    for rank in range(state.needs.shape[0]):
        packing.weights[rank] = state.n_waiting[rank]
        packing.limits[rank] = state.n_waiting[rank]
    pack(packing, state.idle[0])
    state.chosen[0] = state.needs.shape[0] - 1


def start_packed(state: State, jobs: Seats, job: int) -> None:
    state.idle[0] -= jobs.need[job]
    state.n_waiting[jobs.need_rank[job]] -= 1
    leave(state.waiting, jobs.need_rank[job], job)


@register
class MaxweightMyopic(Policy):
    """Start the packing x of the idle servers that maximises sum Q_n x_n, where Q_n jobs of
    need n wait; the oldest of each need.

    Of equal packings the lexicographically largest from the largest need down. Every job has
    weight, so after a decision nobody that waits fits: a job that comes then starts if it
    fits, and there is something to solve after completions only, unless everything fits.
    """

    name = "maxweight-myopic"
    throughput_optimal = "any fraction of the stability region, under technical conditions"
    source = "Maguluri, Srikant, Ying 2012; the paper, section 2"
    look = ("grey", "down")

    def initial_state(self, system: System) -> State:
        return State(
            idle=np.array([system.servers]),
            needs=system.needs.copy(),
            waiting=empty_queues(len(system.needs), system.n_seats),
            n_waiting=np.zeros(len(system.needs), np.int64),
            packing=empty_packing(system.needs, system.servers),
            chosen=np.array([NONE]),
            settled=np.zeros(1, np.int64),
            fresh=np.array([NONE]),
        )

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        join(state.waiting, jobs.need_rank[job], job)
        state.n_waiting[jobs.need_rank[job]] += 1
        state.fresh[0] = job

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        state.idle[0] += jobs.need[job]
        state.settled[0] = 0

    @staticmethod
    def next_start(state: State, jobs: Seats) -> int:
        if state.settled[0] != 0:
            job = state.fresh[0]
            if job == NONE:
                return NONE
            state.fresh[0] = NONE
            if jobs.need[job] > state.idle[0]:
                return NONE
            start_packed(state, jobs, job)
            return job
        state.fresh[0] = NONE
        if state.chosen[0] == NONE:
            choose_packing(state)
        while state.chosen[0] != NONE:
            rank = state.chosen[0]
            if state.packing.counts[rank] > 0:
                state.packing.counts[rank] -= 1
                job = state.waiting.head[rank]
                start_packed(state, jobs, job)
                return job
            state.chosen[0] -= 1
        state.settled[0] = 1
        return NONE

    @staticmethod
    def withdraw(state: State, jobs: Seats, job: int) -> None:
        if state.fresh[0] == job:
            state.fresh[0] = NONE
        state.n_waiting[jobs.need_rank[job]] -= 1
        leave(state.waiting, jobs.need_rank[job], job)

    def why_start(self, pool: PoolView, job: int) -> str:
        return (
            "it is in the packing of the idle servers that weighs most (a job weighs as many as "
            f"wait of its need); it needs {pool.need(job)}, and {pool.idle_words}"
        )

    def why_wait(self, pool: PoolView) -> str:
        return pool.nobody_fits
