"""Most servers first, also known as best fit."""

from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import plan_count
from zerowait.policies.base import register
from zerowait.policies.families.preemptive import ByNeed, State


@register
class MostServersFirst(ByNeed):
    """Serve by need, largest first, each that fits; within a need in order of arrival."""

    name = "most-servers-first"
    alias = "msf"
    throughput_optimal = "no"
    source = "Beloglazov, Buyya 2010; Maguluri, Srikant, Ying 2012 (best fit)"
    first = "largest"
    look = ("pink", "down")
    seconds_per_million = 0.35

    @staticmethod
    def decide(state: State, jobs: Seats) -> None:
        idle = state.servers[0]
        for line in range(state.needs.shape[0] - 1, -1, -1):
            count = min(state.present[line], idle // state.needs[line])
            idle -= count * state.needs[line]
            plan_count(state.lines, line, count)
