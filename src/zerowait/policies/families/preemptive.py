"""What the preemptive policies share: jobs in lines by need, and a plan of who is served."""

from typing import Any

from zerowait.engine.seats import Seats
from zerowait.engine.structures.lines import next_pause, next_planned
from zerowait.policies.base import Policy


class Preemptive(Policy):
    """Its state has `lines`; `decide` moves the plan's boundaries, the rest follows from them."""

    preemptive = True

    @staticmethod
    def next_stop(state: Any, jobs: Seats) -> int:
        """The next job to pause, or NONE."""
        return next_pause(state.lines, jobs)

    @staticmethod
    def next_start(state: Any, jobs: Seats) -> int:
        """The next job to start or resume, or NONE."""
        return next_planned(state.lines, jobs)
