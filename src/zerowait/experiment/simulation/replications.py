"""Run replications in threads, and cut each where its warm-up ends."""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from zerowait.engine.arrays import Floats
from zerowait.engine.run import CHUNK_SIZE, Options, Outcome, Records, run
from zerowait.engine.statistics.batches import Batches
from zerowait.engine.statistics.tally import Tally
from zerowait.engine.stream import Stream, WorkloadStream
from zerowait.experiment.checks import price_of
from zerowait.experiment.options import MSER, Progress
from zerowait.experiment.results.job_table import RecordingStream
from zerowait.experiment.results.summaries import tally_quantiles
from zerowait.experiment.simulation.cores import n_threads, wait_for_all
from zerowait.experiment.simulation.setup import Setup
from zerowait.experiment.simulation.warmup import mser_batches
from zerowait.experiment.statistics.samples import Stretch
from zerowait.policies import Policy

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
    options = Options(
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
