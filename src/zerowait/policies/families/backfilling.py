"""What the back-filling policies share: a scan of the queue by key, and one late reservation.

The waiting jobs are scanned by key, smallest first, equal keys by arrival. A job that fits starts.
The first that does not fit and has waited long enough (the *head*) gets the one reservation:
`shadow` is the earliest time at which the assumed ends of the running jobs let it start, `extra`
what is then left over. Whoever comes after it starts only if it is estimated to end by `shadow`,
or fits in `extra`, which it then uses up. Such a start changes neither `shadow` nor what else is
idle then, and what was passed over stays passed over; so the scan is to start, again and again,
the first job that may.

A decision costs a logarithm of the queue per need. Nobody is looked at twice in vain: once a scan
has ended (`settled`), only a newcomer can start until a job ends, the head changes, or the
reservation is overdue.

A job whose need exceeds the servers (as auxiliary policy: it waits for servers of its own) never
runs here, so it is passed over: it is no head and has no reservation.
"""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from zerowait.engine.arrays import Floats, Ints
from zerowait.engine.outline import called
from zerowait.engine.seats import Seats
from zerowait.engine.structures.job_trees import (
    JobTrees,
    empty_job_trees,
    first_in_time,
    first_to_free,
    insert,
    need_up_to,
    remove,
)
from zerowait.engine.structures.queues import NONE, Queues, empty_queues, join, leave
from zerowait.engine.system import System
from zerowait.model import InputError
from zerowait.model.quantities import refuse
from zerowait.policies.base import Policy
from zerowait.policies.families import backfill_ranges as search
from zerowait.policies.families.options import (
    COUNT,
    NUMBER,
    TIME,
    TIME_OR_NEVER,
    TIMES,
    chosen_from,
    spell_times,
)

ORDERS = ("arrival", "need", "estimate", "area", "due")
ARRIVAL, NEED, ESTIMATE, AREA, DUE = range(len(ORDERS))
NEVER = math.inf


class Order(NamedTuple):
    """How the key of a job is made when it arrives."""

    rule: Ints  # [1] of ORDERS
    patience: Floats  # [1] of the formula; 0 where there is a table
    need_weight: Floats  # [1]
    time_weight: Floats  # [1]
    allowance: Floats  # per class: the table, zero where there is none
    expected: Floats  # per class: the mean service; empty where a job's own estimate counts


class State(NamedTuple):
    servers: Ints  # [1]
    idle: Ints  # [1] servers
    needs: Ints  # distinct needs, smallest first
    order: Order
    reserve_after: Floats  # [1]
    over_reserve: Ints  # [1]
    waiting: JobTrees  # one tree per need: by key, less `fresh`
    # Where a reservation comes late: who has waited long enough for it, and who has not.
    old: JobTrees  # one tree per need: by key
    young: Queues  # one queue: in order of arrival
    is_old: Ints  # per seat
    running: JobTrees  # one tree: by start + estimate; empty where nothing is ever reserved
    fresh: Ints  # [1] the job that just came, or NONE
    settled: Ints  # [1] may nobody but `fresh` start, as long as the reservation holds?
    head: Ints  # [1] who holds nobody but those behind it back, or NONE
    reserved: Ints  # [1] the head whose reservation this is, or NONE
    shadow: Floats  # [1] the time of the reservation
    extra: Ints  # [1] servers idle at that time that the head does not need


def key_of(order: Order, jobs: Seats, job: int) -> float:
    """What the scan is sorted by."""
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


def goes_before(state: State, jobs: Seats, job: int, other: int) -> bool:
    key = state.waiting.key[job]
    later = state.waiting.key[other]
    return key < later or (key == later and jobs.order[job] < jobs.order[other])


def is_late(state: State) -> bool:
    """Do reservations come late, but come?"""
    return 0.0 < state.reserve_after[0] < NEVER


@called
def stand_in_line(state: State, jobs: Seats, job: int) -> None:
    """`job` waits."""
    insert(state.waiting, jobs.need_rank[job], jobs, job, state.waiting.key[job])
    if is_late(state):
        state.is_old[job] = 0
        join(state.young, 0, job)


@called
def leave_line(state: State, jobs: Seats, job: int) -> None:
    remove(state.waiting, jobs.need_rank[job], jobs, job)
    if is_late(state):
        if state.is_old[job] != 0:
            remove(state.old, jobs.need_rank[job], jobs, job)
        else:
            leave(state.young, 0, job)


