"""Tables on a terminal: as many columns as there is room for, and no number is ever cut."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from zerowait.report.numbers import Value, written
from zerowait.report.palette import short_name
from zerowait.report.tables.table import Cell, Column, PolicyName, Table
from zerowait.report.text import readable

GAP, NARROW_GAP = 3, 2  # between columns
LONG_HEAD = 8  # letters; on a terminal a longer one is broken, if it has more than one word
LEAST_TEXT = 12
BEST = " *"


def show_table(
    console: Console,
    table: Table,
    wide: bool = True,
    units: bool | None = None,
    width: int | None = None,
) -> None:
    """On a terminal the few columns that matter most, or with `wide` all; elsewhere always all.

    Columns for which there is no room go on below, with the names again. Times have `units`, or
    stand in bare seconds, by default where this is no terminal. Texts are folded to the `width`.
    """
    narrow = console.is_terminal
    shown = table.fewer if narrow and not wide else table
    texts = _texts(shown, narrow if units is None else units)
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
                drawn.add_column(Text(heads[i]), overflow="fold", min_width=least[i])
            else:
                drawn.add_column(Text(heads[i]), justify="right", no_wrap=True, min_width=least[i])
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
    """A console as wide as this for a while: rich fits whatever it prints to the width."""
    given = console.width
    console.width = max(given, width)
    try:
        yield
    finally:
        console.width = given


def _least(columns: Sequence[Column], widths: Sequence[int], room: int) -> list[int]:
    """Numbers need all their width; names may take a third of the room before they are folded."""
    names = _leading(columns)
    return [
        min(width, max(LEAST_TEXT, room // 3) if i in names else LEAST_TEXT)
        if column.text
        else width
        for i, (column, width) in enumerate(zip(columns, widths, strict=True))
    ]


def _leading(columns: Sequence[Column]) -> list[int]:
    """The columns of names before the first number, if there is any."""
    found = list(takewhile(lambda i: columns[i].text, range(len(columns))))
    return found if len(found) < len(columns) else []


def _blocks(columns: Sequence[Column], needed: Sequence[int], room: int) -> Iterator[list[int]]:
    """Columns side by side as far as there is room, each time after the names that lead them."""
    names = _leading(columns)
    block = list(names)
    for i in range(len(names), len(columns)):
        if len(block) > len(names) and sum(needed[j] for j in (*block, i)) > room:
            yield block
            block = list(names)
        block.append(i)
    yield block


def _texts(table: Table, units: bool) -> list[list[str]]:
    """Of every cell; what has no mark leaves room for one, where others in its column have it."""
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


def _styled(text: str, cell: Cell) -> Text:
    return Text(text, "bold" if isinstance(cell, PolicyName) and cell.best else "")


def _folded(head: str) -> str:
    """In two lines, about equally long, where that saves room."""
    head = readable(head)
    spaces = [i for i, letter in enumerate(head) if letter == " "]
    if len(head) <= LONG_HEAD or not spaces:
        return head
    at = min(spaces, key=lambda i: abs(2 * i - len(head) + 1))
    return head[:at] + "\n" + head[at + 1 :]
