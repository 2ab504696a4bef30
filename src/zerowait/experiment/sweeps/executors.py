"""Where a sweep runs: threads of this process, or a Dask cluster."""

import json
import logging
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from zerowait.experiment.simulation.cores import n_threads
from zerowait.model import InputError

LOCAL = "local"
CONNECT_S = 10


@contextmanager
def opened_executor(threads: int | None = None, dask: str | None = None) -> Iterator[Executor]:
    """Threads, or with `dask` the workers of a cluster: its address or scheduler file, or
    `local` for one on this machine."""
    n_workers = n_threads(threads)
    if dask is None:
        with ThreadPoolExecutor(n_workers) as pool:
            yield pool
    else:
        with _dask_executor(dask, n_workers) as executor:
            yield executor


@contextmanager
def _dask_executor(address: str, n_workers: int) -> Iterator[Executor]:
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise InputError(
            f"dask = {address!r}: Dask is not installed; pip install 'zerowait[dask]'"
        ) from None
    with ExitStack() as stack:
        stack.push(_hush)
        if address == LOCAL:
            # One process per core, one point each: a killed worker takes one point with it.
            with _workers_without_ctrl_c():
                cluster = LocalCluster(
                    n_workers=n_workers,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=":0",  # any: another cluster may have the usual one
                    silence_logs=logging.ERROR,
                )
            client = stack.enter_context(Client(stack.enter_context(cluster)))
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
    """Processes started here do not hear of it: the sweep ends them, in silence."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heard)


def _hush(kind: type[BaseException] | None, *_: object) -> None:
    """Workers that a terminal has interrupted too are missed by their nannies, at length."""
    if kind is not None and issubclass(kind, KeyboardInterrupt):
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
