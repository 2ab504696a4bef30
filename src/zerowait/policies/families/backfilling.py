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

from typing import Any

import numpy as np

from zerowait.engine.kernel import called
from zerowait.engine.seats import Seats
from zerowait.engine.structures.queues import NONE, empty_queues
from zerowait.engine.structures.trees import empty_job_trees, insert, remove
from zerowait.engine.system import System
from zerowait.policies.base import Policy
from zerowait.policies.families.backfill_line import (
    State,
    first_that_passes,
    goes_before,
    grow_old,
    is_late,
    is_overdue,
    leave_line,
    may_pass,
    reserve,
    stand_in_line,
)
from zerowait.policies.families.backfill_rule import NEVER, Rule, key_of


@called
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


class Backfilling(Policy):
    """Scans by the keys of its `rule`."""

    size_aware = True

    @property
    def rule(self) -> Rule:
        return Rule()

    def slurm_order(self) -> dict[str, Any]:
        rule = self.rule
        return {
            "key": rule.order, "reserve_after": rule.reserve_after,
            "patience": rule.patience or 0.0, "need_weight": rule.need_weight,
            "time_weight": rule.time_weight, "allowance": rule.allowance,
            "per_class": rule.by == "class",
        }  # fmt: skip

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
