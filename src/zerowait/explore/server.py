"""The explorer's server: who has access, its addresses, its stream of events, its start and end."""

import asyncio
import json
import secrets
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hmac import compare_digest
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zerowait.explore.answers import answer_comparison, answer_movie, answer_search
from zerowait.explore.html import asset, explorer_page
from zerowait.explore.question import Question
from zerowait.explore.request_handler import Event, RequestHandler, Stop, Work
from zerowait.explore.subject import Subject
from zerowait.model import InputError

LOOPBACK = "127.0.0.1"
SECURITY_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self' "
    "'unsafe-inline'; connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",  # the address holds the token
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
]
GRACE_S = 1  # for pages that still listen when the explorer ends
Answer = Callable[[Question, Subject, Stop], Iterator[Event]]


class AccessCheck:
    """A filter that serves only requests below `/token/`, by our own name and our own page."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self.app, self.token = app, token
        self.hosts = {f"{name}:{port}" for name in (LOOPBACK, "localhost")}
        self.origins = {f"http://{host}" for host in self.hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        refused = self._refusal(scope)
        if refused is not None:
            await PlainTextResponse(*refused)(scope, receive, send)
            return
        scope["path"] = scope["path"][len(self.token) + 1 :]

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(SECURITY_HEADERS)
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> tuple[str, int] | None:
        headers = Headers(scope=scope)
        if headers.getlist("host") not in [[host] for host in self.hosts]:
            return "wrong Host", 403
        if not set(headers.getlist("origin")) <= self.origins:
            return "wrong Origin", 403
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return "asked by another site", 403
        path = scope["path"].encode()
        if not compare_digest(path[: len(self.token) + 2], f"/{self.token}/".encode()):
            return "wrong token: open the address that zerowait explore printed", 403
        if scope["method"] not in ("GET", "HEAD"):
            return "nothing can be changed here", 405
        return None


class EventStream:
    """An SSE response that cancels its computation as soon as the client disconnects."""

    def __init__(self, events: AsyncIterator[Event]) -> None:
        self.events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
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


def application(subject: Subject, token: str, port: int, requests: RequestHandler) -> ASGIApp:
    """Make the application; everything is below `/token/`, and only read."""
    page = str(explorer_page(subject))

    def streamed(make: Answer) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Any:
            return EventStream(_events(request, make))

        return endpoint

    def _events(request: Request, make: Answer) -> AsyncIterator[Event]:
        try:
            question = Question.of(request.query_params.multi_items())
        except InputError as error:
            return _refused(str(error))
        work: Work = lambda stop: make(question, subject, stop)  # noqa: E731
        return requests.events(work)

    async def shown(request: Request) -> Response:
        return HTMLResponse(page)

    async def sent(request: Request) -> Response:
        found = asset(request.path_params["name"])
        if found is None:
            return Response(status_code=404)
        return Response(found[0], media_type=found[1])

    app = Starlette(
        routes=[
            Route("/", shown),
            Route("/api/compare", streamed(answer_comparison)),
            Route("/api/search", streamed(answer_search)),
            Route("/api/movie", streamed(answer_movie)),
            Route("/{name}", sent),
        ]
    )
    return AccessCheck(app, token, port)


async def _refused(why: str) -> AsyncIterator[Event]:
    yield "refused", why


@dataclass(frozen=True)
class Explorer:
    """A running explorer: its address, which holds the token, and where it computes."""

    address: str
    requests: RequestHandler


@contextmanager
def serving(subject: Subject, port: int = 0) -> Iterator[Explorer]:
    """Serve in a thread until the block ends; port 0 is any that is free."""
    requests, token = RequestHandler(), secrets.token_urlsafe(24)
    with _bound(port) as bound:
        actual = bound.getsockname()[1]
        app = application(subject, token, actual, requests)
        config = uvicorn.Config(
            app, log_level="critical", access_log=False, lifespan="off", server_header=False,
            ws="none", proxy_headers=False, timeout_graceful_shutdown=GRACE_S,
        )  # fmt: skip
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([bound],), daemon=True)
        thread.start()
        try:
            yield Explorer(f"http://{LOOPBACK}:{actual}/{token}/", requests)
        finally:
            server.should_exit = True
            thread.join(2 * GRACE_S)
            requests.close()


def _bound(port: int) -> socket.socket:
    """Open a socket that listens at once, so that early requests wait for the server."""
    listening = socket.socket()
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen(64)
    except OSError as error:
        listening.close()
        raise InputError(f"port = {port}: {error.strerror}; choose another, or 0") from None
    return listening
