"""Balanced Splitting over any auxiliary policy (the paper, Definition 1).

A class's own servers take, by default, its oldest waiting job. Without pauses that is a queue in
order of arrival. Otherwise the lines are sorted, because a paused job comes back to its place and
the rule may ask for the largest job.
"""

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zerowait.engine.policy import LoadTerms, PoolView, System
from zerowait.engine.seats import PAUSING, ROUTED, SERVED, WAITING, Seats, holds
from zerowait.engine.structures.age_pieces import Ages, ages_of, rounding_of, value_at
from zerowait.engine.structures.queues import NONE, Queues, empty_queues, join, leave
from zerowait.engine.structures.trees import Trees, attach, empty_trees, take_out
from zerowait.model import InputError
from zerowait.model.age_functions import residual_function
from zerowait.model.quantities import Floats, Ints
from zerowait.policies.base import register
from zerowait.policies.families.splitting import (
    ARRIVALS,
    Splitting,
    auxiliary_decide,
    auxiliary_next_start,
    auxiliary_next_stop,
    auxiliary_on_arrival,
    auxiliary_on_departure,
    auxiliary_on_pause,
    auxiliary_withdraw,
    book_helpers,
)

# Whom own servers take by rule 3: of a class that is named, and of theirs.
REFILLED = {
    "oldest": ("its oldest waiting job", "the oldest waiting job of their class"),
    "largest": (
        "its waiting job with the most left",
        "the waiting job of their class with the most left",
    ),
    "expected": (
        "its waiting job that is expected to have the most left",
        "the waiting job of their class that is expected to have the most left",
    ),
}
REFILLS = tuple(REFILLED)
LARGEST = REFILLS.index("largest")
EXPECTED = REFILLS.index("expected")


class Waiting(NamedTuple):
    """The jobs not in service, one line per class."""

    line: Queues
    rule: Ints  # [1] of refilling
    tree: Trees  # of a sorted line
    key: Floats  # per seat: what it is sorted by
    residuals: Ages  # per class: mean residual lives, if these are what counts


def parse_refill(text: str) -> str:
    if text not in REFILLS:
        raise InputError(f"refill={text}: must be one of {', '.join(REFILLS)}")
    return text


def empty_waiting(refill: str, system: System) -> Waiting:
    laws = system.class_laws() if refill == "expected" else []
    return Waiting(
        line=empty_queues(system.n_classes, system.n_seats),
        rule=np.array([REFILLS.index(refill)]),
        tree=empty_trees(system.n_classes, system.n_seats),
        key=np.zeros(system.n_seats),
        residuals=ages_of([residual_function(law) for law in laws]),
    )


def wait(waiting: Waiting, jobs: Seats, job: int) -> None:
    """Join the line of the job's class."""
    if PAUSING:
        attach(
            waiting.tree, waiting.line, jobs.job_class[job], jobs, job, before(waiting, jobs, job)
        )
    else:
        join(waiting.line, jobs.job_class[job], job)


def stop_waiting(waiting: Waiting, jobs: Seats, job: int) -> None:
    if PAUSING:
        take_out(waiting.tree, waiting.line, jobs.job_class[job], job)
    else:
        leave(waiting.line, jobs.job_class[job], job)


def before(waiting: Waiting, jobs: Seats, job: int) -> int:
    """Return the job behind which a newcomer belongs, or NONE; equals in order of arrival."""
    line = jobs.job_class[job]
    key = float(jobs.order[job])
    if waiting.rule[0] == LARGEST:
        key = -jobs.remaining[job] * jobs.need[job]
    elif waiting.rule[0] == EXPECTED:
        age = jobs.service[job] - jobs.work_left[job]
        rounding = rounding_of(jobs, age, jobs.work_left[job])
        key = -value_at(waiting.residuals, line, age, rounding) * jobs.need[job]
    waiting.key[job] = key
    older = NONE
    node = waiting.tree.root[line]
    while node != NONE:
        other = waiting.key[node]
        if key < other or (key == other and jobs.order[job] < jobs.order[node]):
            node = waiting.tree.left[node]
        else:
            older = node
            node = waiting.tree.right[node]
    return older


class State(NamedTuple):
    idle: Ints  # per class: idle own servers
    arrived: Ints  # [1] the job that just came and enters its own servers, or NONE
    own: Ints  # a stack of waiting jobs about to start on their own servers
    n_own: Ints  # [1]
    waiting: Waiting  # at the helpers, one line per class
    refill: Ints  # a stack of classes whose own servers may take waiting jobs
    n_refill: Ints  # [1]
    idle_helpers: Ints  # [1]
    helpers: Any  # state of the auxiliary policy


def plan_refill(state: State, job_class: int) -> None:
    state.refill[state.n_refill[0]] = job_class
    state.n_refill[0] += 1


def refill_own_servers(state: State, jobs: Seats) -> None:
    """Let idle own servers take waiting jobs of their class, as long as they fit."""
    while state.n_refill[0] > 0:
        job_class = state.refill[state.n_refill[0] - 1]
        job = state.waiting.line.head[job_class]
        idle = state.idle[job_class]
        if job == NONE or jobs.need[job] > idle:
            state.n_refill[0] -= 1
            continue
        idle -= jobs.need[job]
        state.idle[job_class] = idle
        if idle == 0:
            state.n_refill[0] -= 1  # nobody else fits: spare the next look
        stop_waiting(state.waiting, jobs, job)
        auxiliary_withdraw(state.helpers, jobs, job)
        if PAUSING:
            jobs.helpers[job] = ROUTED  # it may have run there before
        state.own[state.n_own[0]] = job
        state.n_own[0] += 1
    if not PAUSING and state.n_own[0] > 1:
        turn_round(state.own, state.n_own[0])


