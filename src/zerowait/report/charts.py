"""Charts as data: pages draw them with a script, figures with Matplotlib."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from zerowait.report.measured import form_of, heading
from zerowait.report.numbers import Form, Value
from zerowait.report.palette import Look, short_name


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
class DotView:
    """Rows of dots with intervals along one axis; `reference` is a line across all rows."""

    label: str  # of the view, where a chart has several
    axis: str
    rows: tuple[Row, ...]
    format: Form = "number"
    log: bool = False
    reference: tuple[float, str] | None = None


@dataclass(frozen=True)
class LineView:
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
    views: tuple[DotView, ...] | tuple[LineView, ...]


def policy_series(looks: Mapping[str, Look]) -> tuple[Series, ...]:
    """Return a series for each policy."""
    return tuple(Series(short_name(policy), look) for policy, look in looks.items())


def point(series: int, one: Value, x: float = 0.0) -> Point:
    """Return a value in its place."""
    if not one.known:
        return Point(series, None, x=x, diverging=one.diverging)
    low, high = one.interval or (None, None)
    return Point(series, one.value, low, high, x)


def dots_of(
    name: str, rows: Iterable[tuple[str, Iterable[Point]]], seconds: bool = False, **look: Any
) -> DotView:
    """Make a chart of a measure, the same in all rows."""
    found = tuple(Row(label, tuple(points)) for label, points in rows)
    return DotView(heading(name), heading(name), found, form_of(name, seconds), **look)
