"""Drive a compiled loop over a stream: chunks in, statistics out."""

from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from zerowait.engine.batches import Batches, Tally, batch_shifts, batches_of
from zerowait.engine.compile import Kernel, compile_loop, trial_loop
from zerowait.engine.kernel import portable
from zerowait.engine.loop import (
    BROKEN,
    CULPRIT,
    DRAINING,
    FAULT,
    FILLED,
    FREE_SERVERS,
    FULL,
    N_CURSOR,
    N_VACANT,
    POSITION,
    Chunk,
)
from zerowait.engine.mistakes import (
    broken_rule,
    check_policy_class,
    check_state,
    mistakes_of,
    never_started,
    slips_of,
)
from zerowait.engine.policy import Policy
from zerowait.engine.policy_code import has_own_code, is_built_in
from zerowait.engine.seats import empty_seats
from zerowait.engine.stream import Stream
from zerowait.engine.structures.heap import empty_heap
from zerowait.engine.sums import empty_statistics, histogram_origin
from zerowait.model.quantities import Floats, Ints

CHUNK_SIZE = 1 << 15
FIRST_SEATS = 1 << 10
# So many jobs a user's policy serves on trial in a process, in plain Python and for nothing: there
# an index beyond an array is an error that names the line, and in a kernel it may end the process.
TRIAL = 200
UNSETTLED = 10  # one part in so many is left out of the segments where no warm-up is given

Areas = tuple[Floats, Floats, float]

_tried: Counter[Kernel] = Counter()  # jobs that the loops of users' policies served on trial


@dataclass(frozen=True)
class RunSettings:
    """How to run a stream, apart from the policy."""

    warmup: int = 0  # jobs that come first and are not counted
    cooldown: int = 0  # jobs that come last and are not counted; time averages end before them
    records: bool = False  # keep start, end and helpers of each job
    bound: float = 0.0  # shortest service for bounded slowdown; 0: not measured
    batches: int = 1  # at most so many, in which the counted jobs are summed up
    segments: int = 1  # equal parts of the stream, of which the mean numbers in the system are kept
    through_drain: bool = False  # time averages up to the last completion, not the last arrival
    price: tuple[float, float] = (0.0, 0.0)  # of a pause: a time, and a share of what is attained
    jit: bool = True
    chunk_size: int = CHUNK_SIZE
    first_seats: int = FIRST_SEATS


@dataclass(frozen=True)
class Records:
    """One entry per job of the stream."""

    start: Floats
    end: Floats
    helpers: Ints  # ROUTED | SERVED
    preemptions: Ints


@dataclass(frozen=True)
class Outcome:
    """What a run leaves behind: its sums, and the single jobs if they were asked for."""

    batches: Batches
    records: Records | None
    segments: Floats  # mean number of jobs in the system, in equal parts of the stream

    @property
    def tally(self) -> Tally:
        """Sum up over all counted jobs."""
        return self.batches.tally()


def run(
    stream: Stream,
    policy: Policy,
    servers: int,
    options: RunSettings = RunSettings(),
    progress: Callable[[int], None] | None = None,
) -> Outcome:
    """Run every job of `stream` under `policy`; `progress` hears how many jobs came in."""
    return Run(stream, policy, servers, options).run(progress)


