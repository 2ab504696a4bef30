"""Run the points of sweeps that a folder does not hold yet."""

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
from zerowait.experiment.sweeps.executors import Awaited, opened_executor
from zerowait.experiment.sweeps.points import (
    AbandonedError,
    SweepPoint,
    compile_point,
    failed_row,
    run_point,
)
from zerowait.experiment.sweeps.store import FAILED, Claims, Replaced, Store, StoredPoint
from zerowait.experiment.sweeps.sweep import Sweep, SweepFile, named_points
from zerowait.model.quantities import refuse

if TYPE_CHECKING:
    import polars

AGAIN_S = 0.5  # between two looks at points that other sweeps have claimed


class Running:
    """The points that run, wait, or are claimed by others; `to_run` is in order of their start."""

    def __init__(
        self,
        store: Store,
        to_run: Iterable[SweepPoint],
        replaced: Replaced,
        executor: Executor,
        progress: Progress | None = None,
        on_point: Callable[[SweepPoint], Any] | None = None,
    ) -> None:
        self.finished, self.by_others = 0, 0
        self.failed: dict[str, str] = {}  # messages by point
        self._store, self._replaced, self._claims = store, replaced, Claims(store.folder)
        self._waiting = deque(to_run)
        self._elsewhere: list[SweepPoint] = []  # claimed by other sweeps
        self._futures: dict[Future[Any], SweepPoint] = {}
        self._executor, self._awaited = executor, Awaited(executor)
        self._is_here = isinstance(executor, ThreadPoolExecutor)
        self._progress, self._on_point = progress, on_point
        self._stop = threading.Event()
        self._looked = time.monotonic()

    def run(self) -> None:
        """Run until all points are finished; abandon those in flight if we leave before."""
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
        """Hand over as many points as keep all workers busy; others are free for other sweeps."""
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

    def _submit(self, point: SweepPoint) -> "Future[Any]":
        if self._is_here:
            return self._executor.submit(run_point, point, point.results_version, self._tick)
        return self._executor.submit(run_point, point, point.results_version)

    def _tick(self, n_jobs: int) -> None:
        """Tell how many jobs came; called in the threads that run points."""
        if self._stop.is_set():
            raise AbandonedError
        if self._progress is not None:
            self._progress(n_jobs)

    def _take(self, future: "Future[Any]", point: SweepPoint) -> None:
        """Store what a worker answered, even if it could not give an error."""
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

    def _tell(self, point: SweepPoint, counted: bool) -> None:
        """Tell that a point is finished; `counted`: its arrivals have been told while it ran."""
        if self._progress is not None and not counted:
            self._progress(point.n_jobs)
        if self._on_point is not None:
            self._on_point(point)


def _one_per_policy(points: Iterable[SweepPoint]) -> list[SweepPoint]:
    """Pick one point per policy, so that kernels are compiled once, not by many workers."""
    first: dict[tuple[str, ...], SweepPoint] = {}
    for point in points:
        chosen = point.chosen
        names = (chosen.name, chosen.auxiliary.name if chosen.auxiliary else "")
        first.setdefault(names, point)
    return list(first.values())


@dataclass(frozen=True, repr=False)
class Agenda:
    """What a sweep asks for, beside what its store holds."""

    named: list[tuple[str, SweepPoint]]  # by sweep
    store: Store
    kept: list[SweepPoint]  # finished before
    stale: list[SweepPoint]  # finished before, by other code
    to_run: list[SweepPoint]  # longest first
    replaced: Replaced
    damaged: tuple[Path, ...] = ()  # files of points that are to be run again for that
    left_out: tuple[str, ...] = ()  # policies that code would have to run for to know their points

    def __repr__(self) -> str:
        done = f"{len(self.kept)} finished, {len(self.to_run)} to run"
        return f"<Agenda of {len(self.points)} points in {self.store.folder}: {done}>"

    @property
    def points(self) -> dict[str, SweepPoint]:
        return {point.key: point for _, point in self.named}

    @property
    def n_jobs(self) -> int:
        return sum(point.n_jobs for point in self.to_run)


@dataclass(frozen=True, repr=False)
class SweepOutcome:
    """What a sweep did."""

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
        """Return the stored rows of this sweep's points, with the names of their sweeps."""
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
    on_point: Callable[[SweepPoint], Any] | None = None,
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
    """Find out what is to be run; nothing runs but the code of policy files (not without
    `runs_code`)."""
    left_out: Iterable[str] = ()
    if isinstance(what, (str, Path)):
        file = SweepFile(what, runs_code)
        named, left_out = file.points(), file.left_out
    else:
        sweeps = [what] if isinstance(what, Sweep) else _listed(what)
        named = named_points((one, one.points()) for one in sweeps)
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
