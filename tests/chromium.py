"""The browser of the system, for tests that look at pages; none is ever downloaded."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ARGUMENTS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


def chromium() -> str:
    """Where it is; without one the test is skipped, or fails where one is required."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    reason = "no Chromium on this machine; install the package `chromium`"
    if os.environ.get("CI") or os.environ.get("ZEROWAIT_BROWSER") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def launched() -> "Iterator[Browser]":
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()
