"""Who passed whom in a schedule, and whether the rules of back-filling let them.

Asked of what a real scheduler did: its starts and ends, the jobs' keys and estimates. A start is
allowed if everyone who goes before the job by key and waits had not come yet, did not fit, or
would have delayed the job that holds the reservation; and if it does not delay that one itself.
What happens within `tolerance` seconds, the scheduler's cycle, counts as at once.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from zerowait.model.quantities import Floats, Ints


@dataclass(frozen=True)
class Schedule:
    """Times of each job; `free` is when its servers could be given again at the latest."""

    servers: int
    arrival: Floats
    need: Ints
    estimate: Floats
    key: Floats
    start: Floats
    end: Floats
    free: Floats
    line: Ints | None = None  # jobs of different lines cannot pass each other


@dataclass(frozen=True)
class SchedulerRules:
    """The rules of back-filling that a schedule is judged by."""

    backfills: bool = True
    reserve_after: float = 0.0  # how long a blocked job waits before it holds others back
    tolerance: float = 0.0  # what happens within so many seconds counts as at once
    over_reserve: int = 0  # idle servers in each reservation, needed or not


@dataclass(frozen=True)
class Passing:
    """`job` started while `passed`, which goes before it, waited on."""

    job: int
    passed: int
    reason: str
    allowed: bool


@dataclass(frozen=True)
class Reservation:
    """The first in line that does not fit and has waited long enough, as it stood at a start."""

    job: int
    shadow: float
    extra: int


DID_NOT_FIT = "did not fit"
WOULD_DELAY = "would have delayed job {head}, which has the reservation"
DELAYED = "has the reservation, and was delayed"
BROKEN = "fitted, and was passed over"


def passings(schedule: Schedule, rules: SchedulerRules) -> list[Passing]:
    """List everybody who was passed, in order of the starts."""
    found: list[Passing] = []
    for job in np.argsort(schedule.start, kind="stable"):
        found += _Start(schedule, rules, int(job)).passings()
    return found


class _Start:
    """The state of things just before one job starts.

    Within the tolerance it is not known who held servers, so there are several views of it. A job
    fitted if it did with all who `may_hold` some; it was rightly held back if it was in one view,
    and wrongly delayed if it was in all of them.
    """

    def __init__(self, schedule: Schedule, rules: SchedulerRules, job: int) -> None:
        self.schedule, self.rules, self.job = schedule, rules, job
        self.now = float(schedule.start[job])
        first, last = self.now - rules.tolerance, self.now + rules.tolerance
        self.may_hold = self._others((schedule.start <= last) & (schedule.free > first))
        self.views = [self.may_hold] + [
            self._others((schedule.start <= begun) & (schedule.end > ended))
            for begun in (first, self.now)
            for ended in (self.now, last)
        ]
        # Who comes at this very instant may come after the decision.
        waits = np.zeros(len(schedule.start), dtype=bool)
        waits[self._others((schedule.arrival < first) & (schedule.start > last))] = True
        if schedule.line is not None:
            waits &= schedule.line == schedule.line[job]
        order = np.lexsort((schedule.arrival, schedule.key))
        self.waiting = [int(one) for one in order if waits[one]]

    def _others(self, who: NDArray[np.bool_]) -> Ints:
        who[self.job] = False
        return np.flatnonzero(who)

    def _idle(self, running: Ints) -> int:
        return self.schedule.servers - int(self.schedule.need[running].sum())

    def passings(self) -> list[Passing]:
        own = self.schedule.key[self.job]
        before = [one for one in self.waiting if self.schedule.key[one] < own]
        found = [Passing(self.job, one, *self._judged(one)) for one in before]
        head = self._first_in_line()
        if head in before and all(self._delays_surely(head, view) for view in self.views):
            found = [one for one in found if one.passed != head]
            found.append(Passing(self.job, head, DELAYED, False))
        return found

    def _judged(self, one: int) -> tuple[str, bool]:
        if not self.rules.backfills:
            return BROKEN, False
        if self.schedule.need[one] > self._idle(self.may_hold):
            return DID_NOT_FIT, True
        for view in self.views:
            head = self._possible_reservation(view)
            if head is not None and self._holds_back(head, one):
                return WOULD_DELAY.format(head=head.job), True
        return BROKEN, False

    def _holds_back(self, head: Reservation, one: int) -> bool:
        is_behind = head.job != one and self._goes_before(head.job, one)
        end = self.now + float(self.schedule.estimate[one])
        outlasts = end > head.shadow - self.rules.tolerance
        return is_behind and outlasts and int(self.schedule.need[one]) > head.extra

    def _goes_before(self, one: int, other: int) -> bool:
        return self.waiting.index(one) < self.waiting.index(other)

    def _old(self, age: float) -> list[int]:
        """Return the jobs that may have a reservation and have waited so long."""
        if not self.rules.backfills or self.rules.reserve_after == math.inf:
            return []
        return [one for one in self.waiting if self.now - self.schedule.arrival[one] >= age]

    def _possible_reservation(self, running: Ints) -> Reservation | None:
        """Return the reservation that somebody may have; it may take some idle servers too many."""
        idle = self._idle(running)
        for one in self._old(self.rules.reserve_after - self.rules.tolerance):
            if self.schedule.need[one] > idle:
                found = self._reserved(one, running)
                return replace(found, extra=min(found.extra, idle - self.rules.over_reserve))
        return None

    def _first_in_line(self) -> int | None:
        """Return the job that has the reservation if it does not fit; None: there is doubt."""
        after, slack = self.rules.reserve_after, self.rules.tolerance
        firsts = {one for age in (after - slack, after + slack) for one in self._old(age)[:1]}
        return firsts.pop() if len(firsts) == 1 and self._old(after + slack) else None

    def _delays_surely(self, head: int, running: Ints) -> bool:
        if self.schedule.need[head] <= self._idle(running):
            return False
        found = self._reserved(head, running, self.rules.tolerance)
        end = self.now + float(self.schedule.estimate[self.job])
        outlasts = end > found.shadow + self.rules.tolerance
        return outlasts and int(self.schedule.need[self.job]) > found.extra

    def _reserved(self, head: int, running: Ints, slack: float = 0.0) -> Reservation:
        """Compute a job's reservation; what comes free within `slack` after it is spare."""
        schedule, idle = self.schedule, self._idle(running)
        ends = np.maximum(schedule.start + schedule.estimate, self.now)[running]
        order = np.argsort(ends, kind="stable")
        ends, needs = ends[order], schedule.need[running][order]
        enough = np.flatnonzero(idle + np.cumsum(needs) >= schedule.need[head])
        if not enough.size:
            return Reservation(head, math.inf, 0)
        shadow = float(ends[enough[0]])
        freed = int(needs[ends <= shadow + slack].sum())
        return Reservation(head, shadow, idle + freed - int(schedule.need[head]))
