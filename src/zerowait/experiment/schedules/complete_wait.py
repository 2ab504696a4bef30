"""Starts under a scheduler that starts nobody while the servers of a job are being cleaned.

Slurm waits so (`CompleteWait`), lest the servers of one job come back one by one. On a cluster that
is a second; at several hundred times the speed it is minutes, in which the servers of several jobs
come together and a larger job takes them. A replay knows one end of a job, not its end and its
release apart, so this is a scheduler of its own, in plain Python, for the few hundred jobs of a
rehearsal. Like Slurm it looks at the queue at once when a job comes or servers are clean, up to
the first job that holds others back, and at those behind that one at `phase + i cycle`.
"""

import heapq
import math
from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from zerowait.experiment.schedules.order_audit import Rules
from zerowait.experiment.schedules.scheduler_cycle import Delayed, Range, SchedulerDelays, delayed
from zerowait.model import Jobs
from zerowait.model.quantities import whole

Floats = NDArray[np.float64]
# At one time ends come first and passes last.
END, CLEAN, SUBMIT, PASS = range(4)
NOBODY = -1


@dataclass
class Reservation:
    """When the job that holds it can start, and how many servers it leaves to others then."""

    shadow: float
    extra: int


def cleaned_starts(
    jobs: Jobs,
    keys: Floats,
    servers: int,
    rules: Rules,
    delays: SchedulerDelays,
    *,
    closed: Sequence[Range] = (),
    draws: int = 100,
    seed: int = 1,
) -> Floats:
    """When each job starts, one row per draw; the draws are those of `predicted_starts`. While the
    cluster is `closed` nobody starts either."""
    starts = np.zeros((whole("draws", draws), len(jobs)))
    for row, sequence in zip(starts, np.random.SeedSequence(seed).spawn(draws), strict=True):
        drawn = delayed(jobs, servers, delays, np.random.default_rng(sequence))
        row[:] = starts_of(jobs, keys, servers, rules, drawn, closed)
    return starts


def starts_of(
    jobs: Jobs,
    keys: Floats,
    servers: int,
    rules: Rules,
    drawn: Delayed,
    closed: Sequence[Range] = (),
) -> list[float]:
    """When each job starts with these delays; with a cycle of zero passes come at once."""
    scheduler = _Scheduler(jobs, keys, servers, rules, drawn)
    for begin, end in closed:
        scheduler.note(begin, END, NOBODY)
        scheduler.note(end, CLEAN, NOBODY)
    return scheduler.run()


class _Scheduler:
    def __init__(
        self, jobs: Jobs, keys: Floats, servers: int, rules: Rules, drawn: Delayed
    ) -> None:
        self.rules, self.cycle, self.phase = rules, drawn.cycle, drawn.phase
        assert jobs.estimate is not None
        self.arrival = np.asarray(jobs.arrival).tolist()
        self.estimate = np.asarray(jobs.estimate).tolist()
        self.need, self.key = np.asarray(jobs.need).tolist(), keys.tolist()
        self.held = (np.asarray(jobs.service) + drawn.start_up).tolist()
        self.release = drawn.release.tolist()
        self.idle, self.start = servers, [math.nan] * len(jobs)
        self.waiting: list[tuple[float, int]] = []  # key and job, in order
        self.running: dict[int, float] = {}  # until when, by the estimates
        self.n_cleaned = 0  # jobs whose servers are being cleaned
        self.is_pass_due = False
        self.events: list[tuple[float, int, int]] = []
        for job, arrival in enumerate(self.arrival):
            self.note(arrival, SUBMIT, job)

    def note(self, moment: float, what: int, job: int) -> None:
        heapq.heappush(self.events, (moment, what, job))

    def run(self) -> list[float]:
        while self.events:
            now, what, job = heapq.heappop(self.events)
            self._happens(now, what, job)
            if self.waiting and self.n_cleaned == 0:
                self._look(now, passes=what == PASS or self.cycle == 0)
                self._see_to_a_pass(now, what)
        return self.start

    def _happens(self, now: float, what: int, job: int) -> None:
        if what == SUBMIT:
            insort(self.waiting, (self.key[job], job))
        elif what == PASS:
            self.is_pass_due = False
        elif what == END:
            self.n_cleaned += 1
            if job != NOBODY:
                del self.running[job]
                self.note(now + self.release[job], CLEAN, job)
        else:
            self.n_cleaned -= 1
            self.idle += self.need[job] if job != NOBODY else 0

    def _see_to_a_pass(self, now: float, what: int) -> None:
        """After each change there is one; without a change it would find nobody to start."""
        if what != PASS and not self.is_pass_due and self.cycle > 0:
            self.is_pass_due = True
            tick = math.ceil((now - self.phase) / self.cycle)
            self.note(max(now, self.phase + tick * self.cycle), PASS, NOBODY)

    def _look(self, now: float, passes: bool) -> None:
        """Through the queue; `passes` the first that holds others back where it is not delayed."""
        left: list[tuple[float, int]] = []
        reserved: Reservation | None = None
        for place, (key, job) in enumerate(self.waiting):
            fits = self.need[job] <= self.idle
            if fits and (reserved is None or self._lets(reserved, job, now)):
                self._begin(job, now)
                continue
            left.append((key, job))
            if not fits and reserved is None and self._holds_back(job, now):
                if not (passes and self.rules.backfills):
                    left += self.waiting[place + 1 :]
                    break
                reserved = self._reserve(job, now)
        self.waiting = left

    def _begin(self, job: int, now: float) -> None:
        self.start[job], self.running[job] = now, now + self.estimate[job]
        self.idle -= self.need[job]
        self.note(now + self.held[job], END, job)

    def _holds_back(self, job: int, now: float) -> bool:
        return not self.rules.backfills or now - self.arrival[job] >= self.rules.reserve_after

    def _reserve(self, head: int, now: float) -> Reservation:
        ends = sorted((max(end, now), self.need[one]) for one, end in self.running.items())
        free = accumulate((need for _, need in ends), initial=self.idle)
        n_ends = next(n for n, servers in enumerate(free) if servers >= self.need[head])
        shadow = ends[n_ends - 1][0]
        freed = sum(need for end, need in ends if end <= shadow)
        return Reservation(shadow, self.idle + freed - self.need[head])

    def _lets(self, reserved: Reservation, job: int, now: float) -> bool:
        """Does it delay nobody? If it lasts longer, it takes servers that were to spare; of the
        idle ones some are reserved even where busy ones would do."""
        if now + self.estimate[job] <= reserved.shadow:
            return True
        if self.need[job] > min(reserved.extra, self.idle - self.rules.over_reserve):
            return False
        reserved.extra -= self.need[job]
        return True
