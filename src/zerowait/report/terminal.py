"""Documents on a terminal: as many columns as there is room for, and no number is ever cut."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text as RichText

from zerowait.report.document import Bar, Cell, Document, PolicyName, Table, Text
from zerowait.report.numbers import Value, readable, written
from zerowait.report.palette import short_name

GAP, NARROW_GAP = 3, 2  # between columns
LONG_HEAD = 8  # letters; on a terminal a longer one is broken, if it has more than one word
LEAST_TEXT = 12
BEST = " *"
NO_TERMINAL = 160  # columns of text where nobody says how wide it is
BAR_WIDTH = 60
COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")
STYLES = {"note": "yellow", "warning": "bold red"}


class Terminal(Console):
    """Whatever is printed is text: no markup in it, and no control characters but our own."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> RichText:
        return super().render_str(readable(text, lines=True), **options)


def terminal() -> Terminal:
    """Return standard output; its lines are of a fixed width where it is not a terminal."""
    console = Terminal()
    return console if console.is_terminal else Terminal(width=NO_TERMINAL)


def show_document(console: Console, document: Document, wide: bool = False) -> None:
    """Print what is brief of a document, with all columns of its tables if `wide`."""
    if document.width is not None:
        console.width = min(console.width, document.width)
    for block in document.brief():
        if isinstance(block, Table):
            show_table(console, block, wide, width=document.width)
        elif isinstance(block, Bar):
            _show_bar(console, block)
        else:
            _show_text(console, block)


def _show_text(console: Console, one: Text) -> None:
    text = RichText(readable(one.text, lines=True), STYLES.get(one.style, one.style))
    shown = Padding(text, (0, 0, 0, one.indent)) if one.indent else text
    console.print(shown, highlight=False, soft_wrap=not one.wrap)


def _show_bar(console: Console, bar: Bar) -> None:
    whole = sum(share.servers for share in bar.shares)
    line = RichText()
    for i, share in enumerate(bar.shares):
        colour = "white" if share.is_rest else COLOURS[i % len(COLOURS)]
        line.append("█" * round(BAR_WIDTH * share.servers / whole), colour)
    console.print(line)


@dataclass(frozen=True)
class DrawnColumn:
    """A column as it is drawn: its head, its cells, and the least width it needs."""

    head: str
    is_text: bool
    cells: list[RichText]
    least: int


def show_table(console: Console, table: Table, wide: bool = True, width: int | None = None) -> None:
    """Print a table: on a terminal the columns that matter most unless `wide`, elsewhere all.

    Columns for which there is no room go on below, with the names again. Times stand in bare
    seconds where this is no terminal and the table wants no units. Texts are folded to the `width`.
    """
    narrow = console.is_terminal
    shown = table.fewer if narrow and not wide else table
    room = min(console.width, width or console.width)
    gap = NARROW_GAP if narrow else GAP
    columns = _drawn_columns(shown, narrow, room)
    if not narrow:
        room = max(room, sum([one.least + gap for one in columns]) + 1)
    if table.title:
        console.print(table.title, style="italic", highlight=False)
    for block in _blocks(columns, _n_names(shown), gap, room - 1):
        padding = (0, 1, 0, gap - NARROW_GAP)
        drawn = RichTable(
            box=box.SIMPLE_HEAD, pad_edge=False, padding=padding, show_header=shown.has_heads
        )
        for one in block:
            look: dict[str, Any] = {"justify": "right", "no_wrap": True}
            if one.is_text:
                look = {"overflow": "fold"}
            drawn.add_column(RichText(one.head), min_width=one.least, **look)
        for row in zip(*[one.cells for one in block], strict=True):
            drawn.add_row(*row)
        if table.total and len(drawn.rows) > 1:
            drawn.rows[-2].end_section = True
        _print_whole(console, drawn, room)
    hidden = [one.head for one in table.columns if one not in shown.columns]
    if hidden:
        console.print(f"--wide also shows: {', '.join(hidden)}", style="dim", highlight=False)


def _print_whole(console: Console, drawn: RichTable, width: int) -> None:
    """Print a table that may be wider than the console: rich fits what it prints to the width."""
    given = console.width
    console.width = max(given, width)
    try:
        console.print(drawn, width=width, crop=False)
    finally:
        console.width = given


def _drawn_columns(table: Table, narrow: bool, room: int) -> list[DrawnColumn]:
    """Write a table column by column; names need a third of the room at most, numbers all."""
    found, n_names = [], _n_names(table)
    for i, column in enumerate(table.columns):
        head = _folded(column.head) if narrow else readable(column.head)
        cells = _written_cells([row[i] for row in table.rows], narrow or table.units)
        least = max(map(cell_len, (*head.split("\n"), *map(str, cells))))
        if column.text:
            least = min(least, max(LEAST_TEXT, room // 3) if i < n_names else LEAST_TEXT)
        found.append(DrawnColumn(head, column.text, cells, least))
    return found


def _n_names(table: Table) -> int:
    """Count the columns of names before the first number; none where there is no number."""
    for i, column in enumerate(table.columns):
        if not column.text:
            return i
    return 0


def _blocks(
    columns: Sequence[DrawnColumn], n_names: int, gap: int, room: int
) -> Iterator[list[DrawnColumn]]:
    """Put columns side by side as far as there is room, each time after the leading names."""
    names = list(columns[:n_names])
    for_names = sum([one.least + gap for one in names])
    block, taken = [*names], for_names
    for one in columns[n_names:]:
        if len(block) > n_names and taken + one.least + gap > room:
            yield block
            block, taken = [*names], for_names
        block.append(one)
        taken += one.least + gap
    yield block


def _written_cells(cells: Sequence[Cell], units: bool) -> list[RichText]:
    """Write the cells of a column; leave room for a mark where others have one."""
    found, marked = [], False
    for cell in cells:
        best, style = _is_best(cell), ""
        if isinstance(cell, Value):
            text = written(cell, units=units, percents=False)
            marked = marked or best
        elif isinstance(cell, PolicyName):
            text, style = short_name(cell.spec), "bold" if best else ""
        else:
            text = str(cell)
        found.append(RichText(readable(text) + (BEST if best else ""), style))
    if marked:
        for cell, drawn in zip(cells, found, strict=True):
            drawn.append("" if _is_best(cell) else " " * len(BEST))
    return found


def _is_best(cell: Cell) -> bool:
    return isinstance(cell, (Value, PolicyName)) and cell.best


def _folded(head: str) -> str:
    """Break a head into two lines, about equally long, where that saves room."""
    head = readable(head)
    spaces = [i for i, letter in enumerate(head) if letter == " "]
    if len(head) <= LONG_HEAD or not spaces:
        return head
    at = min(spaces, key=lambda i: abs(2 * i - len(head) + 1))
    return head[:at] + "\n" + head[at + 1 :]
