"""What the policies that split the servers share: own servers per class, helpers, a spelling."""

from dataclasses import dataclass, field, replace
from typing import Any

from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import NONE
from zerowait.engine.system import System
from zerowait.model import InputError, Split, split_demands, split_from_slots
from zerowait.model.split import why_no_split
from zerowait.policies.base import Policy
from zerowait.policies.fcfs import Fcfs
from zerowait.policies.ranges import Range

FCFS = Fcfs()

# Rule 3 of Balanced Splitting: which waiting job its own servers take first.
REFILLS = ("oldest", "largest", "expected")

SEARCH_SLOTS = {"search": Range(0, 1.5, unit="fair slots", whole=True, per_class=True)}


def parse_slots(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split("/"))
    except ValueError:
        raise InputError(
            f"slots={text}: give one whole number per class, as in slots=24/16/8/4"
        ) from None


def spell_slots(slots: tuple[int, ...]) -> str:
    return "/".join(map(str, slots))


def parse_refill(text: str) -> str:
    if text not in REFILLS:
        raise InputError(f"refill={text}: must be one of {', '.join(REFILLS)}")
    return text


@dataclass(frozen=True)
class Splitting(Policy):
    """A policy with own servers A_i for each class and helpers H run by an auxiliary policy."""

    auxiliary: Policy = FCFS
    slots: tuple[int, ...] | None = field(
        default=None, metadata={"parse": parse_slots, "spell": spell_slots} | SEARCH_SLOTS
    )

    def notes_on(self, system: System) -> tuple[str, ...]:
        helpers = replace(system, servers=self.split_of(system).helpers)
        told = self.auxiliary.notes_on(helpers)
        if self.slots is not None:
            return told
        lost = why_no_split(system.class_needs, system.class_demands, system.servers)
        return told if lost is None else (lost, *told)

    def split_of(self, system: System) -> Split:
        """The slots as given, or the balanced split of the system's demands."""
        if self.slots is None:
            return split_demands(system.class_needs, system.class_demands, system.servers)
        return split_from_slots(system.class_needs, self.slots, system.servers)


# Bound to the auxiliary policy's hooks when the loop is compiled.
def auxiliary_on_arrival(state: Any, jobs: Seats, job: int) -> None:
    """Placeholder."""


def auxiliary_on_departure(state: Any, jobs: Seats, job: int) -> None:
    """Placeholder."""


def auxiliary_withdraw(state: Any, jobs: Seats, job: int) -> None:
    """Placeholder."""


def auxiliary_decide(state: Any, jobs: Seats) -> None:
    """Placeholder; a nonpreemptive auxiliary policy leaves it empty."""


def auxiliary_next_stop(state: Any, jobs: Seats) -> int:
    """Placeholder; a nonpreemptive auxiliary policy pauses nobody."""
    return NONE


def auxiliary_next_start(state: Any, jobs: Seats) -> int:
    """Placeholder."""
    return NONE
