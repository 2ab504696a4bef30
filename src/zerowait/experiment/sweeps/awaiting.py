"""Waiting for many runs, so that Ctrl-C is heard and lost workers are noticed.

A wait without a limit hears no signal once polars has installed its own handler, and none of
Dask's ends where no worker is left.
"""

import time
import warnings
from collections.abc import Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from typing import Any

from zerowait.experiment.simulation.cores import TICK_S
from zerowait.experiment.sweeps.executors import OURS

LOOK_S = 2.0  # between two looks at the workers of a cluster
TELL_S = 5.0  # without a worker, until it is told
GIVE_UP_S = 300.0  # ... and until it is no longer waited for
FEWEST_AHEAD = 8  # runs that a cluster is given, even if it has no worker yet


class WorkersLostError(ConnectionError):
    """Nobody is left who could run anything."""


class Awaited:
    """The runs of an executor."""

    def __init__(self, executor: Executor) -> None:
        self._client: Any = getattr(executor, "_client", None)  # where it is one of Dask
        self._n_threads: int = getattr(executor, "_max_workers", FEWEST_AHEAD)
        self._looked = self._seen = time.monotonic()  # last, and with a worker there
        self._told = False

    @property
    def room(self) -> int:
        """Runs to hand over at once: enough to keep all busy. The others stay free for others."""
        if self._client is None:
            return self._n_threads + 1
        return max(2 * self._n_threads, FEWEST_AHEAD)

    def some(self, futures: "Collection[Future[Any]]") -> "set[Future[Any]]":
        """Those that are finished, after a short while at most."""
        if futures:
            done = wait(futures, TICK_S, FIRST_COMPLETED).done
        else:
            time.sleep(TICK_S)
            done = set()
        if self._client is not None and time.monotonic() - self._looked >= LOOK_S:
            self._look()
        if self._client is not None and any(future.cancelled() for future in done):
            raise WorkersLostError("dask: the scheduler is gone; what is finished is kept")
        return done

    def each(self, futures: "Collection[Future[Any]]") -> "Iterator[Future[Any]]":
        """All of them, as they finish."""
        left = set(futures)
        while left:
            done = self.some(left)
            left -= done
            yield from done

    def _look(self) -> None:
        workers = self._workers()
        now = self._looked = time.monotonic()
        self._n_threads = sum((workers or {}).values())
        cluster = self._client.cluster
        if cluster in OURS and len(workers or ()) < len(cluster.worker_spec):
            cluster.scale(len(cluster.worker_spec))
        if workers:
            self._seen, self._told = now, False
        elif now - self._seen >= GIVE_UP_S:
            raise WorkersLostError(
                f"dask: no worker for {GIVE_UP_S:g} s; what is finished is kept, the same command "
                "goes on from there"
            )
        # A scheduler that does not answer is back, or given up by Dask, within seconds.
        elif workers is not None and now - self._seen >= TELL_S and not self._told:
            self._told = True
            remedy = "they are started again" if cluster in OURS else "start some"
            warnings.warn(
                f"dask: there is no worker; {remedy}, or it ends after {GIVE_UP_S:g} s",
                stacklevel=2,
            )

    def _workers(self) -> dict[str, int] | None:
        """Threads of each; None if not even the scheduler answers."""
        try:
            found: dict[str, int] = self._client.nthreads()
            return found
        except (OSError, CancelledError):
            return None
