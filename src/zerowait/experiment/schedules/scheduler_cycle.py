"""A real scheduler's cycle and cleaning, as changes of the jobs of an ordinary replay.

A scheduler decides every so many seconds, and a job holds its servers for longer than it runs:
it has to be started, its end to be noticed, its nodes to be cleaned. With decisions at `phase + i
cycle`, a job that starts at one of them and holds its servers for `service + hand_over` gives
them back at the first decision after that. So with

    arrival' = the first decision at or after the arrival
    service' = service + hand_over, rounded up to whole cycles

every start and end of the replay lies on a decision, and waits are counted from the arrivals as
they were. Decision 0703 says where this differs from a scheduler: keys and ages count from
arrival', and jobs that come within one cycle are looked at one by one.

While the servers of a job are cleaned Slurm starts nobody (`CompleteWait`), lest the servers of one
job come back one by one. On a cluster that is a second; at several hundred times the speed it is
minutes, in which the servers of several jobs come together and a larger job takes them. A replay
knows one end of a job, not its end and its release apart, so this is a scheduler of its own, in
plain Python, for the few hundred jobs of a rehearsal. Like Slurm it looks at the queue at once when
a job comes or servers are clean, up to the first job that holds others back, and at those behind
that one at `phase + i cycle`.
"""

import heapq
import math
from bisect import insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from zerowait.experiment.schedules.order_audit import SchedulerRules
from zerowait.experiment.simulation.simulate import replay
from zerowait.model import Jobs
from zerowait.model.quantities import Floats, finite, items, non_negative, positive, refuse, whole
from zerowait.policies import Policy, parse_policy

# At one time ends come first and passes last.
END, CLEAN, SUBMIT, PASS = range(4)
NOBODY = -1
Range = tuple[float, float]


@dataclass(frozen=True)
class SchedulerDelays:
    """What a scheduler's delays are drawn from, in seconds: ranges, or values that were measured.

    The hand-over of a job is its `start_up`, by which it runs longer than its service, and the
    `release` of its servers after it has ended, which grows with its need from that of one server
    to that of all. `over_reserve` is how many idle servers too many a reservation takes.
    """

    cycle: Range
    start_up: tuple[float, ...] = (0.0,)  # measured; each is as likely as the others
    release_one: Range = (0.0, 0.0)
    release_all: Range = (0.0, 0.0)
    over_reserve: int = 0

    def __post_init__(self) -> None:
        positive("cycle", self.cycle[0])
        for name in ("cycle", "release_one", "release_all"):
            low, high = getattr(self, name)
            if not 0 <= finite(name, low) <= finite(name, high):
                raise refuse(name, (low, high), "must be a range of times, the shorter one first")
        for value in items("start_up", self.start_up):
            non_negative("start_up", value)
        whole("over_reserve", self.over_reserve, 0)


def at_decisions(jobs: Jobs, cycle: float, phase: float, hand_over: Floats | float) -> Jobs:
    """Return the jobs as a scheduler with this cycle sees them; estimates stay as they are."""
    positive("cycle", cycle)
    non_negative("phase", phase)
    arrival, service = np.asarray(jobs.arrival), np.asarray(jobs.service)
    # A job that ends on a decision is gone at it: rounding must not make it stay for another.
    steps = np.ceil((arrival - phase) / cycle - 1e-9)
    held = np.ceil((service + hand_over) / cycle - 1e-9)
    return replace(
        jobs, arrival=np.maximum(phase + cycle * steps, 0.0), service=np.maximum(held, 1) * cycle
    )


@dataclass(frozen=True)
class DrawnDelays:
    """One draw: a cycle for all, and each job's start-up and release."""

    cycle: float
    phase: float
    start_up: Floats
    release: Floats


def draw_delays(
    jobs: Jobs, servers: int, delays: SchedulerDelays, rng: np.random.Generator
) -> DrawnDelays:
    cycle = rng.uniform(*delays.cycle)
    size = (np.asarray(jobs.need) - 1) / max(servers - 1, 1)
    small, large = (
        rng.uniform(*ends, len(jobs)) for ends in (delays.release_one, delays.release_all)
    )
    start_up = rng.choice(delays.start_up, len(jobs))
    return DrawnDelays(cycle, rng.uniform(0.0, cycle), start_up, small + size * (large - small))


