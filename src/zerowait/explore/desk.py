"""Where everything is computed: one thing at a time, and only for who listens."""

import asyncio
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from zerowait.explore.stop import Stop, StoppedError
from zerowait.model import EngineError, InputError

Event = tuple[str, Any]  # its kind, and what is told, ready for JSON
Work = Callable[[Stop], Iterator[Event]]
MOST_WAITING = 32


class Desk:
    """A worker of its own; who comes while it is busy waits, and may go away again."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._worker = ThreadPoolExecutor(1, "explorer")
        self.waiting = 0
        self.running = 0  # computations, this moment: never more than one
        self.most_running = 0

    async def events(self, work: Work) -> AsyncIterator[Event]:
        """What the work tells; it is stopped where nobody asks for the next."""
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
        """In the worker: all that goes wrong is told, in one line."""
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
