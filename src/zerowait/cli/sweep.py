"""`zerowait sweep` and `zerowait results`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import zerowait as zw
from zerowait.cli import arguments, output
from zerowait.cli.interrupts import keeping
from zerowait.cli.progress import PointProgress, note_stale
from zerowait.experiment.options import ResumeOptions
from zerowait.report import show

if TYPE_CHECKING:
    from zerowait.experiment.sweeps.run import Agenda, SweepOutcome


@arguments.with_options(dask=ResumeOptions)
def sweep_command(
    file: Annotated[
        Path,
        typer.Argument(
            help="TOML file; 'schema sweep' prints its schema. The code of its policy_files is "
            "run, but not in a dry run.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder of the results.")] = Path("results"),
    threads: arguments.Threads = None,
    dask: arguments.Dask = None,
    dry_run: arguments.DryRun = False,
    report: arguments.Report = None,
    as_json: arguments.Json = False,
    **options: Any,
) -> None:
    """Run every point of a file that is not yet in the folder of results."""
    from zerowait.experiment.sweeps.run import make_agenda

    keep_stale = options["keep_stale"]
    with keeping(f"finished points are in {out}, the same command runs the rest"):
        agenda = make_agenda(file, out, keep_stale, runs_code=not dry_run)
        if dry_run:
            _show_agenda(agenda, as_json)
            return
        note_stale(agenda, keep_stale)
        outcome = _run(agenda, threads, dask)
    if report is not None:
        output.print_page(outcome, report, file.name)
    _show_outcome(outcome, as_json)
    if outcome.failed:
        sys.exit(1)


def _run(agenda: "Agenda", threads: int | None, dask: str | None) -> "SweepOutcome":
    from zerowait.experiment.sweeps.executors import opened_executor

    agenda.store.open()  # before a cluster is started
    with (
        opened_executor(threads, dask) as executor,
        output.progress(f"{len(agenda.to_run)} points", agenda.n_jobs) as tick,
    ):
        told = PointProgress(agenda.to_run)
        return zw.sweep(agenda, executor=executor, progress=tick, on_point=told.on_point)


def _show_agenda(agenda: "Agenda", as_json: bool) -> None:
    if as_json:
        left_out = {"left_out": agenda.left_out} if agenda.left_out else {}
        output.print_json(
            {"command": output.command(), "points": output.agenda_json(agenda)} | left_out
        )
    else:
        show(agenda)
    if agenda.damaged:
        output.note(f"damaged, to run again: {', '.join(map(str, agenda.damaged))}")
    if agenda.left_out:
        output.note(
            f"not counted: points of {', '.join(agenda.left_out)}, which only the code of "
            "policy_files knows; a dry run does not run it"
        )


def _show_outcome(outcome: "SweepOutcome", as_json: bool) -> None:
    agenda = outcome.agenda
    if as_json:
        failed = [{"point": key, "error": error} for key, error in outcome.failed.items()]
        output.print_json(
            {
                "command": output.command(),
                "out": str(agenda.store.folder),
                "points": len(agenda.points),
                "finished_before": len(agenda.kept),
                "run_now": outcome.finished,
                "run_by_others": outcome.by_others,
                "stale": len(agenda.stale),
                "failed": failed,
            }
        )
        return
    show(outcome)
    for key, error in outcome.failed.items():
        output.note(f"failed: {agenda.points[key]}: {error}")


def results_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder that sweeps wrote to.")],
    where: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=VALUE", help="Only these rows; also <, <=, >, >=, !=."),
    ] = None,
    columns: Annotated[
        str | None, typer.Option(metavar="NAME,NAME,...", help="Only these columns.")
    ] = None,
    classes: Annotated[bool, typer.Option(help="Also one row per class.")] = False,
    csv: Annotated[
        Path | None,
        arguments.output_file(help="Write the rows to this .csv file.", suffixes=(".csv",)),
    ] = None,
    wide: arguments.Wide = False,
    as_json: arguments.Json = False,
) -> None:
    """Show, choose and export what sweeps have found."""
    from zerowait.experiment.sweeps.store import check_columns, chosen_rows, load

    frame = load(folder)
    names = [name.strip() for name in columns.split(",")] if columns else []
    check_columns(frame, names)
    conditions = where or []
    if not classes and not any(one.strip().startswith("job_class") for one in conditions):
        conditions = [*conditions, "job_class=all"]
    frame = chosen_rows(frame, conditions)
    if csv is not None:
        output.write_rows(frame.select(names) if names else frame, csv)
    if as_json:
        output.print_json(output.table_json(frame.select(names) if names else frame))
    elif csv is None:
        from zerowait.report.documents.sweep import RowsDocument

        show(RowsDocument(frame, names), wide)
