"""Documents on a terminal: as many columns as there is room for, and no number is ever cut."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text as RichText

from zerowait.report.document import Bar, Cell, Column, Document, PolicyName, Table, Text
from zerowait.report.numbers import Value, written
from zerowait.report.palette import short_name
from zerowait.report.text import readable

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


def show_table(
    console: Console,
    table: Table,
    wide: bool = True,
    width: int | None = None,
) -> None:
    """Print a table: on a terminal the columns that matter most unless `wide`, elsewhere all.

    Columns for which there is no room go on below, with the names again. Times stand in bare
    seconds where this is no terminal and the table wants no units. Texts are folded to the `width`.
    """
    narrow = console.is_terminal
    shown = table.fewer if narrow and not wide else table
    texts = _texts(shown, narrow or table.units)
    heads = [_folded(one.head) if narrow else readable(one.head) for one in shown.columns]
    widths = [
        max(cell_len(line) for line in (*head.split("\n"), *(row[i] for row in texts)))
        for i, head in enumerate(heads)
    ]
    gap = NARROW_GAP if narrow else GAP
    given = min(console.width, width or console.width)
    least = _least(shown.columns, widths, given)
    room = given if narrow else max(given, sum(least) + gap * len(least) + 1)
    if table.title:
        console.print(table.title, style="italic", highlight=False)
    for block in _blocks(shown.columns, [one + gap for one in least], room - 1):
        padding = (0, 1, 0, gap - NARROW_GAP)
        drawn = RichTable(
            box=box.SIMPLE_HEAD, pad_edge=False, padding=padding, show_header=any(heads)
        )
        for i in block:
            if shown.columns[i].text:
                drawn.add_column(RichText(heads[i]), overflow="fold", min_width=least[i])
            else:
                drawn.add_column(
                    RichText(heads[i]), justify="right", no_wrap=True, min_width=least[i]
                )
        for number, row in enumerate(texts):
            if table.total and number == len(texts) - 1:
                drawn.add_section()
            drawn.add_row(*(_styled(row[i], shown.rows[number][i]) for i in block))
        with _at_least(console, room):
            console.print(drawn, width=room, crop=False)
    hidden = [one.head for one in table.columns if one not in shown.columns]
    if hidden:
        console.print(f"--wide also shows: {', '.join(hidden)}", style="dim", highlight=False)


@contextmanager
def _at_least(console: Console, width: int) -> Iterator[None]:
    """Make a console as wide as this for a while: rich fits what it prints to the width."""
    given = console.width
    console.width = max(given, width)
    try:
        yield
    finally:
        console.width = given


def _least(columns: Sequence[Column], widths: Sequence[int], room: int) -> list[int]:
    """Return the least widths: all for numbers, a third of the room at most for names."""
    names = _leading(columns)
    return [
        min(width, max(LEAST_TEXT, room // 3) if i in names else LEAST_TEXT)
        if column.text
        else width
        for i, (column, width) in enumerate(zip(columns, widths, strict=True))
    ]


def _leading(columns: Sequence[Column]) -> list[int]:
    """Return the columns of names before the first number, if there is any."""
    found = list(takewhile(lambda i: columns[i].text, range(len(columns))))
    return found if len(found) < len(columns) else []


def _blocks(columns: Sequence[Column], needed: Sequence[int], room: int) -> Iterator[list[int]]:
    """Put columns side by side as far as there is room, each time after the leading names."""
    names = _leading(columns)
    block = list(names)
    for i in range(len(names), len(columns)):
        if len(block) > len(names) and sum(needed[j] for j in (*block, i)) > room:
            yield block
            block = list(names)
        block.append(i)
    yield block


def _texts(table: Table, units: bool) -> list[list[str]]:
    """Write every cell; leave room for a mark where others in the column have one."""
    marked = {
        i for row in table.rows for i, one in enumerate(row) if isinstance(one, Value) and one.best
    }
    return [
        [
            _text(one, units) + ("  " if i in marked and not _is_best(one) else "")
            for i, one in enumerate(row)
        ]
        for row in table.rows
    ]


def _text(cell: Cell, units: bool) -> str:
    if isinstance(cell, Value):
        text = written(cell, units=units, percents=False)
    elif isinstance(cell, PolicyName):
        text = short_name(cell.spec)
    else:
        text = str(cell)
    return readable(text) + (BEST if _is_best(cell) else "")


def _is_best(cell: Cell) -> bool:
    return isinstance(cell, (Value, PolicyName)) and cell.best


def _styled(text: str, cell: Cell) -> RichText:
    return RichText(text, "bold" if isinstance(cell, PolicyName) and cell.best else "")


def _folded(head: str) -> str:
    """Break a head into two lines, about equally long, where that saves room."""
    head = readable(head)
    spaces = [i for i, letter in enumerate(head) if letter == " "]
    if len(head) <= LONG_HEAD or not spaces:
        return head
    at = min(spaces, key=lambda i: abs(2 * i - len(head) + 1))
    return head[:at] + "\n" + head[at + 1 :]
