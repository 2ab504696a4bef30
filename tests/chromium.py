"""The browser of the system, for tests that look at pages; none is ever downloaded."""

import os
import shutil

import pytest

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
