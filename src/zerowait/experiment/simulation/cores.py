"""How many runs go at once, and how they are awaited."""

import os
from collections.abc import Iterable
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from typing import Any

from zerowait.model.quantities import whole

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
