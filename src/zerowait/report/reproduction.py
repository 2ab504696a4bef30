"""What a target leaves in its folder: tables, figures and a caption."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zerowait.experiment.reproduce import Settings, Target
from zerowait.experiment.reproduce.work import Finished
from zerowait.report.figures.canvas import save, style
from zerowait.report.figures.caption import caption, cell
from zerowait.report.figures.paper import drawing_of
from zerowait.report.files import write_table, write_text
from zerowait.report.tables.table import Column, Table
from zerowait.report.terminal.table import show_table

if TYPE_CHECKING:
    import polars
    from rich.console import Console


def write_target(
    target: Target, settings: Settings, frame: "polars.DataFrame", folder: Path, command: str
) -> list[Path]:
    """Each file whole or not at all; those written."""
    files = [folder / f"{target.name}{suffix}" for suffix in (".csv", ".parquet")]
    for file in files:
        write_table(frame, file)
    pictures = write_figures(target, frame, folder)
    shown = [path.name for path in pictures if path.suffix == ".png"]
    text = folder / f"{target.name}.md"
    write_text(caption(target, settings, frame, shown, command), text)
    return [*files, *pictures, text]


def show_target(
    console: "Console", done: Finished, settings: Settings, files: Sequence[Path]
) -> None:
    """Where the files are; a table is short enough to be shown."""
    names = " ".join(file.name for file in files)
    if done.outcome is None:
        shown = [name for name in done.rows.columns if name != "source"]
        numeric = [done.rows.schema[name].is_numeric() for name in shown]
        heads = [
            Column(name.replace("_", " "), text=not is_number)
            for name, is_number in zip(shown, numeric, strict=True)
        ]
        rows = [list(map(cell, row)) for row in done.rows.select(shown).iter_rows()]
        show_table(console, Table(done.target.title, heads, rows))
        console.print(done.target.says(settings), style="dim", highlight=False)
    console.print(
        f"{done.target.title}: {files[0].parent}/ {names}", highlight=False, soft_wrap=True
    )


def write_figures(target: Target, frame: "polars.DataFrame", folder: Path) -> list[Path]:
    """None for tables."""
    draw = drawing_of(target.name)
    if draw is None or not len(frame):
        return []
    with style():
        return [
            path
            for suffix, figure in draw(frame).items()
            for path in save(figure, folder / f"{target.name}{suffix}")
        ]
