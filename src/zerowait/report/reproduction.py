"""What a target leaves in its folder: tables, figures and a caption."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerowait.experiment.reproduce import Settings, Target
from zerowait.experiment.reproduce.work import Finished
from zerowait.report.figures import drawing_of
from zerowait.report.figures.caption import caption, cell
from zerowait.report.figures.frame import style
from zerowait.report.files import whole_file, write_table, write_text
from zerowait.report.terminal.results import plain_table

if TYPE_CHECKING:
    import polars
    from rich.console import Console

DOTS_PER_INCH = 120


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
        table = plain_table(done.target.title)
        for name in shown:
            numeric = done.rows.schema[name].is_numeric()
            table.add_column(name.replace("_", " "), justify="right" if numeric else "left")
        for row in done.rows.select(shown).iter_rows():
            table.add_row(*map(cell, row))
        console.print(table)
        console.print(done.target.says(settings), style="dim", highlight=False)
    console.print(
        f"{done.target.title}: {files[0].parent}/ {names}", highlight=False, soft_wrap=True
    )


def write_figures(target: Target, frame: "polars.DataFrame", folder: Path) -> list[Path]:
    """As PNG for screens and SVG for print; none for tables."""
    draw = drawing_of(target.name)
    if draw is None or not len(frame):
        return []
    paths = []
    with style():
        for suffix, figure in draw(frame).items():
            for ending, look in LOOKS.items():
                path = folder / f"{target.name}{suffix}{ending}"
                with whole_file(path) as part:
                    figure.savefig(part, **look)
                paths.append(path)
    return paths


# No date in files, so that the same rows give the same bytes.
LOOKS: dict[str, dict[str, Any]] = {
    ".png": {"format": "png", "dpi": DOTS_PER_INCH},
    ".svg": {"format": "svg", "metadata": {"Date": None}},
}
