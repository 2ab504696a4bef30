"""`zerowait trace table`."""

from dataclasses import asdict
from typing import Annotated

import typer

from zerowait.cli.arguments import Json
from zerowait.cli.logs import LogFile, Strict, note_cleaning, read
from zerowait.cli.output import command, print_json


def table(
    log: LogFile,
    recipe: Annotated[
        str, typer.Option("--as", help="As the paper's table was published, or described.")
    ] = "published",
    strict: Strict = None,
    as_json: Json = False,
) -> None:
    """The paper's table of a log: means, standard deviations, needs and shares."""
    from zerowait.traces.published import paper_table

    found = read(log, "processors", "submit", strict, "", None)
    rows = paper_table(found, recipe)
    if as_json:
        print_json({"recipe": recipe, "rows": [asdict(row) for row in rows], "command": command()})
        return
    from zerowait.report.terminal.console import terminal
    from zerowait.report.terminal.log import show_paper_table

    note_cleaning(found)
    show_paper_table(terminal(), rows, f"{log.name}, as {recipe}")
