"""Balanced Splitting over any auxiliary policy (the paper, Definition 1)."""

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from zerowait.engine.arrays import Ints
from zerowait.engine.seats import ROUTED, SERVED, Seats
from zerowait.engine.structures.queues import NONE, Queues, empty_queues, join, leave
from zerowait.engine.system import System
from zerowait.policies.base import Policy, register
from zerowait.policies.families.general_splitting import GeneralSplitting
from zerowait.policies.families.splitting import (
    Splitting,
    auxiliary_next_start,
    auxiliary_on_arrival,
    auxiliary_on_departure,
    auxiliary_withdraw,
    parse_refill,
)


class State(NamedTuple):
    idle: Ints  # per class: idle own servers
    waiting: Queues  # one queue per class
    arrived: Ints  # [1] the job that just came and enters its own servers, or NONE
    refill: Ints  # a stack of classes whose own servers may take waiting jobs
    n_refill: Ints  # [1]
    held: Ints  # [1] is the stack to be left alone until the next decision?
    helpers: Any  # state of the auxiliary policy


def plan_refill(state: State, job_class: int) -> None:
    state.refill[state.n_refill[0]] = job_class
    state.n_refill[0] += 1


def next_refill(state: State, jobs: Seats) -> int:
    """Rule 3: the oldest waiting job of a class that enters its own servers, or NONE."""
    while state.n_refill[0] > 0:
        job_class = state.refill[state.n_refill[0] - 1]
        job = state.waiting.head[job_class]
        if job != NONE and jobs.need[job] <= state.idle[job_class]:
            idle = state.idle[job_class] - jobs.need[job]
            state.idle[job_class] = idle
            if idle == 0:
                state.n_refill[0] -= 1  # nobody else fits: spare the next look
            leave(state.waiting, job_class, job)
            auxiliary_withdraw(state.helpers, jobs, job)
            return job
        state.n_refill[0] -= 1
    return NONE


@register
@dataclass(frozen=True)
class BalancedSplitting(Splitting):
    """Class i runs on its own servers; what finds them busy waits at the helpers, and goes to
    whichever of the two can take it first."""

    name = "balanced-splitting"
    alias = "bs"
    throughput_optimal = "asymptotically"
    source = "Anselmi, Doncel: Balanced Splitting, Definition 1"

    refill: str = field(default="oldest", metadata={"parse": parse_refill, "spell": str})

    def applied_to(self, system: System) -> Policy:
        if self.auxiliary.preemptive or self.refill != "oldest":
            return GeneralSplitting(self.auxiliary, self.slots, self.refill)
        return self

    def initial_state(self, system: System) -> State:
        split = self.split_of(system)
        return State(
            idle=np.array(split.own_servers),
            waiting=empty_queues(system.n_classes, system.n_seats),
            arrived=np.array([NONE]),
            # One entry for each job that ends, and for each that the helpers started before.
            refill=np.zeros(2 * system.n_seats, np.int64),
            n_refill=np.zeros(1, np.int64),
            held=np.zeros(1, np.int64),
            helpers=self.auxiliary.initial_state(replace(system, servers=split.helpers)),
        )

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        job_class = jobs.job_class[job]
        if state.waiting.head[job_class] == NONE and jobs.need[job] <= state.idle[job_class]:
            state.idle[job_class] -= jobs.need[job]
            state.arrived[0] = job
        else:
            jobs.helpers[job] = ROUTED
            join(state.waiting, job_class, job)
            auxiliary_on_arrival(state.helpers, jobs, job)

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        if jobs.helpers[job] & SERVED:
            auxiliary_on_departure(state.helpers, jobs, job)
        else:
            job_class = jobs.job_class[job]
            state.idle[job_class] += jobs.need[job]
            if state.waiting.head[job_class] != NONE:
                plan_refill(state, job_class)

    @staticmethod
    def next_start(state: State, jobs: Seats) -> int:
        job = state.arrived[0]
        if job != NONE:
            state.arrived[0] = NONE
            return job
        if state.n_refill[0] > 0 and state.held[0] == 0:
            job = next_refill(state, jobs)
            if job != NONE:
                return job
        job = auxiliary_next_start(state.helpers, jobs)
        if job == NONE:
            if state.held[0] != 0:
                state.held[0] = 0
            return NONE
        jobs.helpers[job] = ROUTED | SERVED
        job_class = jobs.job_class[job]
        leave(state.waiting, job_class, job)
        if state.idle[job_class] > 0:
            # Mixed needs: what waited behind this job may fit its own servers, but only the
            # next decision looks there.
            plan_refill(state, job_class)
            state.held[0] = 1
        return job
