"""ModifiedBS: Balanced Splitting whose helpers keep what they are sent (paper, Definition 2)."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zerowait.engine.policy import LoadTerms, System
from zerowait.engine.seats import ROUTED, SERVED, WAITING, Seats, holds
from zerowait.engine.structures.queues import NONE
from zerowait.model import InputError
from zerowait.model.quantities import Ints
from zerowait.policies.balanced_splitting import BalancedSplitting
from zerowait.policies.base import Policy, register
from zerowait.policies.families.splitting import (
    Splitting,
    auxiliary_decide,
    auxiliary_next_start,
    auxiliary_next_stop,
    auxiliary_on_arrival,
    auxiliary_on_departure,
    auxiliary_on_pause,
    book_helpers,
)


class State(NamedTuple):
    idle: Ints  # per class: idle own servers
    arrived: Ints  # [1] the job that just entered its own servers, or NONE
    idle_helpers: Ints  # [1]
    helpers: Any  # state of the auxiliary policy


@register
@dataclass(frozen=True)
class ModifiedBalancedSplitting(Splitting):
    """Class i runs on its own servers; what finds them busy is sent to the helpers for good."""

    name = "modified-balanced-splitting"
    alias = "mbs"
    throughput_optimal = "asymptotically, at a fixed load"
    source = "Anselmi, Doncel: Balanced Splitting, Definition 2"
    looks_with: ClassVar = {
        "fcfs": ("indigo", "plus", "dashdot"),
        "first-fit": ("indigo", "square", "dashed"),
    }

    def proven_loads(self, terms: LoadTerms) -> tuple[float, float]:
        # Strictly above: where there are no helpers nothing is sent to them.
        return 0.0, terms.by_helpers

    def applied_to(self, system: System) -> Policy:
        """Return BalancedSplitting where there are no helpers: jobs wait for their own servers."""
        if self.split_of(system).helpers == 0:
            return BalancedSplitting(self.auxiliary, self.slots)
        return self

    def initial_state(self, system: System) -> State:
        split = self.split_of(system)
        largest = max(split.needs)
        if largest > split.helpers:
            raise InputError(
                f"policy {self.spec}: a job of need {largest} sent to the {split.helpers} helpers "
                f"would wait for ever; leave at least {largest} helpers, or use balanced-splitting"
            )
        return State(
            idle=np.array(split.own_servers),
            arrived=np.array([NONE]),
            idle_helpers=np.array([split.helpers]),
            helpers=self.auxiliary.initial_state(replace(system, servers=split.helpers)),
        )

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        job_class = jobs.job_class[job]
        if jobs.need[job] <= state.idle[job_class]:
            state.idle[job_class] -= jobs.need[job]
            state.arrived[0] = job
        else:
            jobs.helpers[job] = ROUTED | SERVED
            auxiliary_on_arrival(state.helpers, jobs, job)

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        if jobs.helpers[job] & SERVED:
            state.idle_helpers[0] += jobs.need[job]
            auxiliary_on_departure(state.helpers, jobs, job)
        else:
            state.idle[jobs.job_class[job]] += jobs.need[job]

    @staticmethod
    def decide(state: State, jobs: Seats) -> None:
        auxiliary_decide(state.helpers, jobs)

    @staticmethod
    def next_stop(state: State, jobs: Seats) -> int:
        return auxiliary_next_stop(state.helpers, jobs)

    @staticmethod
    def on_pause(state: State, jobs: Seats, job: int) -> None:
        state.idle_helpers[0] += jobs.need[job]
        auxiliary_on_pause(state.helpers, jobs, job)

    @staticmethod
    def next_start(state: State, jobs: Seats) -> int:
        job = state.arrived[0]
        if job != NONE:
            state.arrived[0] = NONE
            return job
        job = auxiliary_next_start(state.helpers, jobs)
        if holds(jobs, job, WAITING):
            book_helpers(state.idle_helpers, jobs, job)
        return job
