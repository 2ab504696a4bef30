"""What the policies that split the servers share: own servers per class, helpers, a spelling."""

from dataclasses import dataclass, field, replace

from zerowait.engine.mistakes import defines
from zerowait.engine.policy import System
from zerowait.engine.seats import REFUSED, Seats
from zerowait.model import InputError, Split, split_demands, split_from_slots
from zerowait.model.quantities import Ints
from zerowait.model.split import why_no_split
from zerowait.policies.base import Policy
from zerowait.policies.families.options import Range
from zerowait.policies.fcfs import Fcfs

FCFS = Fcfs()
ARRIVALS = (
    "A job that arrives goes to the own servers of its class if enough of them are idle, and else "
    "to the helpers"
)

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


@dataclass(frozen=True)
class Splitting(Policy):
    """A policy with own servers A_i for each class and helpers H run by an auxiliary policy."""

    seconds_per_million = 0.25

    auxiliary: Policy = FCFS
    slots: tuple[int, ...] | None = field(
        default=None, metadata={"parse": parse_slots, "spell": spell_slots} | SEARCH_SLOTS
    )

    def __post_init__(self) -> None:
        if not defines(self.auxiliary, "withdraw"):
            raise InputError(
                f"policy {self.spec}: {self.auxiliary.name} has no withdraw, which an auxiliary "
                "policy needs: a job that waits at the helpers may be taken by its own servers"
            )

    def rules(self) -> tuple[tuple[str, str], ...]:
        """Return the rules of the paper's Definition 2, by which jobs are sent for good."""
        return (
            ("own servers", f"{ARRIVALS}, for good."),
            ("helpers", f"The helpers serve whom they are sent by {self.auxiliary_told}"),
        )

    @property
    def auxiliary_told(self) -> str:
        """The auxiliary policy's name and rule."""
        return ": ".join(self.auxiliary.rules()[0])

    @property
    def pauses(self) -> bool:
        return self.auxiliary.pauses

    def notes_on(self, system: System) -> tuple[str, ...]:
        helpers = replace(system, servers=self.split_of(system).helpers)
        told = self.auxiliary.notes_on(helpers)
        if self.slots is not None:
            return told
        lost = why_no_split(system.class_needs, system.class_demands, system.servers)
        return told if lost is None else (lost, *told)

    def split_of(self, system: System) -> Split:
        """Return the slots as given, or the balanced split of the system's demands."""
        if self.slots is None:
            return split_demands(system.class_needs, system.class_demands, system.servers)
        return split_from_slots(system.class_needs, self.slots, system.servers)


def book_helpers(idle: Ints, jobs: Seats, job: int) -> None:
    """The auxiliary policy has started `job`; the loop hears of it if it must not."""
    idle[0] -= jobs.need[job]
    if idle[0] < 0:
        jobs.phase[job] = REFUSED


# Bound to the auxiliary policy's hooks when the loop is compiled.
auxiliary_on_arrival = Policy.on_arrival
auxiliary_on_departure = Policy.on_departure
auxiliary_decide = Policy.decide
auxiliary_next_stop = Policy.next_stop
auxiliary_on_pause = Policy.on_pause
auxiliary_next_start = Policy.next_start
auxiliary_withdraw = Policy.withdraw
