"""Where many runs go: threads of this process, or a Dask cluster."""

import json
import logging
import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any
from weakref import WeakSet

from zerowait.experiment.simulation.cores import n_threads
from zerowait.model import InputError

LOCAL = "local"
CONNECT_S = 10
OURS: "WeakSet[Any]" = WeakSet()  # clusters that are started here: their workers are ours to mend


@contextmanager
def opened_executor(threads: int | None = None, dask: str | None = None) -> Iterator[Executor]:
    """Threads, or with `dask` the workers of a cluster: its address or scheduler file, or
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
    """Threads and processes started here, and those that they start, do not hear of it: the sweep
    ends them, in silence."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, heard)


def _start_tracker_in_silence() -> None:
    """Of what a cluster leaves behind when we are interrupted, Python's tracker disposes; that it
    did is of no interest to users."""
    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = "ignore:resource_tracker"
    try:
        resource_tracker.ensure_running()
    finally:
        del os.environ["PYTHONWARNINGS"]
        if before is not None:
            os.environ["PYTHONWARNINGS"] = before


def _kill_workers(cluster: Any) -> None:
    """Nobody waits for what they run: a cluster that is asked to close would."""
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        if nanny.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(nanny.pid, signal.SIGKILL)


def _hush(kind: type[BaseException] | None, *_: object) -> None:
    """What a cluster misses while it is closed in haste, it tells at length."""
    if kind is not None and issubclass(kind, (KeyboardInterrupt, ConnectionError)):
        logging.getLogger("distributed").setLevel(logging.CRITICAL)


def _address(text: str) -> str:
    """An address, or the one in the file that `dask scheduler --scheduler-file` writes."""
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
