"""Who passed whom in a schedule, and whether the rules of back-filling let them.

Asked of what a real scheduler did: its starts and ends, the jobs' keys and estimates. A start is
allowed if everyone who goes before the job by key and waits had not come yet, did not fit, or
would have delayed the job that holds the reservation; and if it does not delay that one itself.
What happens within `tolerance` seconds, the scheduler's cycle, counts as at once.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Schedule:
    """What happened, per job; `end` is when its servers could be given again."""

    servers: int
    arrival: Floats
    need: NDArray[np.int64]
    estimate: Floats
    key: Floats
    start: Floats
    end: Floats
    line: NDArray[np.int64] | None = None  # jobs of different lines cannot pass each other


@dataclass(frozen=True)
class Rules:
    """Of the policy: does it back-fill, and after what wait does a blocked job hold others back?"""

    backfills: bool = True
    reserve_after: float = 0.0
    tolerance: float = 0.0
    over_reserve: int = 0


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


def passings(schedule: Schedule, rules: Rules) -> list[Passing]:
    """All of them, in order of the starts."""
    found: list[Passing] = []
    for job in np.argsort(schedule.start, kind="stable"):
        found += _Start(schedule, rules, int(job)).passings()
    return found


class _Start:
    """The state of things just before one job starts."""

    def __init__(self, schedule: Schedule, rules: Rules, job: int) -> None:
        self.schedule, self.rules, self.job = schedule, rules, job
        self.now = float(schedule.start[job])
        slack = rules.tolerance
        # Whoever held servers at any moment within the tolerance may have been in the way.
        holds = (schedule.start <= self.now + slack) & (schedule.end > self.now - slack)
        holds[job] = False
        self.running = np.flatnonzero(holds & (schedule.start <= self.now))
        self.idle = schedule.servers - int(schedule.need[holds].sum())
        # Who comes at this very instant may come after the decision.
        waits = (schedule.arrival < self.now - slack) & (schedule.start > self.now + slack)
        waits[job] = False
        if schedule.line is not None:
            waits &= schedule.line == schedule.line[job]
        order = np.lexsort((schedule.arrival, schedule.key))
        self.waiting = [int(one) for one in order if waits[one]]

    def passings(self) -> list[Passing]:
        own = self.schedule.key[self.job]
        before = [one for one in self.waiting if self.schedule.key[one] < own]
        found = [Passing(self.job, one, *self._judged(one)) for one in before]
        head = self._reservation(self.rules.reserve_after + self.rules.tolerance, strict=True)
        if head is not None and head.job in before and self._delays(self.job, head, strict=True):
            found = [one for one in found if one.passed != head.job]
            found.append(Passing(self.job, head.job, DELAYED, False))
        return found

    def _judged(self, one: int) -> tuple[str, bool]:
        if not self.rules.backfills:
            return BROKEN, False
        if self.schedule.need[one] > self.idle:
            return DID_NOT_FIT, True
        head = self._reservation(self.rules.reserve_after - self.rules.tolerance, strict=False)
        is_behind = head is not None and head.job != one and self._goes_before(head.job, one)
        if is_behind and head is not None and self._delays(one, head, strict=False):
            return WOULD_DELAY.format(head=head.job), True
        return BROKEN, False

    def _goes_before(self, one: int, other: int) -> bool:
        return self.waiting.index(one) < self.waiting.index(other)

    def _reservation(self, age: float, strict: bool) -> Reservation | None:
        if not self.rules.backfills or self.rules.reserve_after == math.inf:
            return None
        for one in self.waiting:
            fits = self.schedule.need[one] <= self.idle
            if not fits and self.now - self.schedule.arrival[one] >= age:
                return self._reserved(one, strict)
        return None

    def _reserved(self, head: int, strict: bool) -> Reservation:
        schedule = self.schedule
        ends = np.maximum(schedule.start + schedule.estimate, self.now)[self.running]
        order = np.argsort(ends, kind="stable")
        ends, needs = ends[order], schedule.need[self.running][order]
        idle = schedule.servers - int(needs.sum())
        enough = np.flatnonzero(idle + np.cumsum(needs) >= schedule.need[head])
        if not enough.size:
            return Reservation(head, math.inf, 0)
        shadow = float(ends[enough[0]])
        freed = int(needs[ends <= shadow].sum())
        extra = idle + freed - int(schedule.need[head])
        return Reservation(head, shadow, extra - (0 if strict else self.rules.over_reserve))

    def _delays(self, one: int, head: Reservation, strict: bool) -> bool:
        """Would it outlast the reservation, on servers that the head needs? Told strictly, only
        if there is no doubt."""
        end = self.now + float(self.schedule.estimate[one])
        slack = self.rules.tolerance if strict else -self.rules.tolerance
        return end > head.shadow + slack and int(self.schedule.need[one]) > head.extra
