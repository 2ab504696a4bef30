"""`zerowait reproduce`."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerowait.cli import output
from zerowait.cli.arguments import Dask, DryRun, Json, Report, Threads, part_of, with_options
from zerowait.cli.interrupts import keeping
from zerowait.cli.progress import PointProgress, note_stale
from zerowait.experiment.options import ReproductionOptions, ResumeOptions
from zerowait.paper import TARGET_NAMES
from zerowait.report import show

if TYPE_CHECKING:
    from zerowait.experiment.sweeps.points import SweepPoint
    from zerowait.paper.work import Finished, Work


@with_options(out=ReproductionOptions, dask=ResumeOptions)
def reproduce_command(
    targets: Annotated[
        list[str],
        typer.Argument(
            metavar="TARGET...",
            help=f"all, {', '.join(TARGET_NAMES)}.",
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
    columns: Annotated[
        str, typer.Option(help="Columns of a log that is a table, as in 'need=cores'.")
    ] = "",
    policy: Annotated[
        list[str] | None,
        typer.Option("--policy", "-p", help="These policies alone; may be given several times."),
    ] = None,
    threads: Threads = None,
    dask: Dask = None,
    dry_run: DryRun = False,
    report: Report = None,
    as_json: Json = False,
    **options: Any,
) -> None:
    """Make the paper's figures and tables again, and check its theorems by simulation."""
    from zerowait.paper.settings import Settings, chosen_policies
    from zerowait.paper.work import Work, find_targets
    from zerowait.report.files import check_folder
    from zerowait.traces.reading import parse_columns

    chosen = find_targets(targets)
    settings = Settings(
        full=full, policies=chosen_policies(policy or ()),
        columns=tuple(parse_columns(columns).items()), **part_of(options, ReproductionOptions),
    )  # fmt: skip
    folder = out or Path("reproduction") / settings.scale
    work = Work(tuple(chosen), settings, folder, options["keep_stale"])
    if dry_run:
        _show_work(work, threads, as_json)
        return
    check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with keeping(f"finished points are in {folder}, the same command goes on"):
        done = _finish_all(work, threads, dask, as_json)
    if report is not None:
        from zerowait.paper.work import reproduction_document

        output.print_page(reproduction_document(done, output.command()), report)
    if as_json:
        output.print_json(
            {"command": output.command(), "out": str(folder), "targets": list(map(_plain, done))}
        )
    if _note_failures(done):
        sys.exit(1)


def _finish_all(
    work: "Work", threads: int | None, dask: str | None, as_json: bool
) -> "list[Finished]":
    """Finish one target after the other, so that the first figure does not wait for the last point.

    Tables come first: what is wrong with a log is told before anything long runs.
    """
    from zerowait.experiment.sweeps.executors import opened_executor
    from zerowait.paper.work import TargetDocument, write_target

    done = []
    with opened_executor(threads, dask) as executor, _told_progress(work, threads) as points:
        for target in sorted(work.targets, key=work.simulates):
            points.resume()
            one = work.finish(target, executor, points.on_point)
            files = write_target(target, work.settings, one.rows, work.folder, output.command())
            done.append(one)
            if not as_json:
                show(TargetDocument(one, work.settings, files))
    return done


@contextmanager
def _told_progress(work: "Work", threads: int | None) -> Iterator[PointProgress]:
    from zerowait.report.numbers import duration

    agenda = work.agenda
    points = agenda.to_run
    note_stale(agenda, work.keep_stale)
    if points:
        output.note(f"{len(points)} points to run, about {duration(_seconds(points, threads))}")
    with output.progress(f"{len(points)} points", round(1000 * _seconds(points, 1))) as advance:
        yield PointProgress(points, advance)


def _seconds(points: "list[SweepPoint]", threads: int | None) -> float:
    """Estimate the seconds that points take on so many cores, all idle but for this."""
    from zerowait.experiment.simulation.simulate import n_threads

    return sum(point.seconds for point in points) / n_threads(threads)


def _show_work(work: "Work", threads: int | None, as_json: bool) -> None:
    """Print points and times of each target and of all together, where shared points count once."""
    from zerowait.report.documents.sweep import AgendaDocument, agenda_line
    from zerowait.report.numbers import duration
    from zerowait.report.terminal import show_document, terminal

    agendas = {target: work.agenda_of(target) for target in work.targets}
    if as_json:
        told = [
            {
                "target": target.name,
                "seconds": _seconds(agenda.to_run, threads),
                "points": output.agenda_json(agenda),
            }
            for target, agenda in agendas.items()
        ]
        output.print_json({"command": output.command(), "targets": told})
        return
    console = terminal()
    for target, agenda in agendas.items():
        console.print(target.title, style="bold", highlight=False)
        if agenda.named:
            show_document(console, AgendaDocument(agenda))
            console.print(f"  about {duration(_seconds(agenda.to_run, threads))}\n")
        else:
            console.print("  nothing to simulate\n")
    whole = work.agenda
    console.print(f"In all {agenda_line(whole)}: about {duration(_seconds(whole.to_run, threads))}")


def _plain(one: "Finished") -> dict[str, Any]:
    shown = [name for name in one.rows.columns if name not in ("notes", "results_version")]
    return {
        "target": one.target.name,
        "title": one.target.title,
        "rows": output.table_json(one.rows.select(shown)),
    }


def _note_failures(done: "list[Finished]") -> int:
    """Tell of each point that failed, and return how many did."""
    failed = {
        str(one.outcome.agenda.points[key]): error
        for one in done
        if one.outcome is not None
        for key, error in one.outcome.failed.items()
    }
    for point, error in failed.items():
        output.note(f"failed: {point}: {error}")
    return len(failed)
