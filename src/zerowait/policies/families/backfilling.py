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

from typing import Any, NamedTuple

import numpy as np

from zerowait.engine.kernel import called
from zerowait.engine.policy import PoolView, System
from zerowait.engine.seats import WAITING, Seats, holds
from zerowait.engine.structures.queues import NONE, Queues, empty_queues, join, leave
from zerowait.engine.structures.trees import (
    JobTrees,
    empty_job_trees,
    first_in_time,
    first_to_free,
    insert,
    need_up_to,
    remove,
)
from zerowait.model.quantities import Floats, Ints
from zerowait.policies.base import Policy
from zerowait.policies.families.backfill_rule import NEVER, Rule, ScanOrder, scan_key

# Whom a scan meets first, by the rule's order.
FIRST = {
    "arrival": "oldest",
    "need": "smallest by need",
    "estimate": "shortest by estimate",
    "area": "smallest by area (estimate x need)",
    "due": "first due (arrival + allowance)",
}


class State(NamedTuple):
    servers: Ints  # [1]
    idle: Ints  # [1] servers
    needs: Ints  # distinct needs, smallest first
    order: ScanOrder
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


def goes_before(state: State, jobs: Seats, job: int, other: int) -> bool:
    key = state.waiting.key[job]
    later = state.waiting.key[other]
    return key < later or (key == later and jobs.order[job] < jobs.order[other])


def is_late(state: State) -> bool:
    """Tell whether reservations come late, but come."""
    return 0.0 < state.reserve_after[0] < NEVER


@called
def join_scan(state: State, jobs: Seats, job: int) -> None:
    """Note that `job` waits."""
    insert(state.waiting, jobs.need_rank[job], jobs, job, state.waiting.key[job])
    if is_late(state):
        state.is_old[job] = 0
        join(state.young, 0, job)


@called
def leave_scan(state: State, jobs: Seats, job: int) -> None:
    remove(state.waiting, jobs.need_rank[job], jobs, job)
    if is_late(state):
        if state.is_old[job] != 0:
            remove(state.old, jobs.need_rank[job], jobs, job)
        else:
            leave(state.young, 0, job)


@called
def grow_old(state: State, jobs: Seats) -> None:
    """Let whoever has waited long enough be the head from now on."""
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
    """Reserve the earliest time at which the assumed ends of running jobs let the head start."""
    head = state.head[0]
    wanted = jobs.need[head] - state.idle[0]
    last = first_to_free(state.running, 0, jobs, wanted)
    shadow = max(state.running.key[last], jobs.clock[0])
    state.shadow[0] = shadow
    left = need_up_to(state.running, 0, jobs, shadow) - wanted
    state.extra[0] = left - state.over_reserve[0]
    state.reserved[0] = head


def is_overdue(state: State, jobs: Seats) -> bool:
    """Tell whether a job that was to let the head start by now has outrun its estimate."""
    return state.reserved[0] != NONE and state.shadow[0] < jobs.clock[0]


def may_pass(state: State, jobs: Seats, job: int) -> bool:
    """Tell whether a job that fits may start: without delaying the head, if it comes after it."""
    head = state.head[0]
    if head == NONE or goes_before(state, jobs, job, head):
        return True
    if state.reserved[0] != head:
        reserve(state, jobs)
    in_time = jobs.clock[0] + jobs.estimate[job] <= state.shadow[0]
    return in_time or jobs.need[job] <= to_spare(state)


def to_spare(state: State) -> int:
    """Return how many idle servers may be held beyond the reservation, less `over_reserve`."""
    return min(state.extra[0], state.idle[0] - state.over_reserve[0])


@called
def first_that_passes(state: State, jobs: Seats) -> int:
    """Return the first of those that fit, all behind the head, that does not delay it, or NONE."""
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


@called
def scan(state: State, jobs: Seats) -> int:
    """Return the first job in line that may start, or NONE; note the head that others pass."""
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


def note_start(state: State, jobs: Seats, job: int, fresh: int) -> None:
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
        leave_scan(state, jobs, job)
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
            state.waiting.key[job] = scan_key(state.order, jobs, job)
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
                    join_scan(state, jobs, fresh)
                    fresh = NONE
                job = scan(state, jobs)
                if job == NONE:
                    state.settled[0] = 1
        if fresh != NONE and job == NONE:
            join_scan(state, jobs, fresh)
        state.fresh[0] = NONE
        if job != NONE:
            note_start(state, jobs, job, fresh)
        return job

    @staticmethod
    def withdraw(state: State, jobs: Seats, job: int) -> None:
        if jobs.need[job] > state.servers[0]:
            return
        if state.fresh[0] == job:
            state.fresh[0] = NONE
            return
        leave_scan(state, jobs, job)
        if state.head[0] == job:
            state.head[0] = NONE
            state.reserved[0] = NONE
            state.settled[0] = 0

    def line_up(self, pool: PoolView) -> list[int]:
        """Sort by key; who needs more than there is (at the helpers) has none, and comes last."""
        keys = pool.state.waiting.key
        few = [job for job in pool.waiting if pool.need(job) <= pool.servers]
        many = [job for job in pool.waiting if pool.need(job) > pool.servers]
        return sorted(few, key=lambda job: float(keys[job])) + many

    def why_start(self, pool: PoolView, job: int) -> str:
        head = int(pool.state.head[0])
        line = self.line_up(pool)
        if head != NONE and head in line and line.index(head) < line.index(job):
            return passes(pool, job, head)
        first = FIRST[self.rule.order]
        passed = line[: line.index(job)]
        if not passed:
            return f"it is the {first}, needs {pool.need(job)}, and {pool.idle_words}"
        return (
            f"of those that fit it is the {first}, for {pool.idle_words}; "
            f"{pool.names(passed)} would not fit{self._no_reservation(pool)}"
        )

    def _no_reservation(self, pool: PoolView) -> str:
        after = self.rule.reserve_after
        if after == NEVER:
            return ", and nobody gets a reservation"
        if after == 0:
            return ""
        return f", and a reservation comes only after a wait of {pool.length(after)}"

    def why_wait(self, pool: PoolView) -> str:
        head = int(pool.state.head[0])
        if pool.idle == 0:
            return pool.idle_words
        if not holds(pool.jobs, head, WAITING):
            return pool.nobody_fits
        told = f"job {pool.name(head)} needs {pool.need(head)}, and {pool.idle_words}"
        alone = len(pool.waiting) == 1
        if pool.state.reserved[0] != head:
            return told if alone else f"{told}; nobody else fits either"
        told += f": it has a reservation at {pool.time(float(pool.state.shadow[0]))}"
        others = "; nobody behind it fits and either ends by then or leaves it enough"
        return told if alone else told + others


def passes(pool: PoolView, job: int, head: int) -> str:
    """Say why a job may start before the head that has a reservation."""
    shadow, need = float(pool.state.shadow[0]), pool.need(job)
    reserved = f"which has a reservation at {pool.time(shadow)}"
    told = f"it is back-filled past job {pool.name(head)}, {reserved}"
    end = pool.now + float(pool.jobs.estimate[job])
    if end <= shadow:
        return f"{told}: it is to end by {pool.time(end)}"
    extra = int(pool.state.extra[0]) + need  # it has taken its part already
    return f"{told}: {extra} will be left over then, and it needs {need}"
