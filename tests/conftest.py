"""In what order tests run, and what they share."""

import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

import tests.draws  # noqa: F401 (for the profile it loads, before any test asks for settings)
from tests.chromium import launched
from tests.conditions import GIVE_UP_S
from zerowait.policies import POLICIES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext


def pytest_configure() -> None:
    """Hear Ctrl-C as in a terminal: what a shell starts in the background, and all that this
    starts, ignores it, and tests of Ctrl-C would wait for ever.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run slow tests first: at the end the short ones keep all workers busy."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(autouse=True)
def register_as_before() -> Iterator[None]:
    """Forget the policies that a test registers, so that others in its process do not see them."""
    before = dict(POLICIES)
    yield
    POLICIES.clear()
    POLICIES.update(before)


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Start one browser for all pages that a file of tests looks at."""
    with launched() as one:
        yield one


@pytest.fixture(scope="module")
def context(browser: "Browser") -> "Iterator[BrowserContext]":
    """Share one context among pages that ask for nothing special: one each costs as much as what
    they show."""
    one = browser.new_context(viewport={"width": 1200, "height": 900})
    one.set_default_timeout(GIVE_UP_S * 1000)
    yield one
    one.close()
