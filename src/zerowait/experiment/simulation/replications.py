"""Run replications in threads, as many as a precision takes; cut each where its warm-up ends."""

import math
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from zerowait.engine.batches import Batches, Tally
from zerowait.engine.run import CHUNK_SIZE, Outcome, Records, RunSettings, run
from zerowait.engine.stream import Stream, WorkloadStream
from zerowait.experiment.checks import price_of
from zerowait.experiment.options import MSER, Progress
from zerowait.experiment.results.job_table import RecordingStream
from zerowait.experiment.results.result import Result
from zerowait.experiment.results.summaries import tally_quantiles
from zerowait.experiment.simulation.setup import PRECISE_REPLICATIONS, Setup
from zerowait.experiment.statistics.intervals import Interval
from zerowait.experiment.statistics.samples import Stretch
from zerowait.model.quantities import Floats, whole
from zerowait.policies import Policy

TICK_S = 0.2  # at most so long no signal is heard


def n_cores() -> int:
    """Cores that this process may use: a batch system or a container often grants but a few."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def n_threads(threads: int | None) -> int:
    """As given, or one per core."""
    return n_cores() if threads is None else whole("threads", threads)


def wait_for_all(futures: "Iterable[Future[Any]]") -> None:
    """Until all are finished, or one has failed. A wait without a limit would not hear Ctrl-C
    once polars has installed a handler of its own."""
    left = set(futures)
    while left:
        done, left = wait(left, TICK_S, FIRST_EXCEPTION)
        if any(future.exception() is not None for future in done):
            return


FIVE = 5
FEWEST_POINTS = 10  # of the series; with fewer there is nothing to choose from


def mser(values: Floats) -> int:
    """How many of the first values to drop, half of them at most: the first d where
    S^2(d) / (n - d)^2 is no smaller at d + 1."""
    n = len(values)
    kept = np.arange(n, 0, -1.0)
    centred = values - values.mean()  # sums of squares keep their digits
    sums = np.cumsum(centred[::-1])[::-1]
    squares = np.cumsum(centred[::-1] ** 2)[::-1]
    errors = (squares - sums * sums / kept) / kept**2
    falling = np.diff(errors[: n // 2 + 1]) < 0
    return len(falling) if falling.all() else int(np.argmin(falling))


def mser_batches(batches: Batches) -> tuple[int, bool]:
    """How many batches to drop, and whether the search ended where it had to: at half of them."""
    points = len(batches) // FIVE
    if points < FEWEST_POINTS:
        return 0, False
    edges = np.arange(points + 1) * FIVE
    area, time = batches.in_system_area.sum(axis=1)[edges], batches.time[edges]
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.diff(area) / np.diff(time)
    if not np.isfinite(means).all():  # arrivals all at one instant
        return 0, False
    # A transient too short to show in the curve still biases a mean in heavy traffic: the first
    # point always goes.
    first = 1 + mser(means[1:])
    return FIVE * first, first >= points // 2


# Enough for five in a point of MSER, and to cut what is left into twenty nearly equal parts.
BATCHES = 256
SEGMENTS = 16  # parts of a run, whose queues tell whether it grows


@dataclass(frozen=True)
class Replication:
    """One run, cut where its warm-up ends."""

    stretch: Stretch  # the batches that count, without their histograms
    tally: Tally  # of these batches; its histograms begin with the next block
    block_quantiles: Mapping[str, Floats]  # as "wait_p99": block x row; of single runs alone
    segments: Floats  # mean number in the system, in equal parts of the run
    dropped: int  # arrivals of the warm-up
    unsettled: bool  # MSER would have dropped more than half
    records: Records | None
    stream: Stream


@dataclass(frozen=True)
class Execution:
    """How replications are carried out; their numbers do not depend on it."""

    jobs: bool = False  # keep the single jobs
    jit: bool = True
    threads: int | None = None  # None: one per core
    progress: Progress | None = None
    chunk_size: int = CHUNK_SIZE  # arrivals between two calls of `progress`


def run_replications(
    setup: Setup, policy: Policy, numbers: range, how: Execution
) -> list[Replication]:
    """The replications of these numbers; each stream depends on the seed and its number alone."""
    mser = setup.options.warmup == MSER
    warmup = 0 if mser else int(float(setup.options.warmup) * setup.arrivals)
    # Sums over batches differ from those over all jobs by rounding, so that none are made where
    # none are needed.
    batched = mser or setup.batches is not None
    n_batches = max(BATCHES, 8 * (setup.batches or 0)) if batched else 1
    options = RunSettings(
        warmup=warmup,
        records=how.jobs,
        batches=n_batches,
        segments=SEGMENTS,
        price=price_of(str(setup.options.preemption_cost)),
        jit=how.jit,
        chunk_size=how.chunk_size,
    )

    def replication(stream: Stream, tick: Progress) -> Replication:
        outcome = run(stream, policy, setup.servers, options, tick)
        return _replication(outcome, stream, setup, warmup)

    seeds = [np.random.SeedSequence(setup.options.seed, spawn_key=(number,)) for number in numbers]
    streams: list[Stream] = [
        WorkloadStream(setup.workload, setup.arrivals, seed, jit=how.jit) for seed in seeds
    ]
    if how.jobs:
        streams = [RecordingStream(stream) for stream in streams]
    return _run_all(streams, replication, how)


def _replication(outcome: Outcome, stream: Stream, setup: Setup, warmup: int) -> Replication:
    batches = outcome.batches
    first, unsettled = mser_batches(batches) if setup.options.warmup == MSER else (0, False)
    return Replication(
        Stretch(_without_histograms(batches), first, len(batches)),
        batches.tally(first),
        _block_quantiles(batches, first) if setup.batches is not None else {},
        outcome.segments,
        warmup + int(batches.arrivals[:first].sum()),
        unsettled,
        outcome.records,
        stream,
    )


def _block_quantiles(batches: Batches, first: int) -> dict[str, Floats]:
    """Quantiles of each block of histograms; a short last block is one with the block before."""
    blocks = batches.blocks(first, len(batches))
    starts = list(range(blocks.start, blocks.stop))
    short = len(batches) - starts[-1] * batches.per_block < batches.per_block / 2
    if short and len(starts) > 1:
        starts.pop()
    ends = [*starts[1:], blocks.stop]
    found = [
        tally_quantiles(batches.tally(start * batches.per_block, _end(batches, end)))
        for start, end in zip(starts, ends, strict=True)
    ]
    return {name: np.array([one[name] for one in found]) for name in found[0]}


def _end(batches: Batches, block: int) -> int:
    return min(block * batches.per_block, len(batches))


def _without_histograms(batches: Batches) -> Batches:
    none = np.zeros((0, 0, 0), np.int64)
    return replace(batches, response_histogram=none, wait_histogram=none)


class _StoppedError(Exception):
    """Raised inside a worker whose siblings have failed or been interrupted."""


def _run_all(
    streams: Sequence[Stream],
    replication: Callable[[Stream, Progress], Replication],
    how: Execution,
) -> list[Replication]:
    """Each in a thread (kernels release the GIL)."""
    stop = threading.Event()

    def tick(n_jobs: int) -> None:
        if stop.is_set():
            raise _StoppedError
        if how.progress is not None:
            how.progress(n_jobs)

    workers = min(len(streams), n_threads(how.threads))
    if workers == 1:
        return [replication(stream, tick) for stream in streams]
    pool = ThreadPoolExecutor(workers)
    waits = True
    try:
        futures = [pool.submit(replication, stream, tick) for stream in streams]
        wait_for_all(futures)
        return [future.result() for future in futures]
    except KeyboardInterrupt:
        waits = False  # a hook of the user's may never return
        raise
    finally:
        # After an error or Ctrl-C the other threads end at their next chunk.
        stop.set()
        pool.shutdown(waits, cancel_futures=True)


def wanted_replications(setup: Setup, result: Result) -> int:
    """At the next look; as many as there are where nothing is gained by more."""
    n, precision = len(result.replicates), setup.options.precision
    if precision is None or result.diverging:
        return n
    return _next_replications(_found(setup, result), precision, n, setup.most_replications)


def with_precision_note(setup: Setup, result: Result) -> Result:
    """Say so where the precision was not reached."""
    n, precision = len(result.replicates), setup.options.precision
    if precision is None or result.diverging or _is_precise(_found(setup, result), precision):
        return result
    note = (
        f"precision {precision:g} of {setup.options.measure} was not reached within the budget: "
        f"{_found(setup, result)} after {n} replications ({n * setup.arrivals} arrivals)"
    )
    return replace(result, notes=(*result.notes, note))


def _found(setup: Setup, result: Result) -> Interval:
    return result.interval(setup.options.measure, setup.options.level)


def _is_precise(found: Interval, precision: float) -> bool:
    return found.known and found.half_width <= precision / (1 + precision) * abs(found.mean)


def _next_replications(found: Interval, precision: float, n: int, most: int) -> int:
    if n < PRECISE_REPLICATIONS:
        return min(most, PRECISE_REPLICATIONS)
    if n >= most or _is_precise(found, precision):
        return n
    wanted = math.inf
    if found.known and found.mean != 0:
        wanted = n * (found.half_width * (1 + precision) / (precision * found.mean)) ** 2
    return min(most, 2 * n, max(n + 1, math.ceil(wanted) if wanted < 2 * n else 2 * n))
