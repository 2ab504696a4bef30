"""The lines of slurm.conf that a plan needs, each with what goes wrong without it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from zerowait.deploy.order import NEVER, Order
from zerowait.model import InputError

LONGEST_RESERVE_S = 2_592_000  # Slurm takes no more than 30 days
ABOVE_ALL = 4_294_967_294  # a priority that no site factor reaches


@dataclass(frozen=True)
class Line:
    """`Key=Value`, and why."""

    key: str
    value: str
    why: str

    @property
    def text(self) -> str:
        return f"{self.key}={self.value}"


@dataclass(frozen=True)
class Parameter:
    """One of SchedulerParameters; those that are only named have no value."""

    name: str
    value: int | None
    why: str

    @property
    def text(self) -> str:
        return self.name if self.value is None else f"{self.name}={self.value}"


def lines_of(order: Order) -> list[Line]:
    """All but SchedulerParameters and JobSubmitPlugins, which the site may have more to say on."""
    return [*_priority(), *_selection(), *_scheduler(order)]


def _scheduler(order: Order) -> Iterator[Line]:
    if order.backfills:
        yield Line(
            "SchedulerType", "sched/backfill", "later jobs start where they delay no reservation"
        )
    else:
        yield Line(
            "SchedulerType",
            "sched/builtin",
            "first come, first served within a partition; sched/backfill would let a job start on "
            "the helpers although its own servers come free first"
            if order.slots
            else "first come, first served: nobody starts before a job that does not fit",
        )
    yield Line(
        "CompleteWait",
        "10",
        "wait for all nodes of a job that ends: with 0 they come back one by one, and smaller, "
        "later jobs take them",
    )


def _priority() -> Iterator[Line]:
    yield Line(
        "PriorityType",
        "priority/multifactor",
        "keeps the key that job_submit.lua gives a job; under priority/basic a job that its user "
        "holds and releases jumps to the top",
    )
    weights = ("Age", "Assoc", "Fairshare", "JobSize", "Partition", "QOS")
    for name in weights:
        yield Line(f"PriorityWeight{name}", "0", "nothing but the key decides the order")
    yield Line("PriorityCalcPeriod", "1", "a changed key counts after a minute at most")


def _selection() -> Iterator[Line]:
    yield Line(
        "SelectType",
        "select/cons_tres",
        "under select/linear a reservation takes spare idle nodes as well",
    )


def parameters_of(order: Order) -> list[Parameter]:
    """SchedulerParameters of the plan."""
    return [*(_reservations(order) if order.backfills else ()), *_cycle()]


def _reservations(order: Order) -> Iterator[Parameter]:
    if order.reserve_after == NEVER:
        yield Parameter("bf_min_prio_reserve", ABOVE_ALL, "no job ever gets a reservation")
    elif order.reserve_after > 0:
        yield Parameter(
            "bf_min_age_reserve",
            _seconds(order),
            "a blocked job holds nobody back before it has waited so many seconds",
        )
    yield Parameter(
        "bf_job_part_count_reserve", 1, "one reservation, for the first in line; else each has one"
    )
    yield Parameter(
        "bf_busy_nodes", None, "reserve nodes that are busy; else spare idle ones are held as well"
    )
    yield Parameter(
        "bf_window_linear",
        1,
        "exact times of reservations; else they come late, and jobs delay them",
    )
    yield Parameter("bf_resolution", 1, "reservations to the second")
    yield Parameter("bf_window", 43_200, "minutes looked ahead: reservations up to 30 days away")
    yield Parameter("bf_interval", 1, "seconds between passes of back-filling")
    yield Parameter("bf_continue", None, "go on with a pass that was interrupted, to its end")
    yield Parameter("bf_max_job_test", 10_000, "jobs looked at in a pass: all of them")
    yield Parameter("bf_node_space_size", 10_000, "room to note what is free when")


def _cycle() -> Iterator[Parameter]:
    yield Parameter("sched_min_interval", 0, "decide at once when a job comes or ends")
    yield Parameter("sched_interval", 1, "seconds between passes through the whole queue")
    yield Parameter("batch_sched_delay", 0, "do not hold back jobs that come together")
    yield Parameter("default_queue_depth", 10_000, "look at all jobs, not at the first hundred")


def _seconds(order: Order) -> int:
    if order.reserve_after > LONGEST_RESERVE_S:
        raise InputError(
            f"policy {order.spelling!r}: Slurm takes reserve_after up to 30 days; use 30d or never"
        )
    return math.ceil(order.reserve_after)


# Scheduler parameters of a site that would keep Slurm from doing what the plan says.
AGAINST = {
    "bf_max_job_user": "jobs of one user beyond the limit are not looked at",
    "bf_max_job_user_part": "jobs of one user beyond the limit are not looked at",
    "bf_max_job_assoc": "jobs of one association beyond the limit are not looked at",
    "bf_max_job_part": "jobs of a partition beyond the limit are not looked at",
    "bf_max_job_start": "a pass ends after so many starts",
    "bf_min_age_reserve": "another time before reservations",
    "bf_min_prio_reserve": "reservations depend on the key",
    "bf_one_resv_per_job": "reservations are made otherwise",
    "bf_running_job_reserve": "reservations are made otherwise",
    "bf_ignore_newly_avail_nodes": "nodes that come free wait for the next pass",
    "enable_user_top": "users may move their own jobs to the top",
    "partition_job_depth": "jobs of a partition beyond the limit are not looked at",
    "sched_max_job_start": "a pass ends after so many starts",
    "assoc_limit_stop": "a job at its limit blocks the others",
}
