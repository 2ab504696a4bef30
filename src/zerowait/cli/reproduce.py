"""`zerowait reproduce`."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerowait.cli.arguments import Dask, DryRun, Json, KeepStale, Report, Threads, check_files
from zerowait.cli.logs import Columns, parse_columns
from zerowait.cli.output import InterruptedRun, command, note, print_json, print_page, progress

if TYPE_CHECKING:
    from zerowait.experiment.reproduce.work import Finished, Work
    from zerowait.experiment.sweeps.points import Point

QUIET_S = 10.0  # between two lines about progress, where no bar can be shown


def reproduce(
    targets: Annotated[
        list[str],
        typer.Argument(
            metavar="TARGET...",
            help="all, fig1, fig2a, fig2b, fig3, table1, table2, table3, theorem1, theorem2.",
        ),
    ],
    full: Annotated[
        bool,
        typer.Option(
            "--full/--quick",
            help="As long as the paper's runs or longer; or minutes for everything.",
        ),
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the results [default: reproduction/quick|full].")
    ] = None,
    largest: Annotated[
        int | None, typer.Option(help="Servers at most where they grow [default: 131072].")
    ] = None,
    servers: Annotated[
        int | None, typer.Option("--servers", "-k", help="Servers of fig2a [default: 2048].")
    ] = None,
    load: Annotated[
        float | None, typer.Option(help="Load of fig2b and theorem1 [default: 0.7].")
    ] = None,
    law: Annotated[
        str | None,
        typer.Option(help="Service times of fig3: lognormal, hyperexponential, resample."),
    ] = None,
    sdsc_log: Annotated[
        Path | None, typer.Option(help="Your copy of the SDSC SP2 log: table2, resampled fig3.")
    ] = None,
    kit_log: Annotated[
        Path | None, typer.Option(help="Your copy of the KIT FH2 log: table3, resampled fig3.")
    ] = None,
    columns: Columns = "",
    policy: Annotated[
        list[str] | None,
        typer.Option("--policy", "-p", help="These policies alone; may be given several times."),
    ] = None,
    arrivals: Annotated[int | None, typer.Option(help="Arrivals per replication.")] = None,
    replications: Annotated[int | None, typer.Option(help="Replications of each point.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random streams.")] = 1,
    threads: Threads = None,
    dask: Dask = None,
    keep_stale: KeepStale = False,
    dry_run: DryRun = False,
    report: Report = None,
    as_json: Json = False,
) -> None:
    """Make the paper's figures and tables again, and check its theorems by simulation."""
    from zerowait.experiment.reproduce import find_targets, settings_of
    from zerowait.experiment.reproduce.work import Work

    check_files(None, report=report)
    chosen = find_targets(targets)
    settings = settings_of(
        full, policy or (), largest=largest, servers=servers, load=load, law=law,
        sdsc_log=sdsc_log, kit_log=kit_log, columns=tuple(parse_columns(columns).items()),
        arrivals=arrivals, replications=replications, seed=seed,
    )  # fmt: skip
    folder = out or Path("reproduction") / settings.scale
    work = Work(tuple(chosen), settings, folder, keep_stale)
    if dry_run:
        _show_work(work, threads, as_json)
        return
    try:
        done = _finish_all(work, threads, dask, as_json)
    except KeyboardInterrupt:
        raise InterruptedRun(
            f"interrupted; finished points are in {folder}, the same command goes on"
        ) from None
    if report is not None:
        from zerowait.report.html import reproduction_page

        print_page(reproduction_page(done, command()), report)
    if as_json:
        print_json({"command": command(), "out": str(folder), "targets": list(map(_plain, done))})
    if _note_failures(done):
        sys.exit(1)


def _finish_all(
    work: "Work", threads: int | None, dask: str | None, as_json: bool
) -> "list[Finished]":
    """One target after the other, so that the first figure need not wait for the last point.

    Tables first: what is wrong with a log is told before anything long runs.
    """
    from zerowait.experiment.sweeps.executors import opened_executor
    from zerowait.report.reproduction import show_target, write_target
    from zerowait.report.terminal.console import terminal

    work.folder.mkdir(parents=True, exist_ok=True)
    done = []
    with opened_executor(threads, dask) as executor, _told_progress(work, threads) as teller:
        for target in sorted(work.targets, key=work.simulates):
            teller.resume()
            one = work.finish(target, executor, teller.on_point)
            files = write_target(target, work.settings, one.rows, work.folder, command())
            done.append(one)
            if not as_json:
                show_target(terminal(), one, work.settings, files)
    return done