@called
def grow_old(state: State, jobs: Seats) -> None:
    """Whoever has waited long enough may be the head from now on."""
    job = state.young.head[0]
    while job != NONE and jobs.clock[0] - jobs.arrival[job] >= state.reserve_after[0]:
        leave(state.young, 0, job)
        state.is_old[job] = 1
        insert(state.old, jobs.need_rank[job], jobs, job, state.waiting.key[job])
        if jobs.need[job] > state.idle[0]:
            state.settled[0] = 0
        job = state.young.head[0]


@called
def reserve(state: State, jobs: Seats) -> None:
    """The earliest time at which the assumed ends of the running jobs let the head start."""
    head = state.head[0]
    wanted = jobs.need[head] - state.idle[0]
    last = first_to_free(state.running, 0, jobs, wanted)
    shadow = max(state.running.key[last], jobs.clock[0])
    state.shadow[0] = shadow
    left = need_up_to(state.running, 0, jobs, shadow) - wanted
    state.extra[0] = left - state.over_reserve[0]
    state.reserved[0] = head


def is_overdue(state: State, jobs: Seats) -> bool:
    """Has a job that was to let the head start by now outrun its estimate?"""
    return state.reserved[0] != NONE and state.shadow[0] < jobs.clock[0]


def may_pass(state: State, jobs: Seats, job: int) -> bool:
    """Does a job that fits start without delaying the head, if it comes after it?"""
    head = state.head[0]
    if head == NONE or goes_before(state, jobs, job, head):
        return True
    if state.reserved[0] != head:
        reserve(state, jobs)
    in_time = jobs.clock[0] + jobs.estimate[job] <= state.shadow[0]
    return in_time or jobs.need[job] <= to_spare(state)


def to_spare(state: State) -> int:
    """Idle servers that may be held beyond the reservation; it takes `over_reserve` too many."""
    return min(state.extra[0], state.idle[0] - state.over_reserve[0])


@called
def first_that_passes(state: State, jobs: Seats) -> int:
    """The first of those that fit, all behind the head, that does not delay it, or NONE."""
    first = NONE
    spare = to_spare(state)
    for rank in range(state.needs.shape[0]):
        if state.needs[rank] > state.idle[0]:
            break
        job = state.waiting.first[rank]
        if job != NONE and state.needs[rank] > spare:
            job = first_in_time(state.waiting, rank, jobs, jobs.clock[0], state.shadow[0])
        if job != NONE and (first == NONE or goes_before(state, jobs, job, first)):
            first = job
    return first


def scan(state: State, jobs: Seats) -> int:
    """The first job in line that may start, or NONE; and the head behind which it must pass."""
    fits = NONE
    head = NONE
    for rank in range(state.needs.shape[0]):
        job = state.waiting.first[rank]
        if state.needs[rank] <= state.idle[0]:
            if job != NONE and (fits == NONE or goes_before(state, jobs, job, fits)):
                fits = job
        elif state.reserve_after[0] < NEVER:
            if is_late(state):
                job = state.old.first[rank]
            if job != NONE and (head == NONE or goes_before(state, jobs, job, head)):
                head = job
        else:
            break
    state.head[0] = head
    if fits == NONE or head == NONE or goes_before(state, jobs, fits, head):
        return fits
    if state.reserved[0] != head:
        reserve(state, jobs)
    return first_that_passes(state, jobs)


def begin(state: State, jobs: Seats, job: int, fresh: int) -> None:
    """Note that `job` runs from now on."""
    head = state.head[0]
    end = jobs.clock[0] + jobs.estimate[job]
    if head == NONE or goes_before(state, jobs, job, head):
        # It was free to do so, and may have delayed who has or had a reservation: then others may
        # pass it now.
        state.reserved[0] = NONE
        if head != NONE:
            state.settled[0] = 0
    elif end > state.shadow[0]:
        state.extra[0] -= jobs.need[job]
    state.idle[0] -= jobs.need[job]
    if job != fresh:
        leave_line(state, jobs, job)
    if state.reserve_after[0] < NEVER:
        insert(state.running, 0, jobs, job, end)


