"""What a scheduling policy is told, what the event loop asks it, and what is known of it."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, ClassVar, NamedTuple

from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import NONE
from zerowait.model import InputError, Law, Split
from zerowait.model.quantities import Floats, Ints

MOST_NAMED = 3  # jobs in one sentence


@dataclass(frozen=True)
class System:
    """Servers, classes and the number of seats; given to `Policy.initial_state`.

    Arrays that a policy keeps per job have `n_seats` entries and are indexed by the job.
    When seats run out the engine asks for a state with more and copies the old entries.
    """

    servers: int
    n_seats: int
    needs: Ints  # the distinct needs of all jobs, smallest first
    class_needs: Ints  # per class: the largest need
    class_demands: Sequence[int] | Sequence[float]  # per class: work, in any unit
    class_services: Floats  # per class: mean service time
    class_laws: Callable[[], Sequence[Law]]  # per class: of the service times, made when asked for
    kinds: Sequence[tuple[int, int]]  # the pairs of class and need that occur

    @property
    def n_classes(self) -> int:
        return len(self.class_needs)


class LoadTerms(NamedTuple):
    """What theorems about stable loads are stated in."""

    servers: int
    needs: Sequence[int]  # per class
    # Of a split under Poisson arrivals: the load that own servers can carry, and the one of which
    # helpers can carry what is left. NaN elsewhere.
    by_own_servers: float = math.nan
    by_helpers: float = math.nan


@dataclass(frozen=True)
class PoolView:
    """All servers, or the helpers of a split: who waits for them and how many are idle.

    It is taken after the policy has decided and before the decision is carried out: a job that
    starts still waits, its servers are still idle.
    """

    state: Any  # of the policy
    jobs: Seats
    servers: int
    idle: int
    waiting: tuple[int, ...]  # seats, in order of arrival
    job_names: Sequence[str]  # in stream order
    time: Callable[[float], str]  # tells a point in time
    length: Callable[[float], str]  # tells a duration
    noun: str = "servers"  # or helpers

    @property
    def now(self) -> float:
        return float(self.jobs.clock[0])

    def name(self, job: int) -> str:
        return self.job_names[int(self.jobs.order[job])]

    def names(self, jobs: Iterable[int]) -> str:
        return named([self.name(job) for job in jobs])

    def need(self, job: int) -> int:
        return int(self.jobs.need[job])

    def before(self, job: int) -> list[int]:
        """Return the waiting jobs that came before this one."""
        return [one for one in self.waiting if self.jobs.order[one] < self.jobs.order[job]]

    @property
    def idle_words(self) -> str:
        """Say `no server is idle`, `1 server is idle`, `6 servers are idle`."""
        one = self.noun.removesuffix("s")
        if self.servers == 0:
            return f"there are no {self.noun}"
        if self.idle == 0:
            return f"no {one} is idle"
        return f"1 {one} is idle" if self.idle == 1 else f"{self.idle} {self.noun} are idle"

    @property
    def nobody_fits(self) -> str:
        """Say why jobs wait under policies that start whoever fits."""
        return self.idle_words + (", and nobody that waits needs so few" if self.idle else "")


def named(names: Sequence[str]) -> str:
    """Join names of jobs: `job 4`, `jobs 4 and 7`, `jobs 4, 7, 9 and 5 more`."""
    if len(names) == 1:
        return f"job {names[0]}"
    *shown, last = names
    if len(names) > MOST_NAMED:
        shown, last = list(names[:MOST_NAMED]), f"{len(names) - MOST_NAMED} more"
    return f"jobs {', '.join(shown)} and {last}"


class Policy:
    """Answers the engine's questions: who arrived, who left, who pauses, who starts next.

    The hooks are compiled, so they are static, allocate nothing and keep everything that
    changes in the arrays of `state`, a NamedTuple. Options are fields of a frozen dataclass.

    Everything else is what the rest of zerowait knows of a policy; it has a default, and is
    inherited: state it anew in a subclass that decides otherwise.
    """

    HOOKS: ClassVar[tuple[str, ...]] = (
        "on_arrival",
        "on_departure",
        "decide",
        "next_stop",
        "on_pause",
        "next_start",
        "withdraw",
    )

    name: ClassVar[str]
    alias: ClassVar[str] = ""
    preemptive: ClassVar[bool] = False
    size_aware: ClassVar[bool] = False
    in_order: ClassVar[bool] = False  # strictly first come, first served
    throughput_optimal: ClassVar[str] = "unknown"  # Table 1 of the paper
    source: ClassVar[str] = ""
    # Hue, marker and dash in charts, in the words of `report/palette.py`; a policy with an
    # auxiliary has one look for each auxiliary by name. Without one, looks are dealt out.
    look: ClassVar[tuple[str, ...]] = ()
    looks_with: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    # Of policies that split the servers:
    auxiliary: "Policy | None" = None  # runs the helpers
    refill: str | None = None  # whom own servers take back from the helpers

    @property
    def pauses(self) -> bool:
        """Tell whether the loop must know what jobs have left: only then can they be paused."""
        return self.preemptive

    def applied_to(self, system: System) -> "Policy":
        """Return the policy that runs on `system`: itself, or what it comes down to there."""
        return self

    def notes_on(self, system: System) -> tuple[str, ...]:
        """Tell what a user should know about the policy on this system."""
        return ()

    def split_of(self, system: System) -> Split | None:
        """Return the servers of each class and the helpers; None where all are one pool."""
        return None

    @property
    def seconds_per_million(self) -> float:
        """Tell roughly how long a million jobs take on one core."""
        return 1.0 if self.preemptive else 0.3

    def is_throughput_optimal(self, servers: int, needs: Sequence[int]) -> bool:
        """Tell whether the policy, as it is by default, is proven to be stable at any load below
        one on these servers and needs."""
        return self.throughput_optimal == "yes"

    def proven_loads(self, terms: LoadTerms) -> tuple[float, float]:
        """Return the load below which theory says stable, and the one above which it does not."""
        is_default = self.spec == self.name
        known = is_default and self.is_throughput_optimal(terms.servers, terms.needs)
        return (1.0 if known else 0.0), math.inf

    @property
    def saturation(self) -> str:
        """Use of the load that a crowd of jobs keeps busy: it is the "limit" of stability, the
        policy is stable "below" it, or (empty) it tells nothing."""
        return ""

    def slurm_order(self) -> dict[str, Any] | None:
        """Return how a scheduler of priorities runs the policy, as fields of `deploy.order.Order`.

        None if it cannot; InputError with the reason if it could with other options.
        """
        return None

    def over_reserving(self, servers: int) -> "Policy":
        """Return the policy with so many servers too many in each reservation, if it has any."""
        return self

    def parts(self) -> "dict[str, Policy]":
        """Return its parts alone, by name, where several of them may each make a difference."""
        return {}

    def advice(self) -> list[str]:
        """Say in sentences what an operator has to do, where the spelling is not enough."""
        return []

    def rules(self) -> tuple[tuple[str, str], ...]:
        """Return the rules by which jobs start, as the movie shows them: their labels and words."""
        return ((self.name, self.summary().replace("`", "") or self.name),)

    def line_up(self, pool: PoolView) -> list[int]:
        """Return who waits, in the order in which the policy looks at them."""
        return list(pool.waiting)

    def why_start(self, pool: PoolView, job: int) -> str:
        """Say, as a clause after a colon, why a job starts or goes on now."""
        return f"its rule chose it; it needs {pool.need(job)}, and {pool.idle_words}"

    def why_pause(self, pool: PoolView, job: int) -> str:
        """Say, as a clause after a colon, why a job is taken out of service."""
        return "its rule chose others"

    def why_wait(self, pool: PoolView) -> str:
        """Say, as a sentence, why those who wait do; asked when nobody can start."""
        return f"{pool.idle_words}, and its rule starts nobody"

    @classmethod
    def summary(cls) -> str:
        """Return the rule in one line: the first paragraph of the docstring."""
        return " ".join((cls.__doc__ or "").split("\n\n")[0].split())

    def initial_state(self, system: System) -> Any:
        """Return the state of an empty system; InputError where the policy cannot apply."""
        raise InputError(f"policy {self.name}: has no initial_state; see CONTRIBUTING.md")

    @staticmethod
    def on_arrival(state: Any, jobs: Seats, job: int) -> None:
        """Hear that `job` has arrived and waits."""

    @staticmethod
    def on_departure(state: Any, jobs: Seats, job: int) -> None:
        """Hear that `job` has ended and its servers are free."""

    @staticmethod
    def decide(state: Any, jobs: Seats) -> None:
        """Plan who is in service from now on; asked once after every event."""

    @staticmethod
    def next_stop(state: Any, jobs: Seats) -> int:
        """Choose the next job to pause now and note that it waits, or return NONE."""
        return NONE

    @staticmethod
    def on_pause(state: Any, jobs: Seats, job: int) -> None:
        """Hear that `job` was paused; what it has left has grown by the price of a pause."""

    @staticmethod
    def next_start(state: Any, jobs: Seats) -> int:
        """Choose the next job to start now and note that it runs, or return NONE."""
        return NONE

    @staticmethod
    def withdraw(state: Any, jobs: Seats, job: int) -> None:
        """Hear that a waiting job was taken elsewhere; asked only of an auxiliary policy."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    @property
    def spec(self) -> str:
        """Return the policy as it is spelled on the command line."""
        text = self.name if self.auxiliary is None else f"{self.name}:{self.auxiliary.name}"
        for owner in (self, self.auxiliary):
            if is_dataclass(owner):
                for field in fields(owner):
                    value = getattr(owner, field.name)
                    if field.name != "auxiliary" and value != field.default:
                        text += f",{field.name}={field.metadata['spell'](value)}"
        return text
