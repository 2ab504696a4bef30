"""Blocks of a document as HTML: sentences, tables that the reader can sort, charts, bars."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from zerowait.model.display import json_ready
from zerowait.report.charts import Chart, DotView
from zerowait.report.document import Bar, Cell, Facts, Markup, Pictures, PolicyName, Table, Text
from zerowait.report.numbers import Value, escaped, written
from zerowait.report.palette import Look, look_of, short_name

HUGE = 1.7e308
LONG = 40  # letters; such cells may be folded
SORT_HINT = '<span class="hint">Press a head to sort.</span>'
CHART_HINT = "Drag over the chart to zoom, rest on a mark to read it."


def html_block(block: Any, looks: Mapping[str, Look]) -> str:
    """Draw a block of any kind; policies in tables have the hues that `looks` gives them."""
    match block:
        case Table():
            return html_table(block, looks=looks)
        case Chart():
            return html_chart(block)
        case Bar():
            return _html_bar(block)
        case Facts():
            return html_facts(block)
        case Text():
            return f"<p>{bold(block.text)}</p>"
        case Pictures():
            return _html_pictures(block)
        case Markup():
            return block.html.replace("$data", html_data(block.data))
    raise TypeError(block)


def bold(text: str) -> str:
    """Escape a text, and make what stands between **stars** bold."""
    return re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escaped(text))


def html_table(table: Table, title: str = "", looks: Mapping[str, Look] | None = None) -> str:
    """Draw a table; what is not a number is always sorted last.

    Heads are buttons, so that they work with keys; wide tables scroll inside their own frame.
    """
    kinds = [' class="text"' if column.text else "" for column in table.columns]
    top = "".join(
        f'<th scope="col"{kind}><button type="button">{escaped(column.head)}</button></th>'
        for column, kind in zip(table.columns, kinds, strict=True)
    )
    body = "".join(
        f"<tr>{''.join(map(partial(_html_cell, looks or {}), kinds, row))}</tr>\n"
        for row in table.rows
    )
    caption = escaped(title or table.title)
    return (
        f'<p class="caption">{caption}. {SORT_HINT}</p>'
        f'<div class="scroll" role="region" tabindex="0" aria-label="{caption}">'
        f"<table><thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table></div>"
    )


def _html_cell(looks: Mapping[str, Look], kind: str, cell: Cell) -> str:
    # Scripts read "inf" as no number at all.
    value = _sort_value(cell)
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
    """Write a cell as pages and notebooks show it."""
    if isinstance(cell, Value):
        return written(cell)
    if isinstance(cell, PolicyName):
        return short_name(cell.spec)
    return f"{cell:,}" if isinstance(cell, int) else cell


def _sort_value(cell: Cell) -> float | None:
    if isinstance(cell, int):
        return cell
    return cell.value if isinstance(cell, Value) and cell.known else None


def html_facts(facts: Facts) -> str:
    """Draw names and values as a list of definitions."""
    items = "".join(
        f"<div><dt>{escaped(name)}</dt><dd>{escaped(value)}</dd></div>"
        for name, value in facts.rows
    )
    return f'<dl class="{facts.kind}">{items}</dl>'


def html_chart(chart: Chart) -> str:
    """Make the chart's place on the page; without scripts, its title and caption remain."""
    kind = "dots" if isinstance(chart.views[0], DotView) else "lines"
    data: dict[str, Any] = {
        "kind": kind,
        "title": chart.title,
        "series": [{"name": one.name} | asdict(one.look) for one in chart.series],
        "views": [asdict(view) for view in chart.views],
    }
    return (
        f'<figure class="chart"><h3>{escaped(chart.title)}</h3>'
        f'<figcaption>{escaped(chart.caption)} <span class="hint">{CHART_HINT}</span></figcaption>'
        f'<div class="controls"></div><div class="plot"></div>{html_data(data)}</figure>'
    )


def html_data(data: Any, name: str = "") -> str:
    """Put data for scripts on a page, where nothing in it can end the tag."""
    text = json.dumps(json_ready(data), allow_nan=False, separators=(",", ":")).replace(
        "<", "\\u003c"
    )
    place = f' id="{name}"' if name else ""
    return f'<script type="application/json"{place}>{text}</script>'


def _html_bar(bar: Bar) -> str:
    """Draw parts as wide as their servers, with names and numbers below for those too narrow."""
    spoken = ", ".join(f"{one.name} {one.servers}" for one in bar.shares)
    shades = [one.shade + " helpers" * one.is_rest for one in bar.shares]
    parts = "".join(
        f'<span class="{shade}" style="flex-grow:{one.servers}" '
        f'title="{escaped(f"{one.name}: {one.servers} servers, {one.more}")}"></span>'
        for one, shade in zip(bar.shares, shades, strict=True)
        if one.servers
    )
    key = "".join(
        f'<li><i class="mark {shade}"></i>{escaped(one.name)} <b>{one.servers:,}</b> '
        f"<small>{escaped(one.more)}</small></li>"
        for one, shade in zip(bar.shares, shades, strict=True)
    )
    return (
        f'<div class="split"><h3>{escaped(bar.title)}</h3>'
        f'<div class="bar" role="img" aria-label="{escaped(f"servers: {spoken}")}">{parts}</div>'
        f"<ul>{key}</ul></div>"
    )


def _html_pictures(pictures: Pictures) -> str:
    from zerowait.report.figures.canvas import canvas, style, svg

    height, width = 3.0, 4.0  # inches, without a margin
    drawn: Sequence[str] = []
    with style():
        for name, draw in pictures.drawings.items():
            figure = canvas(1, height, width)
            draw(figure.add_subplot())
            drawn = [*drawn, f"<figure>{svg(figure, name)}</figure>"]
    return f'<div class="pictures">{"".join(drawn)}</div>'
