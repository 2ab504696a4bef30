"""First-Fit SRPT."""

from dataclasses import dataclass, field

import numpy as np

from zerowait.engine.policy import System
from zerowait.engine.seats import Seats
from zerowait.model import InputError
from zerowait.model.quantities import Floats
from zerowait.policies.base import register
from zerowait.policies.families.srpt import Srpt, State, plan_in_order


def parse_key(text: str) -> str:
    if text not in ("time", "size"):
        raise InputError(f"key={text}: must be time (remaining time) or size (time x need)")
    return text


@register
@dataclass(frozen=True)
class FirstFitSrpt(Srpt):
    """Serve by remaining time, shortest first, whatever the need; take each that fits, skip the
    others. With key=size order by remaining time x need.
    """

    name = "first-fit-srpt"
    alias = "ff-srpt"
    throughput_optimal = "unknown"
    source = "the paper, section 2"
    skips = True
    look = ("wine", "triangle", "dotted")
    seconds_per_million = 0.8

    key: str = field(default="time", metadata={"parse": parse_key, "spell": str})

    @property
    def by_size(self) -> bool:
        return self.key == "size"

    def weights(self, system: System) -> Floats:
        needs = system.needs.astype(np.float64)
        return needs if self.by_size else np.ones_like(needs)

    @staticmethod
    def decide(state: State, jobs: Seats) -> None:
        plan_in_order(state, jobs, True)
