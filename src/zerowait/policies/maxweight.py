"""MaxWeight."""

from typing import NamedTuple

import numpy as np

from zerowait.engine.policy import PoolView, System
from zerowait.engine.seats import Seats
from zerowait.engine.structures.packing import Packing, empty_packing, pack
from zerowait.engine.structures.queues import Lines, empty_lines, plan_count
from zerowait.model.quantities import Ints
from zerowait.policies.base import register
from zerowait.policies.families.preemptive import ByNeed


class State(NamedTuple):
    needs: Ints  # distinct needs, smallest first
    servers: Ints  # [1]
    present: Ints  # per need: Q_n, jobs in the system
    lines: Lines  # one per need, in order of arrival
    packing: Packing


@register
class Maxweight(ByNeed):
    """Serve the packing x of all servers that maximises sum Q_n x_n, where Q_n jobs of need n are
    in the system; the oldest of each need.

    Of equal packings the lexicographically largest from the largest need down.
    """

    name = "maxweight"
    throughput_optimal = "yes"
    source = "Maguluri, Srikant, Ying 2012; the paper, section 2"
    look = ("grey", "diamond", "dashdot")
    seconds_per_million = 1.5

    def initial_state(self, system: System) -> State:  # type: ignore[override]
        n_needs = len(system.needs)
        return State(
            needs=system.needs.copy(),
            servers=np.array([system.servers]),
            present=np.zeros(n_needs, np.int64),
            lines=empty_lines(system.needs, system.n_seats),
            packing=empty_packing(system.needs, system.servers),
        )

    @staticmethod
    def decide(state: State, jobs: Seats) -> None:
        packing = state.packing
        for line in range(state.needs.shape[0]):
            packing.weights[line] = state.present[line]
            packing.limits[line] = state.present[line]
        pack(packing, state.servers[0])
        for line in range(state.needs.shape[0]):
            plan_count(state.lines, line, packing.counts[line])

    def why_start(self, pool: PoolView, job: int) -> str:
        return f"it is in the packing that weighs most: {packing_told(pool.state)}"

    def why_pause(self, pool: PoolView, job: int) -> str:
        return f"the packing that weighs most is another one: {packing_told(pool.state)}"

    def why_wait(self, pool: PoolView) -> str:
        return f"{pool.idle_words}: the packing that weighs most leaves those out who wait"


def packing_told(state: State) -> str:
    """Say how many of which need are packed, and what each weighs."""
    counts = zip(state.packing.counts, state.needs, state.present, strict=True)
    return ", ".join(f"{x} of need {need} (weight {q})" for x, need, q in counts if x)
