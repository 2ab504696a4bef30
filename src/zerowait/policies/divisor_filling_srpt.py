"""DivisorFilling-SRPT."""

from zerowait.engine.seats import Seats, is_priced
from zerowait.engine.structures.lines import join_boundary
from zerowait.policies.base import register
from zerowait.policies.divisor_filling import DivisorFilling, State
from zerowait.policies.families.common_order import REMAINING
from zerowait.policies.families.srpt import join_by_remaining, rejoin_order


@register
class DivisorFillingSrpt(DivisorFilling):
    """All needs divide the servers: of the smallest jobs by remaining size (time x need), as many
    as there are servers, serve the first set by size that fills all servers."""

    name = "divisor-filling-srpt"
    alias = "df-srpt"
    size_aware = True
    source = "Grosof, Scully, Harchol-Balter, Scheller-Wolf 2022"
    rule = REMAINING

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        join_by_remaining(state.order, state.lines, jobs, job)
        join_boundary(state.chosen, state.lines.queues, jobs.need_rank[job], job)

    @staticmethod
    def on_pause(state: State, jobs: Seats, job: int) -> None:
        if is_priced(jobs):
            rejoin_order(state.order, state.lines, state.chosen, jobs, job)