def turn_round(own: Ints, n_own: int) -> None:
    """Let who was let in first start first: without pauses jobs are counted as they start."""
    for place in range(n_own // 2):
        job = own[place]
        own[place] = own[n_own - 1 - place]
        own[n_own - 1 - place] = job


@register
@dataclass(frozen=True)
class BalancedSplitting(Splitting):
    """Class i runs on its own servers; what finds them busy waits at the helpers, and goes to
    whichever of the two can take it first."""

    name = "balanced-splitting"
    alias = "bs"
    throughput_optimal = "asymptotically"
    source = "Anselmi, Doncel: Balanced Splitting, Definition 1"
    looks_with: ClassVar = {
        "fcfs": ("blue",),
        "first-fit": ("sky", "square"),
        "easy": ("sky", "diamond", "dashed"),
    }

    refill: str = field(default="oldest", metadata={"parse": parse_refill, "spell": str})

    @property
    def saturation(self) -> str:
        is_default = self.slots is None and self.refill == "oldest"
        return "below" if is_default and self.auxiliary.in_order else ""

    def proven_loads(self, terms: LoadTerms) -> tuple[float, float]:
        return terms.by_own_servers, math.inf

    def rules(self) -> tuple[tuple[str, str], ...]:
        return (
            ("rule 1", f"{ARRIVALS}, where it waits."),
            ("rule 2", f"The helpers serve those who wait by {self.auxiliary_told}"),
            ("rule 3", f"Own servers that come free take {REFILLED[self.refill][1]}."),
        )

    def why_start(self, pool: PoolView, job: int) -> str:
        """Say whom own servers take back from the helpers."""
        return REFILLED[self.refill][0]

    def slurm_order(self) -> dict[str, Any]:
        if not self.auxiliary.in_order:
            raise InputError(
                "on Slurm the helpers of a split only run fcfs: back-filling would start a job "
                "there although its own servers come free first; use bs:fcfs"
            )
        if self.refill != "oldest":
            raise InputError("own servers on Slurm take the oldest job first")
        if self.slots is None:
            raise InputError("give the slots of each class, as slots=24/16/8/4")
        return {"backfills": False, "slots": self.slots}

    @property
    def pauses(self) -> bool:
        return super().pauses or self.refill != "oldest"

    def initial_state(self, system: System) -> State:
        split = self.split_of(system)
        return State(
            idle=np.array(split.own_servers),
            arrived=np.array([NONE]),
            own=np.zeros(system.n_seats, np.int64),
            n_own=np.zeros(1, np.int64),
            waiting=empty_waiting(self.refill, system),
            # Every job that comes, ends, is paused or is started by the helpers adds one entry.
            refill=np.zeros(4 * system.n_seats + 1, np.int64),
            n_refill=np.zeros(1, np.int64),
            idle_helpers=np.array([split.helpers]),
            helpers=self.auxiliary.initial_state(replace(system, servers=split.helpers)),
        )

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        """Rule 1: to the own servers if they can take the job at once, else to the helpers."""
        job_class = jobs.job_class[job]
        if state.waiting.line.head[job_class] == NONE and jobs.need[job] <= state.idle[job_class]:
            state.idle[job_class] -= jobs.need[job]
            state.arrived[0] = job
        else:
            jobs.helpers[job] = ROUTED
            wait(state.waiting, jobs, job)
            auxiliary_on_arrival(state.helpers, jobs, job)
            if PAUSING and state.idle[job_class] > 0:
                # Mixed needs: a newcomer may be first in line, and smaller than who was before.
                plan_refill(state, job_class)

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        job_class = jobs.job_class[job]
        if jobs.helpers[job] & SERVED:
            state.idle_helpers[0] += jobs.need[job]
            auxiliary_on_departure(state.helpers, jobs, job)
        else:
            state.idle[job_class] += jobs.need[job]
            if state.waiting.line.head[job_class] != NONE:
                plan_refill(state, job_class)

    @staticmethod
    def decide(state: State, jobs: Seats) -> None:
        """Rule 3: own servers take the oldest waiting jobs; rule 2: the auxiliary takes others."""
        if state.n_refill[0] > 0:
            refill_own_servers(state, jobs)
        auxiliary_decide(state.helpers, jobs)

    @staticmethod
    def next_stop(state: State, jobs: Seats) -> int:
        return auxiliary_next_stop(state.helpers, jobs)

    @staticmethod
    def on_pause(state: State, jobs: Seats, job: int) -> None:
        state.idle_helpers[0] += jobs.need[job]
        auxiliary_on_pause(state.helpers, jobs, job)
        wait(state.waiting, jobs, job)
        if state.idle[jobs.job_class[job]] > 0:
            plan_refill(state, jobs.job_class[job])

    @staticmethod
    def next_start(state: State, jobs: Seats) -> int:
        job = state.arrived[0]
        if job != NONE:
            state.arrived[0] = NONE
            return job
        n_own = state.n_own[0]
        if n_own > 0:
            state.n_own[0] = n_own - 1
            return state.own[n_own - 1]
        job = auxiliary_next_start(state.helpers, jobs)
        if holds(jobs, job, WAITING):
            book_helpers(state.idle_helpers, jobs, job)
            stop_waiting(state.waiting, jobs, job)
            jobs.helpers[job] = ROUTED | SERVED
            if state.idle[jobs.job_class[job]] > 0:
                # Mixed needs: what waited behind this job may fit its own servers, but only the
                # next decision looks there.
                plan_refill(state, jobs.job_class[job])
        return job
