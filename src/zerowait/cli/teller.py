"""What is told of the progress of many points: a bar, or lines now and then."""

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from zerowait.cli.output import note

if TYPE_CHECKING:
    from zerowait.experiment.sweeps.points import Point
    from zerowait.experiment.sweeps.run import Agenda

QUIET_S = 10.0  # between two lines, where no bar can be shown


class Teller:
    """Lines for logs: how far it is, and how long it will take. Points count by their estimated
    time, for policies differ."""

    def __init__(self, points: "list[Point]", advance: Callable[[int], None] | None = None) -> None:
        self.n_points, self.total = len(points), sum(point.seconds for point in points)
        self.n_done, self.done = 0, 0.0
        self.advance = advance  # of a bar that counts milliseconds of points
        self.busy = 0.0  # without the drawing of figures
        self.since = self.said = time.monotonic()

    def resume(self) -> None:
        self.since = time.monotonic()

    def on_point(self, point: "Point") -> None:
        now = time.monotonic()
        self.busy, self.since = self.busy + now - self.since, now
        self.n_done, self.done = self.n_done + 1, self.done + point.seconds
        if self.advance is not None:
            self.advance(round(1000 * point.seconds))
        if not sys.stderr.isatty() and now - self.said >= QUIET_S:
            from zerowait.report.numbers import duration

            self.said = now
            left = duration(self.busy * (self.total - self.done) / self.done)
            note(f"{self.n_done} of {self.n_points} points, about {left} left")


def note_stale(agenda: "Agenda", keep_stale: bool) -> None:
    if agenda.stale:
        verb = "are kept" if keep_stale else "are run again (--keep-stale keeps them)"
        note(f"{len(agenda.stale)} points were made by other code and {verb}")
