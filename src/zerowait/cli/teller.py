"""What is told of the progress of many points: a bar, or lines now and then."""

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from zerowait.cli.output import note

if TYPE_CHECKING:
    from zerowait.experiment.sweeps.points import SweepPoint
    from zerowait.experiment.sweeps.run import Agenda

QUIET_S = 10.0  # between two lines


class NowAndThen:
    """Lines about progress for logs, where no bar can be shown."""

    def __init__(self) -> None:
        self.said = time.monotonic()

    def tell(self, line: Callable[[], str]) -> None:
        now = time.monotonic()
        if not sys.stderr.isatty() and now - self.said >= QUIET_S:
            self.said = now
            note(line())


def about_left(seconds: float) -> str:
    from zerowait.report.numbers import duration

    return f"about {duration(seconds)} left"


class Teller:
    """How far it is, and how long it will take. Points count by their estimated time, for policies
    differ; what the first one took is no measure, for it was compiled."""

    def __init__(
        self, points: "list[SweepPoint]", advance: Callable[[int], None] | None = None
    ) -> None:
        self.n_points, self.total = len(points), sum(point.seconds for point in points)
        self.n_done, self.done = 0, 0.0
        self.advance = advance  # of a bar that counts milliseconds of points
        self.busy, self.timed = 0.0, 0.0  # since the first, without the drawing of figures
        self.since = time.monotonic()
        self.lines = NowAndThen()

    def resume(self) -> None:
        self.since = time.monotonic()

    def on_point(self, point: "SweepPoint") -> None:
        now = time.monotonic()
        if self.n_done:
            self.busy, self.timed = self.busy + now - self.since, self.timed + point.seconds
        self.since = now
        self.n_done, self.done = self.n_done + 1, self.done + point.seconds
        if self.advance is not None:
            self.advance(round(1000 * point.seconds))
        self.lines.tell(self._told)

    def _told(self) -> str:
        told = f"{self.n_done} of {self.n_points} points"
        if not self.timed or self.n_done == self.n_points:
            return told
        return f"{told}, {about_left(self.busy / self.timed * (self.total - self.done))}"


def note_stale(agenda: "Agenda", keep_stale: bool) -> None:
    if agenda.stale:
        verb = "are kept" if keep_stale else "are run again (--keep-stale keeps them)"
        note(f"{len(agenda.stale)} points were made by other code and {verb}")
