"""`zerowait sweep`."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerowait.cli.arguments import Dask, DryRun, Json, KeepStale, Report, Threads, check_files
from zerowait.cli.output import InterruptedRun, command, note, print_json, print_page, progress

if TYPE_CHECKING:
    from zerowait.experiment.sweeps.run import Agenda, SweepOutcome

QUIET_S = 10.0  # between two lines about progress, where no bar can be shown


def sweep(
    file: Annotated[Path, typer.Argument(help="TOML file; 'schema sweep' prints its schema.")],
    out: Annotated[Path, typer.Option(help="Folder of the results.")] = Path("results"),
    threads: Threads = None,
    dask: Dask = None,
    keep_stale: KeepStale = False,
    dry_run: DryRun = False,
    report: Report = None,
    as_json: Json = False,
) -> None:
    """Run every point of a file that is not yet in the folder of results."""
    from zerowait.experiment.sweeps.run import make_agenda

    check_files(None, report=report)
    agenda = make_agenda(file, out, keep_stale)
    if dry_run:
        _show_agenda(agenda, as_json)
        return
    if agenda.stale:
        verb = "are kept" if keep_stale else "are run again (--keep-stale keeps them)"
        note(f"{len(agenda.stale)} points were made by other code and {verb}")
    try:
        outcome = _run(agenda, threads, dask)
    except KeyboardInterrupt:
        raise InterruptedRun(
            f"interrupted; finished points are in {out}, the same command runs the rest"
        ) from None
    if report is not None:
        from zerowait.report.html import sweep_page

        print_page(sweep_page(outcome.table(), command(), file.name), report)
    _show_outcome(outcome, as_json)
    if outcome.failed:
        sys.exit(1)


def _run(agenda: "Agenda", threads: int | None, dask: str | None) -> "SweepOutcome":
    from zerowait.experiment.sweeps.executors import opened_executor
    from zerowait.experiment.sweeps.run import run_agenda

    with (
        opened_executor(threads, dask) as executor,
        progress(f"{len(agenda.to_run)} points", agenda.n_jobs) as tick,
    ):
        return run_agenda(
            agenda, executor=executor, progress=tick, on_point=_lines_of_progress(agenda)
        )


def _lines_of_progress(agenda: "Agenda") -> Callable[[Any], None]:
    """For logs: how far it is and how long it will take, now and then."""
    began = said = time.monotonic()
    done = n_points = 0

    def on_point(point: Any) -> None:
        nonlocal done, n_points, said
        done += point.n_jobs
        n_points += 1
        now = time.monotonic()
        if sys.stderr.isatty() or now - said < QUIET_S or not done:
            return
        from zerowait.report.numbers import duration

        said = now
        left = duration((now - began) * (agenda.n_jobs - done) / done)
        note(f"{n_points} of {len(agenda.to_run)} points, about {left} left")

    return on_point


def _show_agenda(agenda: "Agenda", as_json: bool) -> None:
    from zerowait.report.terminal.console import terminal
    from zerowait.report.terminal.sweep import agenda_rows, show_agenda

    if as_json:
        print_json({"command": command(), "points": agenda_rows(agenda)})
    else:
        show_agenda(terminal(), agenda)


def _show_outcome(outcome: "SweepOutcome", as_json: bool) -> None:
    from zerowait.report.terminal.sweep import outcome_line

    agenda = outcome.agenda
    if as_json:
        failed = [{"point": key, "error": error} for key, error in outcome.failed.items()]
        print_json(
            {
                "command": command(),
                "out": str(agenda.store.folder),
                "points": len(agenda.points),
                "finished_before": len(agenda.kept),
                "run_now": outcome.finished,
                "stale": len(agenda.stale),
                "failed": failed,
            }
        )
        return
    print(outcome_line(outcome))
    for key, error in outcome.failed.items():
        note(f"failed: {agenda.points[key]}: {error}")
