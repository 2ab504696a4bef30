"""`zerowait results`."""

from pathlib import Path
from typing import Annotated

import typer

from zerowait.cli.options import Json, Wide, output_file
from zerowait.cli.output import print_json, table_json, writing
from zerowait.report import show


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
        Path | None, output_file(help="Write the rows to this .csv file.", suffixes=(".csv",))
    ] = None,
    wide: Wide = False,
    as_json: Json = False,
) -> None:
    """Show, choose and export what sweeps have found."""
    from zerowait.experiment.sweeps.store import check_columns, chosen_rows, load
    from zerowait.report.files import write_table

    frame = load(folder)
    names = [name.strip() for name in columns.split(",")] if columns else []
    check_columns(frame, names)
    conditions = where or []
    if not classes and not any(one.strip().startswith("job_class") for one in conditions):
        conditions = [*conditions, "job_class=all"]
    frame = chosen_rows(frame, conditions)
    if csv is not None:
        with writing(csv):
            write_table(frame.select(names) if names else frame, csv)
    if as_json:
        print_json(table_json(frame.select(names) if names else frame))
    elif csv is None:
        from zerowait.report.documents.sweep import RowsDocument

        show(RowsDocument(frame, names), wide)