class Run:
    """The arrays of one run, and the calls of the compiled loop on them."""

    def __init__(self, stream: Stream, policy: Policy, servers: int, options: RunSettings) -> None:
        self.stream, self.options = stream, options
        kinds = stream.kinds
        n_seats = options.first_seats
        self.system = kinds.system(servers, n_seats)
        self.policy = policy.applied_to(self.system)
        self.built_in = is_built_in(self.policy)
        if not self.built_in:
            check_policy_class(self.policy)
        self.state = self._initial_state()
        self.loop = compile_loop(self.policy, jit=options.jit)
        self.on_trial = options.jit and has_own_code(self.policy)
        self.seats = empty_seats(n_seats)
        self.seats.price[:] = options.price
        self.heap = empty_heap(n_seats)
        self.cursor = np.zeros(N_CURSOR, np.int64)
        self.cursor[N_VACANT] = n_seats
        self.cursor[FREE_SERVERS] = servers
        self.began = 0.0
        self.marks: list[tuple[float, float]] = []  # time and integral of jobs at each stop
        size = min(options.chunk_size, max(stream.n_jobs, 1))
        times = np.zeros((3, size))
        self.chunk = Chunk(
            arrival=times[0],
            service=times[1],
            estimate=times[2],
            kind=np.zeros(size, np.int64),
            class_of=kinds.class_of.astype(np.int64),
            need_of=kinds.need_of.astype(np.int64),
            rank_of=np.searchsorted(kinds.needs, kinds.need_of),
        )
        unit = float(np.mean(kinds.class_services))
        self.stats = empty_statistics(
            kinds.class_services,
            histogram_origin(unit),
            options.warmup,
            stream.n_jobs - options.cooldown,
            options.bound,
            stream.n_jobs if options.records else 0,
            *batch_shifts(
                stream.n_jobs - options.warmup - options.cooldown,
                len(kinds.class_services),
                options.batches,
            ),
        )
        self.arrays = self._arrays()

    def _initial_state(self) -> Any:
        with slips_of(self.policy):
            state = self.policy.initial_state(self.system)
        if not self.built_in:
            check_state(self.policy, state)
        return state

    def _arrays(self) -> tuple[Any, ...]:
        """Return what the loop works on, in its order."""
        return tuple(map(portable, (self.state, self.seats, self.heap, self.stats, self.chunk)))

    def run(self, progress: Callable[[int], None] | None = None) -> Outcome:
        cooldown = self.stream.n_jobs - self.options.cooldown
        areas: Areas | None = None
        done = filled = 0
        for stop in self._stops():
            # The loop ends at the warm-up's end, a segment's and the cool-down's start: integrals
            # are read there.
            while done < stop:
                if done == filled:  # the next jobs take the place of those that are through
                    self.cursor[POSITION] = 0
                    filled += self.stream.fill(self.chunk, len(self.chunk.arrival))
                if done == filled:
                    break
                if done == 0:
                    self._restart_integrals(self.chunk.arrival[0])
                n = min(filled, stop) - done
                self.consume(n)
                done += n
                if progress is not None:
                    progress(n)
            if stop == self.options.warmup:
                self._restart_integrals(self.seats.clock[0])
            if stop == cooldown:
                areas = self._areas()
            if stop >= self._settled():
                self.marks.append((self.seats.clock[0], self._areas()[0].sum()))
        areas = areas or self._areas()
        self.drain()
        if self.options.through_drain and not self.options.cooldown:
            areas = self._areas()
        stats = self.stats
        records = None
        if self.options.records:
            records = Records(stats.start, stats.end, stats.helpers, stats.preemptions)
        return Outcome(batches_of(stats, *areas, self.began), records, self._segments())

    def _stops(self) -> list[int]:
        """Return where warm-up and segments end and the cool-down starts, counted in jobs."""
        warmup, n_jobs = self.options.warmup, self.stream.n_jobs
        ends = np.linspace(self._settled(), n_jobs, self.options.segments + 1)
        return sorted({*map(int, ends), warmup, n_jobs - self.options.cooldown})

    def _settled(self) -> int:
        """Return where the segments begin: a warm-up that is to be found out is not known yet."""
        warmup = self.options.warmup
        return max(warmup, self.stream.n_jobs // UNSETTLED) if self.options.batches > 1 else warmup

    def _segments(self) -> Floats:
        """Return the mean number of jobs in the system in each segment."""
        time, area = np.array(self.marks).T
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.diff(area) / np.diff(time)

    def _restart_integrals(self, now: float) -> None:
        self.began = now
        for area, since in (
            (self.stats.in_system_area, self.stats.in_system_since),
            (self.stats.busy_area, self.stats.busy_since),
        ):
            area[:] = 0.0
            since[:] = now

    def _areas(self) -> Areas:
        """Return the integrals of jobs and busy servers up to now, and the time they cover."""
        now, stats = self.seats.clock[0], self.stats
        in_system = stats.in_system_area + stats.in_system * (now - stats.in_system_since)
        busy = stats.busy_area + stats.busy * (now - stats.busy_since)
        return in_system, busy, float(now - self.began)

    def consume(self, n: int) -> None:
        """Feed the loop the next `n` jobs of the chunk."""
        if self.on_trial:
            self._try_out(n)
        with mistakes_of(self.policy) if self.options.jit else nullcontext():
            self._feed(n, self.loop)

    def _try_out(self, n: int) -> None:
        """Serve the first jobs in plain Python; then all is as if nobody had come yet."""
        self.on_trial = False
        loop = trial_loop(self.policy)
        tried = min(n, TRIAL - _tried[loop])
        if tried <= 0:
            return
        system, parts = self.system, ("state", "seats", "heap", "stats", "cursor")
        before = {name: deepcopy(getattr(self, name)) for name in parts}
        with slips_of(self.policy):
            self._feed(tried, loop)
            self.cursor[DRAINING] = 1
            self._feed(0, loop)
        for name, value in before.items():
            setattr(self, name, value)
        self.system, self.arrays = system, self._arrays()
        _tried[loop] += tried

    def _feed(self, n: int, loop: Kernel) -> None:
        """Run the loop on the next `n` jobs, with as many seats as it asks for."""
        self.cursor[FILLED] = self.cursor[POSITION] + n
        while (status := loop(*self.arrays, self.cursor)) == FULL:
            self._grow()
        if status == BROKEN:
            fault, job, free = self.cursor[[FAULT, CULPRIT, FREE_SERVERS]]
            raise broken_rule(self.policy.spec, int(fault), self.seats, int(job), int(free))

    def drain(self) -> None:
        """Run until nobody is left."""
        self.cursor[DRAINING] = 1
        self.consume(0)
        if self.cursor[N_VACANT] < len(self.seats.arrival):
            raise never_started(self.policy.spec, self.seats)

    def _grow(self) -> None:
        """Double the seats; whatever is indexed by seat keeps its entries."""
        old = self.system.n_seats
        system = replace(self.system, n_seats=2 * old)
        self.system = system
        self.state = _extended(self._initial_state(), self.state)
        self.heap = _extended(empty_heap(2 * old), self.heap)
        self.seats = _extended(empty_seats(2 * old), self.seats)
        self.seats.vacant[:old] = np.arange(old, 2 * old)
        self.cursor[N_VACANT] = old
        self.arrays = self._arrays()


def _extended(new: Any, old: Any) -> Any:
    """Return `new` with every array's first entries taken from `old`."""
    for fresh, known in zip(new, old, strict=True):
        if hasattr(fresh, "_fields"):
            _extended(fresh, known)
        else:
            fresh[: len(known)] = known
    return new
