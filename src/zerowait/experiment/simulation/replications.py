"""Run the replications of a setup in threads."""

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import Any

from zerowait.engine.run import run
from zerowait.engine.stream import Stream
from zerowait.experiment.options import Progress
from zerowait.experiment.simulation.setup import Execution, Replication, Setup
from zerowait.model.quantities import whole
from zerowait.policies import Policy

TICK_S = 0.2  # at most so long no signal is heard


def n_cores() -> int:
    """Cores that this process may use: a batch system or a container often grants but a few."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def n_threads(threads: int | None) -> int:
    """Return the number of threads: as given, or one per core."""
    return n_cores() if threads is None else whole("threads", threads)


def wait_for_all(futures: "Iterable[Future[Any]]") -> None:
    """Until all are finished, or one has failed. A wait without a limit would not hear Ctrl-C
    once polars has installed a handler of its own."""
    left = set(futures)
    while left:
        done, left = wait(left, TICK_S, FIRST_EXCEPTION)
        if any(future.exception() is not None for future in done):
            return


def run_replications(
    setup: Setup, policy: Policy, numbers: range, how: Execution
) -> list[Replication]:
    """Run the replications of these numbers, each in a thread (kernels release the GIL)."""
    options = setup.engine_options(how)
    streams = [setup.stream(number, how) for number in numbers]

    def replication(stream: Stream, tick: Progress) -> Replication:
        outcome = run(stream, policy, setup.servers, options, tick)
        return setup.replication(outcome, stream)

    return _run_all(streams, replication, how)


class _StoppedError(Exception):
    """Raised inside a worker whose siblings have failed or been interrupted."""


def _run_all(
    streams: Sequence[Stream],
    replication: Callable[[Stream, Progress], Replication],
    how: Execution,
) -> list[Replication]:
    """Run each replication in a thread (kernels release the GIL)."""
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
