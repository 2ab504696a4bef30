"""What a scheduling policy is: the questions that the event loop asks."""

from dataclasses import fields, is_dataclass
from typing import Any, ClassVar

from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import NONE
from zerowait.engine.system import System
from zerowait.model import InputError


class Policy:
    """Answers the engine's questions: who arrived, who left, who pauses, who starts next.

    The hooks are compiled, so they are static, allocate nothing and keep everything that
    changes in the arrays of `state`, a NamedTuple. Options are fields of a frozen dataclass.
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
    throughput_optimal: ClassVar[str] = "unknown"  # Table 1 of the paper
    source: ClassVar[str] = ""
    auxiliary: "Policy | None" = None

    @property
    def pauses(self) -> bool:
        """Must the loop know what jobs have left to do? Only then can they be paused."""
        return self.preemptive

    def applied_to(self, system: System) -> "Policy":
        """The policy that runs on `system`: itself, unless it comes down to another there."""
        return self

    def notes_on(self, system: System) -> tuple[str, ...]:
        """What a user should know about the policy on this system."""
        return ()

    def initial_state(self, system: System) -> Any:
        """The state of an empty system; raises InputError where the policy cannot apply."""
        raise InputError(f"policy {self.name}: has no initial_state; see CONTRIBUTING.md")

    @staticmethod
    def on_arrival(state: Any, jobs: Seats, job: int) -> None:
        """`job` has arrived and waits."""

    @staticmethod
    def on_departure(state: Any, jobs: Seats, job: int) -> None:
        """`job` has ended; its servers are free."""

    @staticmethod
    def decide(state: Any, jobs: Seats) -> None:
        """Plan who is in service from now on; asked once after every event."""

    @staticmethod
    def next_stop(state: Any, jobs: Seats) -> int:
        """Choose the next job to pause now and note that it waits, or return NONE."""
        return NONE

    @staticmethod
    def on_pause(state: Any, jobs: Seats, job: int) -> None:
        """`job` was paused; what it has left is known, and has grown by the price of a pause."""

    @staticmethod
    def next_start(state: Any, jobs: Seats) -> int:
        """Choose the next job to start now and note that it runs, or return NONE."""
        return NONE

    @staticmethod
    def withdraw(state: Any, jobs: Seats, job: int) -> None:
        """A waiting job was taken elsewhere; asked only of an auxiliary policy."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    @property
    def spec(self) -> str:
        """The policy as it is spelled on the command line."""
        text = self.name if self.auxiliary is None else f"{self.name}:{self.auxiliary.name}"
        for owner in (self, self.auxiliary):
            if is_dataclass(owner):
                for field in fields(owner):
                    value = getattr(owner, field.name)
                    if field.name != "auxiliary" and value != field.default:
                        text += f",{field.name}={field.metadata['spell'](value)}"
        return text
