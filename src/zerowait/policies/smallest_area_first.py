"""Smallest area first."""

from zerowait.policies.base import register
from zerowait.policies.families.backfill_rule import NEVER, Rule
from zerowait.policies.families.backfilling import Backfilling


@register
class SmallestAreaFirst(Backfilling):
    """Start, of the waiting jobs that fit the idle servers, the one with the smallest area
    (estimated service x need), and again until none fits (`backfill` without reservations).
    """

    name = "smallest-area-first"
    alias = "saf"
    throughput_optimal = "unknown"
    source = "Carastan-Santos, de Camargo, Trystram, Zrigui 2019"

    @property
    def rule(self) -> Rule:
        return Rule(order="area", reserve_after=NEVER)
