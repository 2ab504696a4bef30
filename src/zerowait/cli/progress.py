"""Progress of long work: bars for people, lines now and then for logs."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from zerowait.cli.arguments import NOWHERE
from zerowait.cli.interrupts import keeping
from zerowait.cli.output import note

if TYPE_CHECKING:
    from zerowait.experiment.optimisation.search import Best
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


class PointProgress:
    """The progress of many points, and the time that is left.

    Points count by their estimated time, since policies differ; the first is left out of the
    estimate, since it was compiled.
    """

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


def store_folder(text: str) -> str | None:
    return None if text == NOWHERE else text


@contextmanager
def searching(store: str, threads: int | None, dask: str | None) -> "Iterator[dict[str, Any]]":
    """Open what carries a search out; Ctrl-C says what is kept of it."""
    from zerowait.experiment.sweeps.executors import opened_executor

    folder = store_folder(store)
    kept = f"evaluations are in {folder}, the same command goes on" if folder else "nothing kept"
    with (
        keeping(kept),
        opened_executor(threads, dask) as executor,
        search_progress() as listen,
    ):
        yield {"executor": executor, "store": folder, "listener": listen}


@contextmanager
def search_progress() -> Iterator[Callable[[str, "Best | None"], None]]:
    """Show a bar to people and a line now and then to logs: what is done, and the best so far.

    Every step has a label; `best` is None where nothing is searched.
    """
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        lines = NowAndThen()

        def listen(label: str, best: "Best | None") -> None:
            tried, total = (None, None) if best is None else (best.tried, best.evaluations)
            text = label if best is None else f"{label}: {_told(best)}"
            bar.update(task, total=total, completed=tried or 0, description=text)
            count = "" if best is None else f", {tried} of {total} candidates"
            lines.tell(lambda: text + count)

        yield listen


def _told(best: "Best") -> str:
    trial = best.trial
    if trial is None or trial.long is None or not trial.long.feasible:
        return "none is allowed yet"
    shares = ", ".join(f"{one:.3f}" for one in trial.long.objectives)
    return f"best {shares} of the baseline"