def draw_jobs(jobs: Jobs, servers: int, delays: SchedulerDelays, rng: np.random.Generator) -> Jobs:
    """Return the jobs with one draw of cycle, phase and hand-overs."""
    one = draw_delays(jobs, servers, delays, rng)
    return at_decisions(jobs, one.cycle, one.phase, one.start_up + one.release)


def with_flaw(policy: str | Policy, over_reserve: int) -> Policy:
    """Return the policy with so many servers too many in each reservation, where it makes any."""
    chosen = parse_policy(policy)
    return chosen.over_reserving(over_reserve) if over_reserve else chosen


def predicted_starts(
    jobs: Jobs,
    servers: int,
    policy: str | Policy,
    delays: SchedulerDelays,
    *,
    draws: int = 100,
    seed: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Floats:
    """Predict when each job starts, one row per draw.

    The draws depend on the seed alone: two policies with the same seed meet the same delays.
    """
    chosen = with_flaw(policy, delays.over_reserve)
    starts = np.zeros((whole("draws", draws), len(jobs)))
    for row, sequence in zip(starts, np.random.SeedSequence(seed).spawn(draws), strict=True):
        seen = draw_jobs(jobs, servers, delays, np.random.default_rng(sequence))
        # A job that outlasts its limit by the delays alone is not one with a longer limit.
        result = replay(seen, servers, chosen, overruns="as-recorded", resamples=0, jobs=True)
        assert result.jobs is not None
        row[:] = result.jobs["start"].to_numpy()
        if progress is not None:
            progress(1)
    return starts


@dataclass
class _Reservation:
    """When the job that holds it can start, and how many servers it then leaves to others."""

    shadow: float
    extra: int


def cleaned_starts(
    jobs: Jobs,
    keys: Floats,
    servers: int,
    rules: SchedulerRules,
    delays: SchedulerDelays,
    *,
    closed: Sequence[Range] = (),
    draws: int = 100,
    seed: int = 1,
) -> Floats:
    """Predict when each job starts, with the cleaning of nodes; one row per draw.

    The draws are those of `predicted_starts`. While the cluster is `closed` nobody starts.
    """
    starts = np.zeros((whole("draws", draws), len(jobs)))
    for row, sequence in zip(starts, np.random.SeedSequence(seed).spawn(draws), strict=True):
        drawn = draw_delays(jobs, servers, delays, np.random.default_rng(sequence))
        row[:] = starts_of(jobs, keys, servers, rules, drawn, closed)
    return starts


def starts_of(
    jobs: Jobs,
    keys: Floats,
    servers: int,
    rules: SchedulerRules,
    drawn: DrawnDelays,
    closed: Sequence[Range] = (),
) -> list[float]:
    """Compute when each job starts with these delays; with a cycle of zero passes come at once."""
    scheduler = _Scheduler(jobs, keys, servers, rules, drawn)
    for begin, end in closed:
        scheduler.note(begin, END, NOBODY)
        scheduler.note(end, CLEAN, NOBODY)
    return scheduler.run()


class _Scheduler:
    def __init__(
        self, jobs: Jobs, keys: Floats, servers: int, rules: SchedulerRules, drawn: DrawnDelays
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
        """Note a pass after each change; without a change it would find nobody to start."""
        if what != PASS and not self.is_pass_due and self.cycle > 0:
            self.is_pass_due = True
            tick = math.ceil((now - self.phase) / self.cycle)
            self.note(max(now, self.phase + tick * self.cycle), PASS, NOBODY)

    def _look(self, now: float, passes: bool) -> None:
        """Start waiting jobs; with `passes` those too that do not delay the first blocked one."""
        left: list[tuple[float, int]] = []
        reserved: _Reservation | None = None
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

    def _reserve(self, head: int, now: float) -> _Reservation:
        ends = sorted((max(end, now), self.need[one]) for one, end in self.running.items())
        free = accumulate((need for _, need in ends), initial=self.idle)
        n_ends = next(n for n, servers in enumerate(free) if servers >= self.need[head])
        shadow = ends[n_ends - 1][0]
        freed = sum(need for end, need in ends if end <= shadow)
        return _Reservation(shadow, self.idle + freed - self.need[head])

    def _lets(self, reserved: _Reservation, job: int, now: float) -> bool:
        """Tell whether a job delays nobody; if it lasts longer, it takes spare servers.

        Some idle servers are reserved even where busy ones would do.
        """
        if now + self.estimate[job] <= reserved.shadow:
            return True
        if self.need[job] > min(reserved.extra, self.idle - self.rules.over_reserve):
            return False
        reserved.extra -= self.need[job]
        return True
