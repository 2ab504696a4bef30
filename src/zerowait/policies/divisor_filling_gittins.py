"""DivisorFilling-Gittins."""

from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Ints
from zerowait.engine.seats import Seats
from zerowait.engine.structures.reach import Reach, empty_reach
from zerowait.engine.system import System
from zerowait.policies.base import register
from zerowait.policies.families.divisors import check_divisors, fill_divisors
from zerowait.policies.families.gittins_order import Gittins, Ranked, age_in_service, empty_ranked


class State(NamedTuple):
    servers: Ints  # [1]
    ranked: Ranked  # `chosen` are the first jobs of the order, as many as there are servers
    reach: Reach


@register
class DivisorFillingGittins(Gittins):
    """All needs divide the servers: of the first jobs by Gittins rank at their age x need, as many
    as there are servers, serve the first set by rank that fills all servers.

    In a replay a class's law is that of its own service times.
    """

    name = "divisor-filling-gittins"
    alias = "df-gittins"
    throughput_optimal = "yes, if all needs divide the servers"
    source = "Grosof, Scully, Harchol-Balter, Scheller-Wolf 2022"

    def initial_state(self, system: System) -> State:
        check_divisors(self.name, system)
        return State(
            np.array([system.servers]),
            empty_ranked(system, weigh_needs=False),
            empty_reach(system.needs, system.servers),
        )

    @staticmethod
    def decide(state: State, jobs: Seats) -> None:
        age_in_service(state.ranked, jobs)
        fill_divisors(state.ranked, state.reach, jobs, state.servers[0])
