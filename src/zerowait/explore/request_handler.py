"""One worker that computes one request at a time, and only while somebody listens."""

import asyncio
import threading
import time
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from zerowait.model import EngineError, InputError

Event = tuple[str, Any]  # its kind, and its data, ready for JSON
LIMIT_S = 60.0
MOST_WAITING = 32


class StoppedError(Exception):
    """Nobody listens any more."""


class TooLongError(Exception):
    """The time is up; what is known so far stands."""


class Stop:
    """A signal that ends a computation: nobody listens any more, or its time is up.

    The clock runs from the first tick, so that compiling a policy is not counted.
    """

    def __init__(self, limit_s: float = LIMIT_S) -> None:
        self.limit_s = limit_s
        self._ends: float | None = None
        self._asked = threading.Event()

    def ask(self) -> None:
        self._asked.set()

    def tick(self, n_jobs: int = 0) -> None:
        """Raise an error if the computation should end; called between two chunks of jobs."""
        if self._asked.is_set():
            raise StoppedError
        now = time.monotonic()
        if self._ends is None:
            self._ends = now + self.limit_s
        elif now > self._ends:
            raise TooLongError


Work = Callable[[Stop], Iterator[Event]]


class RequestHandler:
    """A queue of requests before one worker; a request that is given up leaves the queue."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._worker = ThreadPoolExecutor(1, "explorer")
        self.waiting = 0
        self.running = 0  # computations, this moment: never more than one
        self.most_running = 0

    async def events(self, work: Work) -> AsyncIterator[Event]:
        """Yield the events of the work; stop it when nobody asks for the next one."""
        if self.waiting >= MOST_WAITING:
            yield "refused", "too many pages are waiting; close some"
            return
        self.waiting += 1
        try:
            await self._turn.acquire()
        finally:
            self.waiting -= 1
        try:
            async for event in self._run(work):
                yield event
        finally:
            self._turn.release()

    async def _run(self, work: Work) -> AsyncIterator[Event]:
        stop, told = Stop(), asyncio.Queue[Event | None]()
        loop = asyncio.get_running_loop()

        def tell(event: Event | None) -> None:
            loop.call_soon_threadsafe(told.put_nowait, event)

        done = loop.run_in_executor(self._worker, self._compute, work, stop, tell)
        try:
            while (event := await told.get()) is not None:
                yield event
        finally:
            stop.ask()
            await asyncio.shield(done)

    def _compute(self, work: Work, stop: Stop, tell: Callable[[Event | None], None]) -> None:
        """Run the work in the worker thread; report any failure in one line."""
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            for event in work(stop):
                tell(event)
        except StoppedError:
            pass
        except (InputError, EngineError) as error:
            tell(("refused", str(error)))
        except MemoryError:
            tell(("refused", "not enough memory; ask for less"))
        except Exception as error:
            tell(("refused", f"zerowait failed, which is its own fault: {error!r}"))
            traceback.print_exc()  # for a report of it; the explorer goes on
        finally:
            self.running -= 1
            tell(None)

    def close(self) -> None:
        self._worker.shutdown(wait=False, cancel_futures=True)
