"""`zerowait trace fit`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerowait.cli.logs import LogFile, note_cleaning, read
from zerowait.cli.options import Json, output_file, part_of, with_options
from zerowait.cli.output import command, note, print_json, progress, writing
from zerowait.experiment.options import FitOptions, LogFileOptions
from zerowait.report import show

if TYPE_CHECKING:
    from zerowait.experiment.comparisons.fit_check import FitCheck
    from zerowait.traces import Log, WorkloadFit


@with_options(servers=FitOptions, check=LogFileOptions)
def fit(
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
    from zerowait.traces import fit_workload

    found = read(log, options)
    note_cleaning(found)
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
    """None, with a note, where the log cannot be replayed as it is; the fit itself is good."""
    from zerowait.experiment.comparisons.fit_check import check_fit, n_runs
    from zerowait.model import InputError

    try:
        with progress("checking the fit", n_runs() * len(log.jobs)) as tick:
            return check_fit(fitted, log, servers, progress=tick)
    except InputError as error:
        note(f"the fit is not checked: {error}; or --max-need, --servers")
        return None
