"""Drive a compiled loop over a stream: chunks in, statistics out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from zerowait.engine.arrays import Floats, Ints
from zerowait.engine.compile import compile_loop
from zerowait.engine.heap import empty_heap
from zerowait.engine.histogram import histogram_origin
from zerowait.engine.loop import DRAINING, FILLED, FULL, N_CURSOR, N_VACANT, POSITION, Chunk
from zerowait.engine.portable import portable
from zerowait.engine.seats import empty_seats
from zerowait.engine.statistics import empty_statistics
from zerowait.engine.stream import Stream
from zerowait.engine.system import System
from zerowait.engine.tally import Tally, tally

CHUNK_SIZE = 1 << 15
FIRST_SEATS = 1 << 10

Areas = tuple[Floats, Floats, float]


class EngineError(RuntimeError):
    """A policy broke the engine's rules."""


@dataclass(frozen=True)
class Options:
    """How to run a stream, apart from the policy."""

    warmup: int = 0  # jobs that come first and are not counted
    cooldown: int = 0  # jobs that come last and are not counted; time averages end before them
    records: bool = False  # keep start, end and helpers of each job
    bound: float = 0.0  # shortest service for bounded slowdown; 0: not measured
    through_drain: bool = False  # time averages up to the last completion, not the last arrival
    jit: bool = True
    chunk_size: int = CHUNK_SIZE
    first_seats: int = FIRST_SEATS


@dataclass(frozen=True)
class Records:
    """One entry per job of the stream."""

    start: Floats
    end: Floats
    helpers: Ints  # ROUTED | SERVED


@dataclass(frozen=True)
class Outcome:
    """What a run leaves behind: its sums, and the single jobs if they were asked for."""

    tally: Tally
    records: Records | None


def run(
    stream: Stream,
    policy: Any,
    servers: int,
    options: Options = Options(),
    progress: Callable[[int], None] | None = None,
) -> Outcome:
    """Run every job of `stream` under `policy`; `progress` hears how many jobs came in."""
    return _Run(stream, policy, servers, options).run(progress or (lambda n_jobs: None))


class _Run:
    def __init__(self, stream: Stream, policy: Any, servers: int, options: Options) -> None:
        self.stream, self.policy, self.options = stream, policy, options
        self.loop = compile_loop(policy, jit=options.jit)
        kinds = stream.kinds
        n_seats = options.first_seats
        self.system = System(servers, n_seats, kinds.needs, kinds.class_needs, kinds.class_demands)
        self.state = policy.initial_state(self.system)
        self.seats = empty_seats(n_seats)
        self.heap = empty_heap(n_seats)
        self.cursor = np.zeros(N_CURSOR, np.int64)
        self.cursor[N_VACANT] = n_seats
        self.clock = np.zeros(1)
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
        )

    def run(self, progress: Callable[[int], None]) -> Outcome:
        warmup, size = self.options.warmup, len(self.chunk.arrival)
        cooldown = self.stream.n_jobs - self.options.cooldown
        areas: Areas | None = None
        done = 0
        while True:
            # A chunk never straddles the end of the warm-up or the start of the cool-down: the
            # integrals restart and end there.
            stop = warmup if done < warmup else cooldown if done < cooldown else done + size
            n = self.stream.fill(self.chunk, min(size, stop - done))
            if n == 0:
                break
            if done == 0:
                self._restart_integrals(self.chunk.arrival[0])
            self._consume(n)
            done += n
            if done == warmup:
                self._restart_integrals(self.clock[0])
            if done == cooldown:
                areas = self._areas()
            progress(n)
        areas = areas or self._areas()
        self.cursor[DRAINING] = 1
        self._consume(0)
        stuck = len(self.seats.arrival) - self.cursor[N_VACANT]
        if stuck:
            raise EngineError(
                f"policy {self.policy.name}: {stuck} jobs wait for ever in an empty system"
            )
        stats = self.stats
        records = Records(stats.start, stats.end, stats.helpers) if self.options.records else None
        if self.options.through_drain and not self.options.cooldown:
            areas = self._areas()
        return Outcome(tally(stats, *areas), records)

    def _restart_integrals(self, now: float) -> None:
        self.began = now
        for area, since in (
            (self.stats.in_system_area, self.stats.in_system_since),
            (self.stats.busy_area, self.stats.busy_since),
        ):
            area[:] = 0.0
            since[:] = now

    def _areas(self) -> Areas:
        """Jobs in the system and busy servers, integrated over time up to now, and that time."""
        now, stats = self.clock[0], self.stats
        in_system = stats.in_system_area + stats.in_system * (now - stats.in_system_since)
        busy = stats.busy_area + stats.busy * (now - stats.busy_since)
        return in_system, busy, now - self.began

    def _consume(self, n: int) -> None:
        self.cursor[POSITION], self.cursor[FILLED] = 0, n
        status = FULL
        while status == FULL:
            status = self.loop(
                portable(self.state), portable(self.seats), portable(self.heap),
                portable(self.stats), portable(self.chunk), self.cursor, self.clock,
            )  # fmt: skip
            if status == FULL:
                self._grow()

    def _grow(self) -> None:
        """Double the seats; whatever is indexed by seat keeps its entries."""
        old = self.system.n_seats
        system = System(**(vars(self.system) | {"n_seats": 2 * old}))
        self.state = _extended(self.policy.initial_state(system), self.state)
        self.heap = _extended(empty_heap(2 * old), self.heap)
        self.seats = _extended(empty_seats(2 * old), self.seats)
        self.system = system
        self.seats.vacant[:old] = np.arange(old, 2 * old)
        self.cursor[N_VACANT] = old


def _extended(new: Any, old: Any) -> Any:
    """`new` with every array's first entries taken from `old`."""
    for fresh, known in zip(new, old, strict=True):
        if hasattr(fresh, "_fields"):
            _extended(fresh, known)
        else:
            fresh[: len(known)] = known
    return new
