"""Back-filling in any order, with late reservations; EASY and smallest area first."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from zerowait.policies.base import Policy, register
from zerowait.policies.families.backfill_rule import NEVER, Rule
from zerowait.policies.families.backfilling import Backfilling
from zerowait.policies.families.options import time_in_words

HALF_A_MINUTE_S = 30.0


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

    def parts(self) -> "dict[str, Policy]":
        if self.order == "arrival" or self.reserve_after == 0:
            return {}
        return {
            "its order": replace(self, reserve_after=0.0),
            "its reservation": Backfill(reserve_after=self.reserve_after),
        }

    def advice(self) -> list[str]:
        return [*order_told(self), reservation_told(self)]


def order_told(policy: Rule) -> Iterator[str]:
    """Say in which order the queue is to be, where that is by a formula."""
    if policy.order != "due" or policy.patience is None:
        return
    weights = _felt(policy.need_weight, policy.patience), _felt(policy.time_weight, policy.patience)
    terms = [
        f" {'+' if weight > 0 else '-'} {time_in_words(abs(policy.patience * weight))} x ln({what})"
        for weight, what in zip(reversed(weights), ("estimate", "servers"), strict=True)
        if weight
    ]
    yield (
        f"Order the queue by submission{''.join(terms)}, fixed when a job is submitted: "
        f"{who_passes(*weights)}, but nobody is passed for ever."
    )
    yield from exploits(*weights)


def _felt(weight: float, patience: float) -> float:
    """Return the weight; zero where it comes to less than half a minute."""
    return weight if abs(weight * patience) > HALF_A_MINUTE_S else 0.0


def who_passes(need_weight: float, time_weight: float) -> str:
    """Say who goes first of jobs that come together, by the signs of the weights of allowances."""
    found = []
    if time_weight:
        found.append(_passes("short", "long", time_weight))
    if need_weight:
        found.append(_passes("small", "large", need_weight))
    return " and ".join(found) or "all jobs keep the order in which they came"


def _passes(little: str, much: str, weight: float) -> str:
    first, then = (little, much) if weight > 0 else (much, little)
    return f"{first} jobs pass {then} ones"


def exploits(need_weight: float, time_weight: float) -> Iterator[str]:
    """Say what a user gains by asking for more than a job needs."""
    for weight, what in ((need_weight, "servers"), (time_weight, "time")):
        if weight < 0:
            yield f"Asking for more {what} then moves a job forward, which users can exploit."


def reservation_told(policy: Rule) -> str:
    """Say when a job that does not fit is to get a reservation."""
    if policy.reserve_after == 0:
        return "Reserve servers at once for the first job that does not fit, as EASY does."
    return (
        "Reserve servers for a job that does not fit only once it has waited "
        f"{time_in_words(policy.reserve_after)}."
    )


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
