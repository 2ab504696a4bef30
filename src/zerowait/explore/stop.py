"""When a computation ends before it is through: nobody listens any more, or it takes too long."""

import threading
import time

LIMIT_S = 60.0


class StoppedError(Exception):
    """Nobody listens any more."""


class TooLongError(Exception):
    """The time is up; what is known so far stands."""


class Stop:
    """Asked again and again while jobs are run; its clock runs from the first of them, so that
    the compilation of a policy, which happens once, is not counted."""

    def __init__(self, limit_s: float = LIMIT_S) -> None:
        self.limit_s = limit_s
        self._ends: float | None = None
        self._asked = threading.Event()

    def ask(self) -> None:
        self._asked.set()

    def tick(self, n_jobs: int = 0) -> None:
        """A computation calls this between two chunks of jobs."""
        if self._asked.is_set():
            raise StoppedError
        now = time.monotonic()
        if self._ends is None:
            self._ends = now + self.limit_s
        elif now > self._ends:
            raise TooLongError
