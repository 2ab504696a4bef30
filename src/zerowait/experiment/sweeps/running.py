"""The points of a sweep, claimed, run on any executor, and kept as soon as they are finished."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from zerowait.experiment.options import Progress
from zerowait.experiment.sweeps.awaiting import Awaited
from zerowait.experiment.sweeps.claims import Claims
from zerowait.experiment.sweeps.points import (
    AbandonedError,
    Point,
    compile_point,
    failed_row,
    run_point,
)
from zerowait.experiment.sweeps.store import FAILED, Replaced, Store

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