@dataclass(frozen=True)
class Rule:
    """In which order the queue is scanned, and from when on a blocked job gets a reservation."""

    order: str = field(
        default="arrival", metadata=chosen_from("order", ORDERS) | search.among(ORDERS)
    )
    reserve_after: float = field(default=0.0, metadata=TIME_OR_NEVER | search.RESERVE_AFTER)
    patience: float | None = field(default=None, metadata=TIME | search.PATIENCE)
    need_weight: float = field(default=1.0, metadata=NUMBER | search.NEED_WEIGHT)
    time_weight: float = field(default=1.0, metadata=NUMBER | search.TIME_WEIGHT)
    allowance: tuple[float, ...] | None = field(default=None, metadata=TIMES | search.ALLOWANCE)
    by: str = field(default="job", metadata=chosen_from("by", ("job", "class")) | search.BY)
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

    def order_on(self, system: System) -> Order:
        """The arrays that keys are made from."""
        table = (0.0,) * system.n_classes if self.allowance is None else self.allowance
        if len(table) != system.n_classes:
            raise refuse(
                "allowance",
                spell_times(table),
                f"give one time per class; there are {system.n_classes}",
            )
        expected = system.class_services if self.by == "class" else np.zeros(0)
        return Order(
            np.array([ORDERS.index(self.order)]),
            np.array([self.patience or 0.0]),
            np.array([self.need_weight]),
            np.array([self.time_weight]),
            np.array(table, np.float64),
            expected.copy(),
        )


class Backfilling(Policy):
    """Scans by the keys of its `rule`."""

    size_aware = True

    @property
    def rule(self) -> Rule:
        return Rule()

    def initial_state(self, system: System) -> State:
        rule, n_needs, n_seats = self.rule, len(system.needs), system.n_seats
        return State(
            servers=np.array([system.servers]),
            idle=np.array([system.servers]),
            needs=system.needs.copy(),
            order=rule.order_on(system),
            reserve_after=np.array([rule.reserve_after]),
            over_reserve=np.array([rule.over_reserve]),
            waiting=empty_job_trees(n_needs, n_seats),
            old=empty_job_trees(n_needs, n_seats),
            young=empty_queues(1, n_seats),
            is_old=np.zeros(n_seats, np.int64),
            running=empty_job_trees(1, n_seats),
            fresh=np.array([NONE]),
            settled=np.zeros(1, np.int64),
            head=np.array([NONE]),
            reserved=np.array([NONE]),
            shadow=np.zeros(1),
            extra=np.zeros(1, np.int64),
        )

    @staticmethod
    def on_arrival(state: State, jobs: Seats, job: int) -> None:
        if jobs.need[job] <= state.servers[0]:
            state.waiting.key[job] = key_of(state.order, jobs, job)
            state.fresh[0] = job

    @staticmethod
    def on_departure(state: State, jobs: Seats, job: int) -> None:
        state.idle[0] += jobs.need[job]
        state.settled[0] = 0
        if state.reserve_after[0] < NEVER:
            if state.running.key[job] > jobs.clock[0]:
                # Sooner than assumed: the head may be let in sooner, too.
                state.reserved[0] = NONE
            remove(state.running, 0, jobs, job)

    @staticmethod
    def next_start(state: State, jobs: Seats) -> int:
        if state.young.head[0] != NONE:
            grow_old(state, jobs)
        job = NONE
        fresh = state.fresh[0]
        if state.idle[0] > 0:
            if is_overdue(state, jobs):
                state.reserved[0] = NONE
                state.settled[0] = 0
            if state.settled[0] != 0 and fresh != NONE:
                if jobs.need[fresh] <= state.idle[0]:
                    if may_pass(state, jobs, fresh):
                        job = fresh
                elif state.reserve_after[0] <= 0.0:
                    head = state.head[0]
                    if head == NONE or goes_before(state, jobs, fresh, head):
                        state.settled[0] = 0  # a new head: others may pass it
            if state.settled[0] == 0:
                if fresh != NONE:
                    stand_in_line(state, jobs, fresh)
                    fresh = NONE
                job = scan(state, jobs)
                if job == NONE:
                    state.settled[0] = 1
        if fresh != NONE and job == NONE:
            stand_in_line(state, jobs, fresh)
        state.fresh[0] = NONE
        if job != NONE:
            begin(state, jobs, job, fresh)
        return job

    @staticmethod
    def withdraw(state: State, jobs: Seats, job: int) -> None:
        if jobs.need[job] > state.servers[0]:
            return
        if state.fresh[0] == job:
            state.fresh[0] = NONE
            return
        leave_line(state, jobs, job)
        if state.head[0] == job:
            state.head[0] = NONE
            state.reserved[0] = NONE
            state.settled[0] = 0
