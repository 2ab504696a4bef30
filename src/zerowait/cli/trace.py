"""`zerowait trace`: commands about logs."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerowait.cli.arguments import Json, output_file, output_folder, part_of, with_options
from zerowait.cli.logs import Classes, LogFile, note_cleaning, read, read_noting
from zerowait.cli.output import command, note, print_json, print_page, progress, writing
from zerowait.experiment.options import FitOptions, LogFileOptions
from zerowait.report import show

if TYPE_CHECKING:
    from zerowait.experiment.comparisons.fit_check import FitCheck
    from zerowait.traces.fitting.workload_fit import WorkloadFit
    from zerowait.traces.log import Log

trace = typer.Typer(
    help="Job logs: understand them, make workloads of them, download them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@trace.command("info")
@with_options(html=LogFileOptions)
def describe_log(
    log: LogFile,
    servers: Annotated[
        int | None, typer.Option("--servers", "-k", help="Servers [default: as the log says].")
    ] = None,
    classes: Classes = "auto",
    html: Annotated[
        Path | None,
        output_file(help="Write a page with plots to this .html file.", suffixes=(".html",)),
    ] = None,
    as_json: Json = False,
    **options: Any,
) -> None:
    """Show what a log holds: jobs, load, needs, variability, estimates, rhythm, users."""
    from zerowait.report.documents.log import LogDocument
    from zerowait.traces.description import trace_info

    found = read(log, options)
    facts = trace_info(found, servers=servers, classes=classes)
    if html is not None:
        print_page(LogDocument(found, facts, command=command()), html)
    if as_json:
        print_json(facts.as_dict() | {"command": command()})
        return
    show(LogDocument(found, facts))


@trace.command("fit")
@with_options(servers=FitOptions, check=LogFileOptions)
def fit_log(
    log: LogFile,
    out: Annotated[
        Path | None,
        output_file(
            "--out", "-o", help="Write the workload to this .toml file.", suffixes=(".toml",)
        ),
    ] = None,
    servers: Annotated[
        int | None,
        typer.Option("--servers", "-k", help="Servers of the check [default: as the log says]."),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(help="Replay the log and simulate the fit, and compare (seconds)."),
    ] = True,
    as_json: Json = False,
    **options: Any,
) -> None:
    """Make a workload of a log: classes of needs, and the law that fits each best.

    It ends with the log against the fit: mean wait and bounded slowdown of three policies, replayed
    and simulated, and whether the fit may stand for the log.
    """
    from zerowait.experiment.files.workload_file import workload_toml
    from zerowait.report.files import write_text
    from zerowait.traces.fitting.workload_fit import fit_workload

    found = read_noting(log, options)
    jobs = found.jobs
    own = part_of(options, FitOptions)
    if own["laws"] is not None:
        own["laws"] = tuple(filter(None, map(str.strip, own["laws"].split(",")))) or None
    with progress("fitting", 1) as tick:
        fitted = fit_workload(found, **own)
        tick(1)
    if out is not None:
        source = f"{found.path}: {len(jobs)} jobs, times in seconds\nmade by: {command()}"
        with writing(out):
            write_text(workload_toml(fitted.workload, source), out)
    checked = _checked(fitted, found, servers) if check else None
    if as_json:
        known = {"jobs": len(jobs), "check": checked and checked.as_dict(), "command": command()}
        print_json(fitted.as_dict() | known)
        return
    from zerowait.report.documents.log import FitDocument

    show(FitDocument(fitted, checked))


def _checked(fitted: "WorkloadFit", log: "Log", servers: int | None) -> "FitCheck | None":
    """Check the fit; return None, with a note, where the log cannot be replayed as it is."""
    from zerowait.experiment.comparisons.fit_check import check_fit, n_runs
    from zerowait.model import InputError

    try:
        with progress("checking the fit", n_runs() * len(log.jobs)) as tick:
            return check_fit(fitted, log, servers, progress=tick)
    except InputError as error:
        note(f"the fit is not checked: {error}; or --max-need, --servers")
        return None


@trace.command("table")
@with_options(recipe=LogFileOptions)
def tabulate_log(
    log: LogFile,
    recipe: Annotated[
        str, typer.Option("--as", help="As the paper's table was published, or described.")
    ] = "published",
    as_json: Json = False,
    **options: Any,
) -> None:
    """Print the paper's table of a log: means, standard deviations, needs and shares."""
    from zerowait.traces.published import paper_table

    found = read(log, options)
    rows = paper_table(found, recipe)
    if as_json:
        print_json({"recipe": recipe, "rows": [asdict(row) for row in rows], "command": command()})
        return
    from zerowait.report.documents.log import PaperTableDocument

    note_cleaning(found)
    show(PaperTableDocument(rows, name=f"{log.name}, as {recipe}"))


@trace.command("download")
def fetch_log(
    name: Annotated[
        str | None, typer.Argument(help="Name of the log, as in SDSC-SP2; none: list them.")
    ] = None,
    folder: Annotated[
        Path | None, output_folder("Where logs are kept [default: the user's cache].")
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            "--from", help="Mirror of the archive [default: itself, or $ZEROWAIT_ARCHIVE]"
        ),
    ] = None,
    unverified: Annotated[
        bool, typer.Option("--unverified", help="Take a log whose checksum is not pinned.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Fetch a log of the Parallel Workloads Archive by name, and check it."""
    from zerowait.traces.archive import ARCHIVE, LOGS, find_log

    if name is None:
        rows = [
            {"name": log.name, "file": log.file, "servers": log.servers, "pinned": log.is_pinned}
            for log in LOGS
        ]
        if as_json:
            print_json(rows)
            return
        from zerowait.report.documents.log import ArchiveDocument

        show(ArchiveDocument(LOGS))
        return
    from zerowait.traces.archive import download_log, text_sha256

    wanted = find_log(name)
    mirror = base_url or os.environ.get("ZEROWAIT_ARCHIVE") or ARCHIVE
    with progress(f"fetching {wanted.file}", None) as tick:
        path = download_log(wanted, folder, base_url=mirror, unverified=unverified, progress=tick)
    digest = text_sha256(path)
    if not wanted.is_pinned:
        note(f"{wanted.file}: not checked; SHA-256 of its text is {digest}")
    if as_json:
        print_json(
            {"name": wanted.name, "path": str(path), "text_sha256": digest,
             "checked": wanted.is_pinned, "command": command()}
        )  # fmt: skip
        return
    print(path)
