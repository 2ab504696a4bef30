"""Balanced Splitting with a preemptive auxiliary policy, or with another rule of refilling.

The plain policy (`balanced_splitting.py`) comes down to this one where it needs more than
queues in order of arrival. A paused job waits like any other: its own servers may take it, and
it goes on there with what it has left.
"""

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from zerowait.engine.arrays import Floats, Ints
from zerowait.engine.seats import ROUTED, SERVED, Seats, remaining_of
from zerowait.engine.structures.age_pieces import Ages, ages_of, rounding_of, value_at
from zerowait.engine.structures.queues import NONE, Queues, empty_queues
from zerowait.engine.structures.sorted_lines import Tree, attach, empty_tree, take_out
from zerowait.engine.system import System
from zerowait.model.age_functions import AgeFunction, residual_function
from zerowait.policies.families.preemptive import Preemptive
from zerowait.policies.families.splitting import (
    REFILLS,
    Splitting,
    auxiliary_decide,
    auxiliary_next_start,
    auxiliary_next_stop,
    auxiliary_on_arrival,
    auxiliary_on_departure,
    auxiliary_withdraw,
    parse_refill,
)

LARGEST = REFILLS.index("largest")
EXPECTED = REFILLS.index("expected")


class State(NamedTuple):
    idle: Ints  # per class: idle own servers
    rule: Ints  # [1] of refilling
    waiting: Queues  # one line per class: who is not in service, the next to be refilled first
    tree: Tree
    key: Floats  # per seat: what the line is sorted by
    residuals: Ages  # per class: mean residual lives, if these are what counts
    refill: Ints  # a stack of classes whose own servers may take waiting jobs
    n_refill: Ints  # [1]
    own: Ints  # a stack of jobs about to start on their own servers
    n_own: Ints  # [1]
    helpers: Any  # state of the auxiliary policy


def plan_refill(state: State, job_class: int) -> None:
    state.refill[state.n_refill[0]] = job_class
    state.n_refill[0] += 1


def wait_in_line(state: State, jobs: Seats, job: int) -> None:
    """Join the class's line at the place that the rule of refilling gives; equals by arrival."""
    line = jobs.job_class[job]
    key = float(jobs.order[job])
    if state.rule[0] == LARGEST:
        key = -jobs.remaining[job] * jobs.need[job]
    elif state.rule[0] == EXPECTED:
        age = jobs.service[job] - jobs.remaining[job]
        rounding = rounding_of(jobs, jobs.remaining[job])
        key = -value_at(state.residuals, line, age, rounding) * jobs.need[job]
    state.key[job] = key
    older = NONE
    node = state.tree.root[line]
    while node != NONE:
        if key < state.key[node] or (key == state.key[node] and jobs.order[job] < jobs.order[node]):
            node = state.tree.left[node]
        else:
            older = node
            node = state.tree.right[node]
    attach(state.tree, state.waiting, line, jobs, job, older)


@dataclass(frozen=True)
class GeneralSplitting(Splitting, Preemptive):
    """Class i runs on its own servers; what finds them busy waits at the helpers, and goes to
    whichever of the two can take it first."""

    name = "balanced-splitting"
    preemptive = True

    refill: str = field(default="oldest", metadata={"parse": parse_refill, "spell": str})

    def initial_state(self, system: System) -> State:
        split = self.split_of(system)
        n_classes, n_seats = system.n_classes, system.n_seats
        return State(
            idle=np.array(split.own_servers),
            rule=np.array([REFILLS.index(self.refill)]),
            waiting=empty_queues(n_classes, n_seats),
            tree=empty_tree(n_classes, n_seats),
            key=np.zeros(n_seats),
            residuals=ages_of(self._residuals(system)),
            # Every job that comes, ends, is paused or is started by the helpers adds one entry.
            refill=np.zeros(4 * n_seats + 1, np.int64),
            n_refill=np.zeros(1, np.int64),
            own=np.zeros(n_seats, np.int64),
            n_own=np.zeros(1, np.int64),
            helpers=self.auxiliary.initial_state(replace(system, servers=split.helpers)),
        )

    def _residuals(self, system: System) -> list[AgeFunction]:
        if self.refill != "expected":
            return []
        return [residual_function(law) for law in system.class_laws()]

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        job_class = jobs.job_class[job]
        if state.waiting.head[job_class] == NONE and jobs.need[job] <= state.idle[job_class]:
            state.idle[job_class] -= jobs.need[job]
            state.own[state.n_own[0]] = job
            state.n_own[0] += 1
        else:
            jobs.helpers[job] = ROUTED
            wait_in_line(state, jobs, job)
            auxiliary_on_arrival(state.helpers, jobs, job)
            if state.idle[job_class] > 0:
                # Mixed needs: a newcomer may be first in line, and smaller than who was before.
                plan_refill(state, job_class)

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        if jobs.helpers[job] & SERVED:
            auxiliary_on_departure(state.helpers, jobs, job)
        else:
            state.idle[jobs.job_class[job]] += jobs.need[job]
            plan_refill(state, jobs.job_class[job])

    @staticmethod
    def decide(state: State, jobs: Seats) -> None:
        while state.n_refill[0] > 0:
            job_class = state.refill[state.n_refill[0] - 1]
            job = state.waiting.head[job_class]
            if job == NONE or jobs.need[job] > state.idle[job_class]:
                state.n_refill[0] -= 1
            else:
                state.idle[job_class] -= jobs.need[job]
                take_out(state.tree, state.waiting, job_class, job)
                auxiliary_withdraw(state.helpers, jobs, job)
                jobs.helpers[job] = ROUTED
                state.own[state.n_own[0]] = job
                state.n_own[0] += 1
        auxiliary_decide(state.helpers, jobs)

    @staticmethod
    def next_stop(state: State, jobs: Seats) -> int:
        job = auxiliary_next_stop(state.helpers, jobs)
        if job != NONE:
            # The loop notes what is left after this; the line must know it now.
            jobs.remaining[job] = remaining_of(jobs, job)
            wait_in_line(state, jobs, job)
            if state.idle[jobs.job_class[job]] > 0:
                plan_refill(state, jobs.job_class[job])
        return job

    @staticmethod
    def next_start(state: State, jobs: Seats) -> int:
        if state.n_own[0] > 0:
            state.n_own[0] -= 1
            return state.own[state.n_own[0]]
        job = auxiliary_next_start(state.helpers, jobs)
        if job != NONE:
            job_class = jobs.job_class[job]
            jobs.helpers[job] = ROUTED | SERVED
            take_out(state.tree, state.waiting, job_class, job)
            if state.idle[job_class] > 0:
                plan_refill(state, job_class)
        return job
