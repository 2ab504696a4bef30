"""What a scheduling policy is, and the register of all known ones."""

from dataclasses import fields, is_dataclass
from typing import Any, ClassVar

from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import NONE
from zerowait.engine.system import System
from zerowait.model import InputError

POLICIES: dict[str, type["Policy"]] = {}


class Policy:
    """Answers the engine's questions: who arrived, who left, who starts next.

    The hooks are compiled, so they are static, allocate nothing and keep everything that
    changes in the arrays of `state`, a NamedTuple. Options are fields of a frozen dataclass.
    """

    HOOKS: ClassVar[tuple[str, ...]] = ("on_arrival", "on_departure", "next_start", "withdraw")

    name: ClassVar[str]
    alias: ClassVar[str] = ""
    preemptive: ClassVar[bool] = False
    size_aware: ClassVar[bool] = False
    throughput_optimal: ClassVar[str] = "unknown"  # Table 1 of the paper
    source: ClassVar[str] = ""
    auxiliary: "Policy | None" = None

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
    def next_start(state: Any, jobs: Seats) -> int:
        """Choose the next job to start now and note that it runs, or return NONE."""
        return NONE

    @staticmethod
    def withdraw(state: Any, jobs: Seats, job: int) -> None:
        """A waiting job was taken elsewhere; asked only of an auxiliary policy."""

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


def register(policy: type[Policy]) -> type[Policy]:
    """Class decorator: make `policy` known to the CLI, the docs and the contract tests.

    A decorator, not `__init_subclass__`: Dask rebuilds classes from notebooks piecemeal, and
    a hook that runs before `name` exists would break them.
    """
    for name in filter(None, (policy.name, policy.alias)):
        known = POLICIES.get(name)
        if known is not None and known.__qualname__ != policy.__qualname__:
            raise ValueError(f"policy name {name!r} is taken by {known.__qualname__}")
        POLICIES[name] = policy
    return policy
