"""`zerowait trace info`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from zerowait.cli.logs import Classes, LogFile, read
from zerowait.cli.options import Json, output_file, with_options
from zerowait.cli.output import command, print_json, print_page
from zerowait.experiment.options import LogFileOptions
from zerowait.report import show


@with_options(html=LogFileOptions)
def info(
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
    """What a log holds: jobs, load, needs, variability, estimates, rhythm, users."""
    from zerowait.report.documents.log import LogDocument
    from zerowait.traces import trace_info

    found = read(log, options)
    facts = trace_info(found, servers=servers, classes=classes)
    if html is not None:
        print_page(LogDocument(found, facts, command=command()), html)
    if as_json:
        print_json(facts.as_dict() | {"command": command()})
        return
    show(LogDocument(found, facts))
