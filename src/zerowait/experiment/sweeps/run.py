"""Sweeps: what is to be done, against what a folder holds, and the doing of it."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerowait.experiment.options import Progress
from zerowait.experiment.sweeps.claims import Claims
from zerowait.experiment.sweeps.executors import Awaited, opened_executor
from zerowait.experiment.sweeps.points import (
    AbandonedError,
    Point,
    compile_point,
    failed_row,
    run_point,
)
from zerowait.experiment.sweeps.store import FAILED, Replaced, Store, StoredPoint
from zerowait.experiment.sweeps.sweep import Sweep, expand, load_sweeps, look_at_sweeps
from zerowait.model.quantities import refuse

if TYPE_CHECKING:
    import polars

AGAIN_S = 0.5  # between two looks at points that other sweeps have claimed


class Running:
    """What becomes of points while they run; `to_run` is in the order in which they start."""

    def __init__(
        self,
        store: Store,
        to_run: Iterable[Point],
        replaced: Replaced,
        executor: Executor,
        progress: Progress | None = None,
        on_point: Callable[[Point], Any] | None = None,
    ) -> None:
        self.finished, self.by_others = 0, 0
        self.failed: dict[str, str] = {}  # messages by point
        self._store, self._replaced, self._claims = store, replaced, Claims(store.folder)
        self._waiting = deque(to_run)
        self._elsewhere: list[Point] = []  # claimed by other sweeps
        self._futures: dict[Future[Any], Point] = {}
        self._executor, self._awaited = executor, Awaited(executor)
        self._is_here = isinstance(executor, ThreadPoolExecutor)
        self._progress, self._on_point = progress, on_point
        self._stop = threading.Event()
        self._looked = time.monotonic()

    def run(self) -> None:
        """Until all are finished; points in flight are abandoned if we leave before."""
        compiling: list[Future[Any]] = []
        try:
            compiling.extend(
                self._executor.submit(compile_point, one) for one in _one_per_policy(self._waiting)
            )
            for _ in self._awaited.each(compiling):
                pass
            while self._waiting or self._elsewhere or self._futures:
                self._hand_over()
                for future in self._awaited.some(self._futures):
                    self._take(future, self._futures.pop(future))
                self._claims.beat()
        finally:
            self._stop.set()
            for future in (*compiling, *self._futures):
                future.cancel()
            self._claims.give_all_back()

    def _hand_over(self) -> None:
        """As many points as are needed to keep all busy; the others are free for other sweeps."""
        while self._waiting and len(self._futures) < self._awaited.room:
            point = self._waiting.popleft()
            if not self._store.claim(self._claims, point.key):
                self._elsewhere.append(point)
            elif self._store.path(point.key, point.results_version).exists():
                self._claims.give_back(point.key)
                self.by_others += 1
                self._tell(point, counted=False)
            else:
                self._futures[self._submit(point)] = point
        if not self._waiting and time.monotonic() - self._looked >= AGAIN_S:
            self._looked = time.monotonic()
            self._waiting, self._elsewhere = deque(self._elsewhere), []

    def _submit(self, point: Point) -> "Future[Any]":
        if self._is_here:
            return self._executor.submit(run_point, point, point.results_version, self._tick)
        return self._executor.submit(run_point, point, point.results_version)

    def _tick(self, n_jobs: int) -> None:
        """Heard in the threads that run points."""
        if self._stop.is_set():
            raise AbandonedError
        if self._progress is not None:
            self._progress(n_jobs)

    def _take(self, future: "Future[Any]", point: Point) -> None:
        """Keep an answer; of a worker that could not even give an error, too."""
        try:
            frame: polars.DataFrame = future.result()
        except Exception as error:
            frame = failed_row(point, point.results_version, error, 0.0)
        failed = frame["status"][0] == FAILED
        path = self._store.path(point.key, point.results_version, failed)
        self._store.write(frame, path, self._replaced[point.key])
        self._claims.give_back(point.key)
        if failed:
            self.failed[point.key] = str(frame["error"][0])
        else:
            self.finished += 1
        self._tell(point, counted=self._is_here and not failed)

    def _tell(self, point: Point, counted: bool) -> None:
        """Points that run here have told of their arrivals, but for those that did not run."""
        if self._progress is not None and not counted:
            self._progress(point.n_jobs)
        if self._on_point is not None:
            self._on_point(point)


def _one_per_policy(points: Iterable[Point]) -> list[Point]:
    """Kernels are compiled once, before many workers would compile them at the same time."""
    first: dict[tuple[str, ...], Point] = {}
    for point in points:
        chosen = point.chosen
        names = (chosen.name, chosen.auxiliary.name if chosen.auxiliary else "")
        first.setdefault(names, point)
    return list(first.values())


@dataclass(frozen=True, repr=False)
class Agenda:
    """What a sweep asks for, against what its store holds."""

    named: list[tuple[str, Point]]  # by sweep
    store: Store
    kept: list[Point]  # finished before
    stale: list[Point]  # finished before, by other code
    to_run: list[Point]  # longest first
    replaced: Replaced
    damaged: tuple[Path, ...] = ()  # files of points that are to be run again for that
    left_out: tuple[str, ...] = ()  # policies that code would have to run for to know their points

    def __repr__(self) -> str:
        done = f"{len(self.kept)} finished, {len(self.to_run)} to run"
        return f"<Agenda of {len(self.points)} points in {self.store.folder}: {done}>"

    @property
    def points(self) -> dict[str, Point]:
        return {point.key: point for _, point in self.named}

    @property
    def n_jobs(self) -> int:
        return sum(point.n_jobs for point in self.to_run)


@dataclass(frozen=True, repr=False)
class SweepOutcome:
    """What became of a sweep."""

    agenda: Agenda
    finished: int  # points run now, without the failed
    failed: dict[str, str] = field(default_factory=dict)  # messages by point
    by_others: int = 0  # points that other sweeps into the same folder have run meanwhile

    def __repr__(self) -> str:
        agenda = self.agenda
        told = f"{len(agenda.kept)} finished before, {self.finished} run now"
        where = f"{len(agenda.points)} points in {agenda.store.folder}"
        return f"<SweepOutcome of {where}: {told}, {len(self.failed)} failed>"

    def table(self) -> "polars.DataFrame":
        """The stored rows of this sweep's points alone, with the name of their sweep."""
        import polars

        pairs = [(name, point.key) for name, point in self.agenda.named]
        names = polars.DataFrame(pairs, schema=["sweep", "point"], orient="row")
        rows = self.agenda.store.read(self.agenda.points)
        return names.join(rows, on="point", how="inner", maintain_order="left_right")


