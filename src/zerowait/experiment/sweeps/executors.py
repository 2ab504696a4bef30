"""Where many runs go, threads or a Dask cluster, and how they are awaited.

A wait without a limit hears no signal once polars has installed its own handler, and none of
Dask's ends where no worker is left.
"""

import json
import logging
import os
import signal
import time
import warnings
from collections.abc import Collection, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any
from weakref import WeakSet

from zerowait.experiment.simulation.simulate import TICK_S, n_threads
from zerowait.model import InputError

LOOK_S = 2.0  # between two looks at the workers of a cluster
TELL_S = 5.0  # without a worker, until it is told
GIVE_UP_S = 300.0  # ... and until it is no longer waited for
FEWEST_AHEAD = 8  # runs that a cluster is given, even if it has no worker yet


class WorkersLostError(ConnectionError):
    """Nobody is left who could run anything."""


class Awaited:
    """The runs that an executor was given, and its workers while they are awaited."""

    def __init__(self, executor: Executor) -> None:
        self._client: Any = getattr(executor, "_client", None)  # where it is one of Dask
        self._n_threads: int = getattr(executor, "_max_workers", FEWEST_AHEAD)
        self._looked = self._seen = time.monotonic()  # last, and with a worker there
        self._told = False

    @property
    def room(self) -> int:
        """Return how many runs to hand over at once: enough to keep all workers busy."""
        if self._client is None:
            return self._n_threads + 1
        return max(2 * self._n_threads, FEWEST_AHEAD)

    def some(self, futures: "Collection[Future[Any]]") -> "set[Future[Any]]":
        """Wait a short while at most, and return the runs that are finished."""
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
        """Yield all runs, as they finish."""
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
        """Return the threads of each worker; None if not even the scheduler answers."""
        try:
            found: dict[str, int] = self._client.nthreads()
            return found
        except (OSError, CancelledError):
            return None


LOCAL = "local"
CONNECT_S = 10
OURS: "WeakSet[Any]" = WeakSet()  # clusters that are started here: their workers are ours to mend


@contextmanager
def opened_executor(threads: int | None = None, dask: str | None = None) -> Iterator[Executor]:
    """Open threads, or with `dask` the workers of a cluster: its address or scheduler file, or
    `local` for one on this machine."""
    n_workers = n_threads(threads)
    opened = _threads(n_workers) if dask is None else _dask_executor(dask, n_workers)
    with opened as executor:
        yield executor


@contextmanager
def _threads(n_workers: int) -> Iterator[Executor]:
    pool = ThreadPoolExecutor(n_workers)
    try:
        yield pool
    except BaseException:
        # A kernel may run for minutes before it hears of it: nobody waits for that.
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


@contextmanager
def _dask_executor(address: str, n_workers: int) -> Iterator[Executor]:
    try:
        import dask.config
        from distributed import Client, LocalCluster
    except ImportError:
        raise InputError(
            f"dask = {address!r}: Dask is not installed; pip install 'zerowait[dask]'"
        ) from None
    with ExitStack() as stack:
        stack.push(_hush)
        if address == LOCAL:
            # A worker that is gone is forgotten, and may be started again, at once.
            stack.enter_context(dask.config.set({"distributed.deploy.lost-worker-timeout": "1s"}))
            _start_tracker_in_silence()
            # One process per core, one point each: a killed worker takes one point with it.
            with _workers_without_ctrl_c():
                cluster = LocalCluster(
                    n_workers=n_workers,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=":0",  # any: another cluster may have the usual one
                    silence_logs=logging.ERROR,
                )
            stack.enter_context(cluster)
            OURS.add(cluster)
            client = stack.enter_context(Client(cluster))
            stack.push(lambda kind, *_: _kill_workers(cluster) if kind is not None else None)
        else:
            found = _address(address)
            try:
                client = stack.enter_context(Client(found, timeout=CONNECT_S))
            except (OSError, ValueError) as error:
                raise InputError(f"dask = {address!r}: no scheduler answers: {error}") from None
        stack.push(_hush)  # once more: this one before the cluster is closed
        # Impure: a point of which a worker keeps an old answer must still run.
        yield client.get_executor(pure=False)


@contextmanager
def _workers_without_ctrl_c() -> Iterator[None]:
    """Keep Ctrl-C from threads and processes that are started here: the sweep ends them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, heard)


def _start_tracker_in_silence() -> None:
    """Start the process that removes what an interrupted cluster leaves, without its warnings."""
    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = "ignore:resource_tracker"
    try:
        resource_tracker.ensure_running()
    finally:
        del os.environ["PYTHONWARNINGS"]
        if before is not None:
            os.environ["PYTHONWARNINGS"] = before


def _kill_workers(cluster: Any) -> None:
    """Kill the workers of a cluster; closing it would wait for what they run."""
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        if nanny.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(nanny.pid, signal.SIGKILL)


def _hush(kind: type[BaseException] | None, *_: object) -> None:
    """Silence what a cluster logs while it is closed in haste."""
    if kind is not None and issubclass(kind, (KeyboardInterrupt, ConnectionError)):
        logging.getLogger("distributed").setLevel(logging.CRITICAL)


def _address(text: str) -> str:
    """Return an address, or read it from the file of `dask scheduler --scheduler-file`."""
    file = Path(text)
    if not text.endswith(".json") and not file.exists():
        return text
    try:
        address = json.loads(file.read_text(encoding="utf-8"))["address"]
    except OSError as error:
        raise InputError(f"dask = {text!r}: cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        address = None
    if not isinstance(address, str):
        remedy = "'dask scheduler --scheduler-file FILE.json' writes one"
        raise InputError(f"dask = {text!r}: is not the file of a scheduler; {remedy}")
    return address
