"""Run replications in threads, and cut each where its warm-up ends."""

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace

import numpy as np

from zerowait.engine.arrays import Floats
from zerowait.engine.run import Options, Outcome, Records, run
from zerowait.engine.statistics.batches import Batches
from zerowait.engine.statistics.tally import Tally
from zerowait.engine.stream import Stream, WorkloadStream
from zerowait.experiment.results.job_table import RecordingStream
from zerowait.experiment.results.summaries import tally_quantiles
from zerowait.experiment.simulation.plan import MSER, Plan
from zerowait.experiment.simulation.warmup import mser_batches
from zerowait.experiment.statistics.samples import Stretch
from zerowait.policies import Policy

Progress = Callable[[int], None]

# Enough for five in a point of MSER, and to cut what is left into twenty nearly equal parts.
BATCHES = 256


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


def run_replications(
    plan: Plan,
    policy: Policy,
    numbers: range,
    *,
    jobs: bool = False,
    jit: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Replication]:
    """The replications of these numbers; each stream depends on the seed and its number alone."""
    warmup = 0 if plan.warmup == MSER else int(plan.warmup * plan.arrivals)
    # Sums over batches differ from those over all jobs by rounding, so that none are made where
    # none are needed.
    batched = plan.warmup == MSER or plan.batches is not None
    n_batches = max(BATCHES, 8 * (plan.batches or 0)) if batched else 1
    options = Options(warmup=warmup, records=jobs, batches=n_batches, jit=jit)

    def replication(stream: Stream, tick: Progress) -> Replication:
        outcome = run(stream, policy, plan.servers, options, tick)
        return replication_of(outcome, stream, plan, warmup)

    seeds = [np.random.SeedSequence(plan.seed, spawn_key=(number,)) for number in numbers]
    streams: list[Stream] = [
        WorkloadStream(plan.workload, plan.arrivals, seed, jit=jit) for seed in seeds
    ]
    if jobs:
        streams = [RecordingStream(stream) for stream in streams]
    return _run_all(streams, replication, threads, progress)


def replication_of(outcome: Outcome, stream: Stream, plan: Plan, warmup: int) -> Replication:
    batches = outcome.batches
    first, unsettled = mser_batches(batches) if plan.warmup == MSER else (0, False)
    return Replication(
        Stretch(_without_histograms(batches), first, len(batches)),
        batches.tally(first),
        _block_quantiles(batches, first) if plan.batches is not None else {},
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
    threads: int | None,
    progress: Progress | None,
) -> list[Replication]:
    """Each in a thread (kernels release the GIL)."""
    stop = threading.Event()

    def tick(n_jobs: int) -> None:
        if stop.is_set():
            raise _StoppedError
        if progress is not None:
            progress(n_jobs)

    workers = min(len(streams), threads or os.cpu_count() or 1)
    if workers == 1:
        return [replication(stream, tick) for stream in streams]
    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(replication, stream, tick) for stream in streams]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
            return [future.result() for future in futures]
        finally:
            # After an error or Ctrl-C the other threads end at their next chunk.
            stop.set()
