"""The explorer's addresses: its page, and what the page asks for."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from zerowait.explore.answer import answer
from zerowait.explore.assets import asset
from zerowait.explore.desk import Desk, Event, Work
from zerowait.explore.event_stream import EventStream
from zerowait.explore.gate import Gate
from zerowait.explore.html import explorer_page
from zerowait.explore.question import Question
from zerowait.explore.screening import screening
from zerowait.explore.search import search
from zerowait.explore.stop import Stop
from zerowait.explore.subject import Subject
from zerowait.model import InputError

Answer = Callable[[Question, Subject, Stop], Iterator[Event]]


def application(subject: Subject, token: str, port: int, desk: Desk) -> ASGIApp:
    """Everything is below `/token/`, and only read."""
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
        return desk.events(work)

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
            Route("/api/compare", streamed(answer)),
            Route("/api/search", streamed(search)),
            Route("/api/movie", streamed(screening)),
            Route("/{name}", sent),
        ]
    )
    return Gate(app, token, port)


async def _refused(why: str) -> AsyncIterator[Event]:
    yield "refused", why
