"""Tables that the reader can sort; what is not a number is always last."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from zerowait.report.figures.palette import look_of, short_name
from zerowait.report.terminal.results import number

HUGE = 1.7e308
HINT = '<span class="hint">Press a head to sort.</span>'


@dataclass(frozen=True)
class Cell:
    """What is shown, what it sorts by, and the hue of a mark before it."""

    text: str
    value: float | None = None
    hue: str = ""


def numeric(value: float | None, text: str | None = None) -> Cell:
    if value is None or value != value:
        return Cell("–" if text is None else text)
    if text is None:
        text = "∞" if value == math.inf else number(value)
    return Cell(text, float(value))


def percent(value: float | None) -> Cell:
    if value is None or value != value:
        return Cell("–")
    return Cell(f"{100 * value:.3g}%", value)


def plus_minus(value: float | None, half_width: float | None) -> Cell:
    if value is None or half_width is None or half_width != half_width:
        return numeric(value)
    return Cell(f"{number(value)} ± {number(half_width, 2)}", value)


def policy_cell(policy: str) -> Cell:
    return Cell(short_name(policy), hue=look_of(policy).hue)


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Heads are buttons, so that they work with keys; wide tables scroll inside their own frame."""
    words = [all(row[i].value is None for row in rows) for i in range(len(head))]
    top = "".join(
        f'<th scope="col"{_kind(word)}><button type="button">{escape(name)}</button></th>'
        for name, word in zip(head, words, strict=True)
    )
    body = "".join(f"<tr>{''.join(map(_cell, row, words))}</tr>\n" for row in rows)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(caption)}">'
        f"<table><caption>{escape(caption)} {HINT}</caption>"
        f"<thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table></div>"
    )


def _kind(word: bool) -> str:
    return ' class="text"' if word else ""


def _cell(cell: Cell, word: bool) -> str:
    mark = f'<i class="mark {cell.hue}"></i>' if cell.hue else ""
    # Scripts read "inf" as no number at all.
    value = "" if cell.value is None else f' data-value="{min(cell.value, HUGE)!r}"'
    return f"<td{_kind(word)}{value}>{mark}{escape(cell.text)}</td>"


def facts(rows: Sequence[tuple[str, str]]) -> str:
    """Names and values side by side."""
    items = "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in rows)
    return f'<dl class="facts">{items}</dl>'
