"""Sweeps: what is to be done, against what a folder holds, and the doing of it."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerowait.experiment.options import Progress
from zerowait.experiment.sweeps.executors import opened_executor
from zerowait.experiment.sweeps.points import Point
from zerowait.experiment.sweeps.running import Running
from zerowait.experiment.sweeps.store import Replaced, Store, StoredPoint
from zerowait.experiment.sweeps.sweep import Sweep, expand
from zerowait.experiment.sweeps.sweep_file import load_sweeps, look_at_sweeps
from zerowait.model.quantities import refuse

if TYPE_CHECKING:
    import polars


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
