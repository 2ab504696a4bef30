"""Conditions that tests wait for, however slow the machine is."""

import time
from collections.abc import Callable

GIVE_UP_S = 300.0  # what has not come by then never comes


def await_until(holds: Callable[[], bool], every_s: float = 0.02) -> None:
    """Wait until something holds; fail if it never does."""
    end = time.monotonic() + GIVE_UP_S
    while not holds():
        assert time.monotonic() < end, f"it did not hold within {GIVE_UP_S:g} s"
        time.sleep(every_s)
