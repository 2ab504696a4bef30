"""`zerowait trace info`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from zerowait.cli.logs import Classes, LogFile, read
from zerowait.cli.options import Json, output_file, with_options
from zerowait.cli.output import command, print_json, print_page
from zerowait.experiment.options import LogFileOptions


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
    from zerowait.traces import trace_info

    found = read(log, options)
    facts = trace_info(found, servers=servers, classes=classes)
    if html is not None:
        from zerowait.report.html import trace_page

        print_page(trace_page(found, facts, command()), html)
    if as_json:
        print_json(facts.as_dict() | {"command": command()})
        return
    from zerowait.report.terminal.console import terminal
    from zerowait.report.terminal.log import show_info

    show_info(terminal(), facts)
