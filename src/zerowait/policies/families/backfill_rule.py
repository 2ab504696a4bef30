"""The rule of a back-filling policy: by what the queue is scanned, and who gets a reservation."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from zerowait.engine.kernel import called
from zerowait.engine.policy import System
from zerowait.engine.seats import Seats
from zerowait.model import InputError
from zerowait.model.quantities import Floats, Ints, refuse
from zerowait.policies.families.options import (
    COUNT,
    NUMBER,
    TIME,
    TIME_OR_NEVER,
    TIMES,
    Choice,
    Range,
    chosen_from,
    spell_times,
)

# Of patience and two weights one is too many: that of time is 1, or 0 beside a need's of 1.
BY_SIZE = {"order": ("estimate", "area", "due"), "time_weight": (1.0,)}
RESERVE_AFTER_RANGE = {
    "search": Range(0.1, 100, "log", "mean service", first=(0.0,), last=(math.inf,))
}
PATIENCE_RANGE = {"search": Range(0.1, 100, "log", "mean service", when={"order": ("due",)})}
NEED_WEIGHT_RANGE = {"search": Range(-0.5, 2, when={"order": ("due",), "time_weight": (1.0,)})}
TIME_WEIGHT_RANGE = {"search": Choice((1.0, 0.0), when={"order": ("due",)})}
ALLOWANCE_RANGE = {
    "search": Range(
        -50, 50, "symlog", "mean service", per_class=True, when={"order": ("due",)},
        instead_of=("patience", "need_weight", "time_weight", "by"),
    )
}  # fmt: skip
BY_RANGE = {"search": Choice(("job", "class"), when=BY_SIZE)}


def among(words: tuple[str, ...]) -> dict[str, Choice]:
    return {"search": Choice(words)}


ORDERS = ("arrival", "need", "estimate", "area", "due")
ARRIVAL, NEED, ESTIMATE, AREA, DUE = range(len(ORDERS))
NEVER = math.inf


class ScanOrder(NamedTuple):
    """How the key of a job is made when it arrives."""

    rule: Ints  # [1] of ORDERS
    patience: Floats  # [1] of the formula; 0 where there is a table
    need_weight: Floats  # [1]
    time_weight: Floats  # [1]
    allowance: Floats  # per class: the table, zero where there is none
    expected: Floats  # per class: the mean service; empty where a job's own estimate counts


@called
def scan_key(order: ScanOrder, jobs: Seats, job: int) -> float:
    """Return what the scan is sorted by."""
    rule = order.rule[0]
    if rule == ARRIVAL:
        return float(jobs.order[job])
    if rule == NEED:
        return float(jobs.need[job])
    estimate = jobs.estimate[job]
    if order.expected.shape[0] > 0:
        estimate = order.expected[jobs.job_class[job]]
    if rule == ESTIMATE:
        return estimate
    if rule == AREA:
        return estimate * jobs.need[job]
    if order.patience[0] == 0.0:
        return jobs.arrival[job] + order.allowance[jobs.job_class[job]]
    size = 0.0
    if order.need_weight[0] != 0.0:
        size = order.need_weight[0] * math.log(jobs.need[job])
    if order.time_weight[0] != 0.0:
        logarithm = -math.inf  # of no time at all: such a job is due at once
        if estimate > 0.0:
            logarithm = math.log(estimate)
        size += order.time_weight[0] * logarithm
    return jobs.arrival[job] + order.patience[0] * size


@dataclass(frozen=True)
class Rule:
    """In which order the queue is scanned, and from when on a blocked job gets a reservation."""

    order: str = field(default="arrival", metadata=chosen_from("order", ORDERS) | among(ORDERS))
    reserve_after: float = field(default=0.0, metadata=TIME_OR_NEVER | RESERVE_AFTER_RANGE)
    patience: float | None = field(default=None, metadata=TIME | PATIENCE_RANGE)
    need_weight: float = field(default=1.0, metadata=NUMBER | NEED_WEIGHT_RANGE)
    time_weight: float = field(default=1.0, metadata=NUMBER | TIME_WEIGHT_RANGE)
    allowance: tuple[float, ...] | None = field(default=None, metadata=TIMES | ALLOWANCE_RANGE)
    by: str = field(default="job", metadata=chosen_from("by", ("job", "class")) | BY_RANGE)
    over_reserve: int = field(default=0, metadata=COUNT)

    def __post_init__(self) -> None:
        given = {"patience": self.patience, "allowance": self.allowance}
        for name, value in given.items():
            if value is not None and self.order != "due":
                raise refuse(name, value, f"is for order=due; the order is {self.order}")
        if self.order == "due" and (self.patience is None) == (self.allowance is None):
            raise InputError(
                "order=due: give either patience (a time, as patience=10h) or allowance (a time "
                "per class, as allowance=0/10/10/-10)"
            )

    def order_on(self, system: System) -> ScanOrder:
        """Make the arrays that keys are made from."""
        table = (0.0,) * system.n_classes if self.allowance is None else self.allowance
        if len(table) != system.n_classes:
            raise refuse(
                "allowance",
                spell_times(table),
                f"give one time per class; there are {system.n_classes}",
            )
        expected = system.class_services if self.by == "class" else np.zeros(0)
        return ScanOrder(
            np.array([ORDERS.index(self.order)]),
            np.array([self.patience or 0.0]),
            np.array([self.need_weight]),
            np.array([self.time_weight]),
            np.array(table, np.float64),
            expected.copy(),
        )
