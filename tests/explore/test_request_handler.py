"""One computation at a time, whoever asks, and none for who has left."""

import asyncio
import threading
from collections.abc import Callable, Iterator

import pytest

from tests.conditions import GIVE_UP_S
from zerowait.explore.request_handler import MOST_WAITING, Event, RequestHandler, Stop

pytestmark = pytest.mark.slow


def endless(stop: Stop) -> Iterator[Event]:
    yield "numbers", 1
    while True:
        stop.tick()
        threading.Event().wait(0.001)


async def come_to_hold(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(GIVE_UP_S):
        while not condition():
            await asyncio.sleep(0.001)


def short(stop: Stop) -> Iterator[Event]:
    yield "numbers", 2


def test_a_client_that_leaves_makes_room_for_the_next() -> None:
    async def ask() -> None:
        requests = RequestHandler()
        first = requests.events(endless)
        assert await anext(first) == ("numbers", 1)
        waiting = [asyncio.ensure_future(anext(requests.events(short))) for _ in range(5)]
        await come_to_hold(lambda: (requests.running, requests.waiting) == (1, 5))
        assert not any(one.done() for one in waiting)
        for one in waiting[1:]:
            one.cancel()
        await come_to_hold(lambda: (requests.running, requests.waiting) == (1, 1))
        await first.aclose()  # type: ignore[attr-defined]
        assert await waiting[0] == ("numbers", 2)
        assert requests.most_running == 1
        requests.close()

    asyncio.run(ask())


def test_too_many_at_once_are_turned_away() -> None:
    async def ask() -> None:
        requests = RequestHandler()
        first = requests.events(endless)
        await anext(first)
        waiting = [
            asyncio.ensure_future(anext(requests.events(short))) for _ in range(MOST_WAITING)
        ]
        await come_to_hold(lambda: requests.waiting == MOST_WAITING)
        kind, why = await anext(requests.events(short))
        assert (kind, "too many" in why) == ("refused", True)
        for one in waiting:
            one.cancel()
        await first.aclose()  # type: ignore[attr-defined]
        requests.close()

    asyncio.run(ask())


def test_a_mistake_of_ours_is_told_and_does_not_end_the_explorer(capsys: object) -> None:
    def broken(stop: Stop) -> Iterator[Event]:
        yield "numbers", 1
        raise RuntimeError("oh")

    async def ask() -> list[Event]:
        requests = RequestHandler()
        found = [event async for event in requests.events(broken)]
        found += [event async for event in requests.events(short)]
        requests.close()
        return found

    found = asyncio.run(ask())
    assert [kind for kind, _ in found] == ["numbers", "refused", "numbers"]
    assert "RuntimeError('oh')" in found[1][1]
