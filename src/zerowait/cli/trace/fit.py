"""`zerowait trace fit`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from zerowait.cli.arguments import Json, output_file
from zerowait.cli.logs import Classes, LogFile, note_cleaning, read
from zerowait.cli.options import with_options
from zerowait.cli.output import command, print_json, progress, written
from zerowait.experiment.options import LogFileOptions


@with_options(arrivals=LogFileOptions)
def fit(
    log: LogFile,
    out: Annotated[
        Path | None,
        output_file(
            "--out", "-o", help="Write the workload to this .toml file.", suffixes=(".toml",)
        ),
    ] = None,
    classes: Classes = "auto",
    laws: Annotated[
        str,
        typer.Option(
            help="Laws to choose among, as in 'lognormal,gamma', or 'empirical' to resample "
            "[default: all but empirical].",
            show_default=False,
        ),
    ] = "",
    by: Annotated[str, typer.Option(help="Fit by moments, likelihood or both.")] = "both",
    criterion: Annotated[str, typer.Option(help="Choose by aic or ks.")] = "aic",
    arrivals: Annotated[str, typer.Option(help="Arrivals: poisson or resampled.")] = "poisson",
    as_json: Json = False,
    **options: Any,
) -> None:
    """Make a workload of a log: classes of needs, and the law that fits each best."""

    from zerowait.experiment.files.workload_writer import workload_toml
    from zerowait.report.files import write_text
    from zerowait.traces import fit_workload

    found = read(log, options)
    note_cleaning(found)
    jobs = found.jobs
    chosen = tuple(law.strip() for law in laws.split(",") if law.strip()) or None
    with progress("fitting", 1) as tick:
        fitted = fit_workload(
            jobs, classes=classes, laws=chosen, by=by, criterion=criterion, arrivals=arrivals
        )
        tick(1)
    if out is not None:
        source = f"{found.path}: {len(jobs)} jobs, times in seconds\nmade by: {command()}"
        with written(out):
            write_text(workload_toml(fitted.workload, source), out)
    if as_json:
        print_json(fitted.as_dict() | {"jobs": len(jobs), "command": command()})
        return
    from zerowait.report.terminal.console import terminal
    from zerowait.report.terminal.log import show_fit

    show_fit(terminal(), fitted)
