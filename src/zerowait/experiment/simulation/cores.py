"""How many runs go at once."""

import os

from zerowait.model.quantities import whole


def n_cores() -> int:
    """Cores that this process may use: a batch system or a container often grants but a few."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def n_threads(threads: int | None) -> int:
    """As given, or one per core."""
    return n_cores() if threads is None else whole("threads", threads)
