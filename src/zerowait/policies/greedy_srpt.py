"""GreedySRPT."""

from zerowait.engine.seats import Seats
from zerowait.policies.base import register
from zerowait.policies.families.srpt import Srpt, State, plan_in_order


@register
class GreedySrpt(Srpt):
    """Serve by remaining size (time x need), smallest first, up to the first that does not fit."""

    name = "greedy-srpt"
    throughput_optimal = "unknown"
    source = "Carastan-Santos et al. 2019; the paper, Table 1"
    look = ("grey", "plus", "dotted")

    @staticmethod
    def decide(state: State, jobs: Seats) -> None:
        plan_in_order(state, jobs, False)
