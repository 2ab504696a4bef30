"""Server-sent events that end when the reader goes away."""

import asyncio
import json
from collections.abc import AsyncIterator

from starlette.types import Receive, Scope, Send

from zerowait.explore.desk import Event

HEADERS = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-store")]


class EventStream:
    """A response that hears of the reader's leaving at once, not when it next has something to
    say, so that nothing is computed for nobody."""

    def __init__(self, events: AsyncIterator[Event]) -> None:
        self.events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        telling = asyncio.ensure_future(self._tell(send))
        leaving = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait((telling, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            telling.cancel()
            await asyncio.gather(telling, leaving, return_exceptions=True)

    async def _tell(self, send: Send) -> None:
        try:
            async for kind, what in self.events:
                text = json.dumps(what, allow_nan=False)
                body = f"event: {kind}\ndata: {text}\n\n".encode()
                await send({"type": "http.response.body", "body": body, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            await self.events.aclose()  # type: ignore[attr-defined]


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
