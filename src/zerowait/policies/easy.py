"""EASY back-filling."""

from zerowait.policies.base import register
from zerowait.policies.families.backfilling import Backfilling


@register
class Easy(Backfilling):
    """Start jobs in order of arrival; the first that does not fit gets a reservation, and a
    later job that fits starts if that does not delay it (`backfill`).
    """

    name = "easy"
    throughput_optimal = "unknown"
    source = "Lifka 1995; Mu'alem, Feitelson 2001"
