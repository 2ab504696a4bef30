"""Charts as data; `chart.js` draws them, and lets the reader zoom, hide and point."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from zerowait.model.display import json_ready
from zerowait.report.measured import form_of, heading
from zerowait.report.numbers import Form, Value
from zerowait.report.palette import Look, short_name
from zerowait.report.text import escaped

HINT = "Drag over the chart to zoom, rest on a mark to read it."


@dataclass(frozen=True)
class Series:
    """What is told apart by colour, marker and dash."""

    name: str
    look: Look


@dataclass(frozen=True)
class Point:
    """A value with its interval at a place: a row's series, or an x of a line.

    None: there is none, because the run diverged if `diverging`.
    """

    series: int
    value: float | None
    low: float | None = None
    high: float | None = None
    x: float = 0.0
    diverging: bool = False


@dataclass(frozen=True)
class Row:
    """A line of a chart of dots."""

    label: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Dots:
    """Rows of dots with intervals along one axis; `reference` is a line across all rows."""

    label: str  # of the view, where a chart has several
    axis: str
    rows: tuple[Row, ...]
    format: Form = "number"
    log: bool = False
    reference: tuple[float, str] | None = None


@dataclass(frozen=True)
class Lines:
    """Lines with bands; `ticks` are places and names on the x axis, where numbers will not do."""

    label: str
    x_axis: str
    y_axis: str
    points: tuple[Point, ...]
    format: Form = "number"
    log: bool = False
    x_log: bool = False
    x_format: Form = "number"
    ticks: tuple[tuple[float, str], ...] = ()
    reference: tuple[float, str] | None = None


@dataclass(frozen=True)
class Chart:
    """Views of one subject, of which the reader sees one at a time."""

    title: str
    caption: str
    series: tuple[Series, ...]
    views: tuple[Dots, ...] | tuple[Lines, ...]


def policy_series(looks: Mapping[str, Look]) -> tuple[Series, ...]:
    return tuple(Series(short_name(policy), look) for policy, look in looks.items())


def point(series: int, one: Value, x: float = 0.0) -> Point:
    """A value in its place."""
    if not one.known:
        return Point(series, None, x=x, diverging=one.diverging)
    low, high = one.interval or (None, None)
    return Point(series, one.value, low, high, x)


def dots_of(
    name: str, rows: Iterable[tuple[str, Iterable[Point]]], seconds: bool = False, **look: Any
) -> Dots:
    """A measure, the same in its rows."""
    found = tuple(Row(label, tuple(points)) for label, points in rows)
    return Dots(heading(name), heading(name), found, form_of(name, seconds), **look)


def figure(chart: Chart) -> str:
    """The chart's place on the page; without scripts, its title and caption remain."""
    kind = "dots" if isinstance(chart.views[0], Dots) else "lines"
    data: dict[str, Any] = {
        "kind": kind,
        "title": chart.title,
        "series": [{"name": one.name} | asdict(one.look) for one in chart.series],
        "views": [asdict(view) for view in chart.views],
    }
    text = json.dumps(json_ready(data), allow_nan=False, separators=(",", ":")).replace(
        "<", "\\u003c"
    )
    return (
        f'<figure class="chart"><h3>{escaped(chart.title)}</h3>'
        f'<figcaption>{escaped(chart.caption)} <span class="hint">{HINT}</span></figcaption>'
        '<div class="controls"></div><div class="plot"></div>'
        f'<script type="application/json">{text}</script></figure>'
    )
