"""What the preemptive policies share: jobs in lines by need, and a plan of who is served."""

from typing import Any, ClassVar

from zerowait.engine.seats import Seats
from zerowait.engine.structures.lines import next_pause, next_planned
from zerowait.policies.base import Policy


class Preemptive(Policy):
    """Its state has `lines`; `decide` moves the plan's boundaries, the rest follows from them."""

    HOOKS: ClassVar[tuple[str, ...]] = (
        "on_arrival",
        "on_departure",
        "decide",
        "next_stop",
        "next_start",
        "withdraw",
    )
    preemptive = True

    @staticmethod
    def decide(state: Any, jobs: Seats) -> None:
        """Plan who is in service from now on."""

    @staticmethod
    def next_stop(state: Any, jobs: Seats) -> int:
        """The next job to pause, or NONE."""
        return next_pause(state.lines, jobs)

    @staticmethod
    def next_start(state: Any, jobs: Seats) -> int:
        """The next job to start or resume, or NONE."""
        return next_planned(state.lines, jobs)
