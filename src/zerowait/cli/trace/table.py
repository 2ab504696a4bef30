"""`zerowait trace table`."""

from dataclasses import asdict
from typing import Annotated, Any

import typer

from zerowait.cli.logs import LogFile, note_cleaning, read
from zerowait.cli.options import Json, with_options
from zerowait.cli.output import command, print_json
from zerowait.experiment.options import LogFileOptions
from zerowait.report import show


@with_options(recipe=LogFileOptions)
def table(
    log: LogFile,
    recipe: Annotated[
        str, typer.Option("--as", help="As the paper's table was published, or described.")
    ] = "published",
    as_json: Json = False,
    **options: Any,
) -> None:
    """The paper's table of a log: means, standard deviations, needs and shares."""
    from zerowait.traces.published import paper_table

    found = read(log, options)
    rows = paper_table(found, recipe)
    if as_json:
        print_json({"recipe": recipe, "rows": [asdict(row) for row in rows], "command": command()})
        return
    from zerowait.report.documents.log import PaperTableDocument

    note_cleaning(found)
    show(PaperTableDocument(rows, name=f"{log.name}, as {recipe}"))