class _Teller:
    """A bar, or lines now and then; points count by their estimated time, for policies differ."""

    def __init__(self, points: "list[Point]", advance: Callable[[int], None]) -> None:
        from zerowait.experiment.reproduce.costs import seconds

        self.seconds = seconds
        self.n_points, self.total = len(points), sum(map(seconds, points))
        self.n_done, self.done = 0, 0.0
        self.advance = advance
        self.busy = 0.0  # without the drawing of figures
        self.since = self.said = time.monotonic()

    def resume(self) -> None:
        self.since = time.monotonic()

    def on_point(self, point: "Point") -> None:
        now = time.monotonic()
        self.busy, self.since = self.busy + now - self.since, now
        self.n_done, self.done = self.n_done + 1, self.done + self.seconds(point)
        self.advance(round(1000 * self.seconds(point)))
        if not sys.stderr.isatty() and now - self.said >= QUIET_S:
            from zerowait.report.numbers import duration

            self.said = now
            left = duration(self.busy * (self.total - self.done) / self.done)
            note(f"{self.n_done} of {self.n_points} points, about {left} left")


@contextmanager
def _told_progress(work: "Work", threads: int | None) -> Iterator[_Teller]:
    from zerowait.report.numbers import duration

    agenda = work.agenda
    points = agenda.to_run
    if agenda.stale:
        verb = "are kept" if work.keep_stale else "are run again (--keep-stale keeps them)"
        note(f"{len(agenda.stale)} points were made by other code and {verb}")
    if points:
        note(f"{len(points)} points to run, about {duration(_estimate(points, threads))}")
    total = round(1000 * _estimate(points, 1))
    with progress(f"{len(points)} points", total) as advance:
        yield _Teller(points, advance)


def _estimate(points: "list[Point]", threads: int | None) -> float:
    from zerowait.experiment.reproduce.costs import estimated_seconds
    from zerowait.experiment.sweeps.run import n_cores

    return estimated_seconds(points, threads or n_cores())


def _show_work(work: "Work", threads: int | None, as_json: bool) -> None:
    """Points and times of each target, and of all together; shared points count once there."""
    from zerowait.report.numbers import duration
    from zerowait.report.terminal.console import terminal
    from zerowait.report.terminal.sweep import agenda_line, agenda_rows, show_agenda

    agendas = {target: work.agenda_of(target) for target in work.targets}
    if as_json:
        told = [
            {
                "target": target.name,
                "seconds": _estimate(agenda.to_run, threads),
                "points": agenda_rows(agenda),
            }
            for target, agenda in agendas.items()
        ]
        print_json({"command": command(), "targets": told})
        return
    console = terminal()
    for target, agenda in agendas.items():
        console.print(target.title, style="bold", highlight=False)
        if agenda.named:
            show_agenda(console, agenda)
            console.print(f"  about {duration(_estimate(agenda.to_run, threads))}\n")
        else:
            console.print("  nothing to simulate\n")
    whole = work.agenda
    console.print(
        f"In all {agenda_line(whole)}: about {duration(_estimate(whole.to_run, threads))}"
    )


def _plain(one: "Finished") -> dict[str, Any]:
    from zerowait.report.terminal.sweep import plain_rows

    shown = [name for name in one.rows.columns if name not in ("notes", "results_version")]
    return {
        "target": one.target.name,
        "title": one.target.title,
        "rows": plain_rows(one.rows.select(shown)),
    }


def _note_failures(done: "list[Finished]") -> int:
    """How many points failed; each is told."""
    failed = {
        str(one.outcome.agenda.points[key]): error
        for one in done
        if one.outcome is not None
        for key, error in one.outcome.failed.items()
    }
    for point, error in failed.items():
        note(f"failed: {point}: {error}")
    return len(failed)
