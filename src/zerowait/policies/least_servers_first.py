"""Least servers first."""

from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import plan_count
from zerowait.policies.base import register
from zerowait.policies.families.preemptive import ByNeed, State


@register
class LeastServersFirst(ByNeed):
    """Serve by need, smallest first, each that fits; within a need in order of arrival."""

    name = "least-servers-first"
    alias = "lsf"
    throughput_optimal = "no"
    source = "Grosof, Harchol-Balter, Scheller-Wolf 2022 (WCFS)"
    first = "smallest"
    look = ("olive", "triangle", "dashed")
    seconds_per_million = 0.3

    @staticmethod
    def decide(state: State, jobs: Seats) -> None:
        idle = state.servers[0]
        for line in range(state.needs.shape[0]):
            count = min(state.present[line], idle // state.needs[line])
            idle -= count * state.needs[line]
            plan_count(state.lines, line, count)