Spelled = str | Path | Sweep | Sequence[Sweep]


def sweep(
    what: Spelled | Agenda,
    out: str | Path = "results",
    *,
    executor: Executor | None = None,
    threads: int | None = None,
    keep_stale: bool = False,
    progress: Progress | None = None,
    on_point: Callable[[Point], Any] | None = None,
) -> SweepOutcome:
    """Run the missing points of a sweep (a TOML file, a `Sweep` or several) into a folder.

    Points run on `executor`, by default on one thread per core (kernels release the GIL). They
    are the same bit for bit wherever they run. `zerowait.load(out)` gives all results. `progress`
    hears of arrivals, `on_point` of points; Ctrl-C abandons the points that are running.
    """
    agenda = what if isinstance(what, Agenda) else make_agenda(what, out, keep_stale)
    agenda.store.open()
    agenda.store.set_aside(agenda.damaged)
    with _workers(executor, threads) as pool:
        running = Running(agenda.store, agenda.to_run, agenda.replaced, pool, progress, on_point)
        running.run()
    return SweepOutcome(agenda, running.finished, running.failed, running.by_others)


def make_agenda(
    what: Spelled,
    out: str | Path = "results",
    keep_stale: bool = False,
    *,
    runs_code: bool = True,
) -> Agenda:
    """Find out what is to be done, without doing anything but to load the policy files of a sweep
    file (unless `runs_code` is false)."""
    left_out: list[str] = []
    if isinstance(what, (str, Path)):
        sweeps: Sequence[Sweep]
        sweeps, left_out = (load_sweeps(what), []) if runs_code else look_at_sweeps(what)
    else:
        sweeps = [what] if isinstance(what, Sweep) else _listed(what)
    named = expand(sweeps)
    store = Store(out)
    stored: dict[str, list[StoredPoint]] = {}
    for one in store.points():
        stored.setdefault(one.point, []).append(one)
    kept, stale, to_run = [], [], []
    damaged: list[Path] = []
    replaced = {}
    for point in {point.key: point for _, point in named}.values():
        files = stored.get(point.key, [])
        broken = [one for one in files if not one.is_whole]
        damaged += [one.path for one in broken]
        files = [one for one in files if one not in broken]
        done = [one.results_version for one in files if not one.failed]
        is_stale = bool(done) and point.results_version not in done
        if is_stale:
            stale.append(point)
        if point.results_version in done or (is_stale and keep_stale):
            kept.append(point)
        else:
            to_run.append(point)
            replaced[point.key] = [one.path for one in files]
    # A long point that starts last would run alone; the longest are dealt with first.
    to_run.sort(key=lambda point: (point.seconds, point.servers), reverse=True)
    return Agenda(
        named, store, kept, stale, to_run, replaced, tuple(sorted(damaged)), tuple(left_out)
    )


def _listed(what: Any) -> list[Sweep]:
    sweeps = list(what) if isinstance(what, Sequence) else []
    if not isinstance(what, Sequence) or not all(isinstance(one, Sweep) for one in sweeps):
        raise refuse("what", what, "must be a sweep file (TOML), a Sweep, or a list of Sweeps")
    return sweeps


@contextmanager
def _workers(executor: Executor | None, threads: int | None) -> Iterator[Executor]:
    if executor is not None:
        yield executor
        return
    with opened_executor(threads) as pool:
        yield pool
