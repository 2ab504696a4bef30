"""Back-filling in any order, with late reservations; EASY and smallest area first."""

from dataclasses import dataclass, replace

from zerowait.policies.base import register
from zerowait.policies.families.backfill_rule import NEVER, Rule
from zerowait.policies.families.backfilling import Backfilling


@register
@dataclass(frozen=True)
class Backfill(Rule, Backfilling):
    """Scan the waiting jobs by key, smallest first, and start each that fits; the first that does
    not, and has waited `reserve_after`, gets a reservation that later ones must not delay.

    order: arrival, need, estimate, area (need x estimate), or due (arrival + allowance). The
    allowance is patience x (need_weight ln need + time_weight ln estimate), or a table per class;
    by=class takes the class's mean service in place of the job's estimate. Under due nobody is
    overtaken by a job that arrives more than (own allowance - smallest allowance) later.
    """

    name = "backfill"
    throughput_optimal = "unknown"
    source = "Lifka 1995 (EASY); Carastan-Santos et al. 2019 (orders by size)"

    @property
    def rule(self) -> Rule:
        return self

    def over_reserving(self, servers: int) -> "Backfill":
        return replace(self, over_reserve=servers)


@register
class Easy(Backfilling):
    """Start jobs in order of arrival; the first that does not fit gets a reservation, and a
    later job that fits starts if that does not delay it (`backfill`).
    """

    name = "easy"
    throughput_optimal = "unknown"
    source = "Lifka 1995; Mu'alem, Feitelson 2001"
    look = ("brown", "diamond", "dashed")
    seconds_per_million = 0.6

    def over_reserving(self, servers: int) -> Backfill:
        return Backfill(over_reserve=servers)


@register
class SmallestAreaFirst(Backfilling):
    """Start, of the waiting jobs that fit the idle servers, the one with the smallest area
    (estimated service x need), and again until none fits (`backfill` without reservations).
    """

    name = "smallest-area-first"
    alias = "saf"
    throughput_optimal = "unknown"
    source = "Carastan-Santos, de Camargo, Trystram, Zrigui 2019"
    look = ("vermillion", "down", "dashed")

    @property
    def rule(self) -> Rule:
        return Rule(order="area", reserve_after=NEVER)
