"""Tables of a page, which the reader can sort; what is not a number is always last."""

from collections.abc import Mapping, Sequence
from functools import partial

from zerowait.report.numbers import Value, written
from zerowait.report.palette import Look, look_of, short_name
from zerowait.report.tables.table import Cell, PolicyName, Table
from zerowait.report.text import escaped

HUGE = 1.7e308
LONG = 40  # letters; such cells may be folded
HINT = '<span class="hint">Press a head to sort.</span>'


def html_table(table: Table, title: str = "", looks: Mapping[str, Look] | None = None) -> str:
    """Heads are buttons, so that they work with keys; wide tables scroll inside their own frame.

    Policies have the hues that `looks` gives them.
    """
    kinds = [' class="text"' if column.text else "" for column in table.columns]
    top = "".join(
        f'<th scope="col"{kind}><button type="button">{escaped(column.head)}</button></th>'
        for column, kind in zip(table.columns, kinds, strict=True)
    )
    body = "".join(
        f"<tr>{''.join(map(partial(_cell, looks or {}), kinds, row))}</tr>\n" for row in table.rows
    )
    caption = escaped(title or table.title)
    return (
        f'<p class="caption">{caption}. {HINT}</p>'
        f'<div class="scroll" role="region" tabindex="0" aria-label="{caption}">'
        f"<table><thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table></div>"
    )


def _cell(looks: Mapping[str, Look], kind: str, cell: Cell) -> str:
    # Scripts read "inf" as no number at all.
    value = sort_value(cell)
    sorts = "" if value is None else f' data-value="{min(value, HUGE)!r}"'
    mark = ""
    if isinstance(cell, PolicyName):
        look = looks.get(cell.spec) or look_of(cell.spec)
        mark = f'<i class="mark {look.hue}"></i>'
    text = cell_text(cell)
    if len(text) > LONG:
        kind = ' class="text long"'
    return f"<td{kind}{sorts}>{mark}{escaped(text)}</td>"


def cell_text(cell: Cell) -> str:
    if isinstance(cell, Value):
        return written(cell)
    if isinstance(cell, PolicyName):
        return short_name(cell.spec)
    return f"{cell:,}" if isinstance(cell, int) else cell


def sort_value(cell: Cell) -> float | None:
    if isinstance(cell, int):
        return cell
    return cell.value if isinstance(cell, Value) and cell.known else None


def facts(rows: Sequence[tuple[str, str]], kind: str = "facts") -> str:
    """Names and values; `big` is for what matters most, `lines` for values that are long."""
    items = "".join(f"<div><dt>{escaped(k)}</dt><dd>{escaped(v)}</dd></div>" for k, v in rows)
    return f'<dl class="{kind}">{items}</dl>'
