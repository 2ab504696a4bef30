"""Charts and bars drawn with Matplotlib, a panel each, from the descriptions that pages draw."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import ceil, isfinite, nan
from typing import TYPE_CHECKING, Any

from zerowait.report.charts import Chart, DotView, LineView, Point, Series
from zerowait.report.document import Bar, Document, Pictures
from zerowait.report.figures.canvas import SOFT, canvas, plain
from zerowait.report.figures.labels import SIZE, Label, write_labels
from zerowait.report.figures.scales import duration_axis, place_axis, value_axis
from zerowait.report.palette import HUES, RAMP

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW = 0.34  # inches, of a row of dots
LINES, DRAWING, BAR = 3.9, 3.2, 1.9  # inches, heights of panels
LEAST = 3.4  # of dots beside lines
ABOVE = 10.0  # points, of each series that diverges, above the axes
LINE = {"linewidth": 1.5, "markersize": 4.0}
FEW = 40  # points, of which each is marked
DIVERGING = "diverging: the queue grew throughout,\nand waits with the length of the run"
Panel = Chart | Bar | Callable[[Any], None]


def draw_document(document: Document) -> "Figure":
    """Draw the pictures of a document side by side, two in a row."""
    panels: list[Panel] = []
    for one in document.pictures():
        panels += one.drawings.values() if isinstance(one, Pictures) else [one]
    columns = min(len(panels), 2)
    heights = [max(map(_height, panels[i : i + columns])) for i in range(0, len(panels), columns)]
    figure = canvas(2 if isinstance(panels[0], Bar) else columns, sum(heights))
    grid = figure.add_gridspec(len(heights), columns, height_ratios=heights)
    charts = [one for one in panels if isinstance(one, Chart)]
    for i, panel in enumerate(panels):
        axes = figure.add_subplot(grid[divmod(i, columns)])
        if isinstance(panel, Bar):
            _draw_bar(axes, panel)
        elif isinstance(panel, Chart):
            draw_chart(axes, panel, above=rows_above(charts))
        else:
            panel(axes)
    return figure


def _height(panel: Panel) -> float:
    if isinstance(panel, Bar):
        return BAR
    if not isinstance(panel, Chart):
        return DRAWING
    view = panel.views[0]
    if isinstance(view, LineView):
        return LINES if len({one.series for one in view.points}) > 1 else LEAST
    n_points = sum(len(row.points) for row in view.rows)
    several = n_points > len(view.rows)
    return 1.5 + ROW * max(len(view.rows), 0.55 * n_points * several)


def draw_chart(
    axes: Any, chart: Chart, prepare: Callable[[Any], None] | None = None, above: int = 0
) -> None:
    """Draw the first view of a chart.

    `prepare` sets other scales and limits than those of the view; `above` is how many rows of
    diverging series there is room for, so that the titles of a figure are at one height.
    """
    view = chart.views[0] if chart.views else LineView("", "", "", ())
    if isinstance(view, DotView):
        _draw_dots(axes, chart.series, view)
        axes.set_title(plain(chart.title), pad=title_pad(above))
    else:
        view = replace(view, points=tuple(one for one in view.points if _is_finite(one)))
        _draw_lines(axes, chart.series, view, prepare)
        axes.set_title(plain(chart.title), pad=title_pad(above))
        _write_names(axes, chart.series, view)


def title_pad(above: int) -> float:
    """Return the room below a title for rows of diverging series."""
    return 8 + ABOVE * above


def rows_above(charts: Iterable[Chart]) -> int:
    """Return how many rows of diverging series need room."""
    return max((len(_diverging(view)) for one in charts for view in _lines_of(one)), default=0)


def _lines_of(chart: Chart) -> list[LineView]:
    """Return the first view where it is one of lines, and has any."""
    view = chart.views[0]
    return [view] if isinstance(view, LineView) and _known(view.points) else []


def _is_finite(one: Point) -> bool:
    return isfinite(one.x) and (one.value is None or isfinite(one.value))


def _known(points: Iterable[Point]) -> list[float]:
    return [one.value for one in points if one.value is not None]


def _diverging(view: LineView) -> list[int]:
    """Return the series that diverge somewhere."""
    return sorted({one.series for one in view.points if one.diverging})


def _draw_dots(axes: Any, series: Sequence[Series], view: DotView) -> None:
    for place, row in enumerate(view.rows[::-1]):
        step = min(0.8 / max(len(row.points), 1), 0.25)
        for i, one in enumerate(row.points):
            _draw_dot(axes, series[one.series], one, place + step * ((len(row.points) - 1) / 2 - i))
    axes.set_yticks(range(len(view.rows)), [plain(row.label) for row in view.rows[::-1]])
    axes.set_ylim(-0.6, len(view.rows) - 0.4)
    axes.set_xlabel(plain(view.axis))
    axes.grid(visible=False, axis="y")
    if not axes.lines:
        axes.set_xticks([])  # there is no number, so that the axis would have made some up
        return
    if view.reference is not None:
        at, text = view.reference
        axes.axvline(at, color=SOFT, linewidth=0.8, linestyle=(0, (1, 2)))
        axes.text(at, -0.55, f" {plain(text)}", fontsize=SIZE, color=SOFT)
    if view.format == "duration":
        duration_axis(axes.xaxis)


def _draw_dot(axes: Any, series: Series, one: Point, y: float) -> None:
    """Draw a value with its interval; of what diverges only that it does."""
    look = series.look
    if one.value is None:
        axes.text(0.01, y, "diverging" if one.diverging else "none", color=look.colour,
                  transform=axes.get_yaxis_transform(), fontsize=SIZE, va="center")  # fmt: skip
        return
    low, high = (one.value if end is None else end for end in (one.low, one.high))
    axes.plot([low, high], [y, y], color=look.colour, linewidth=1.5)
    axes.plot([one.value], [y], look.matplotlib_marker, color=look.colour, markersize=5)


def _draw_lines(
    axes: Any, series: Sequence[Series], view: LineView, prepare: Callable[[Any], None] | None
) -> None:
    axes.set_xlabel(plain(view.x_axis))
    axes.set_ylabel(plain(view.y_axis))
    if not _known(view.points):
        _say_nothing(axes, view)
        return
    if prepare is None:
        place_axis(axes, view)
        value_axis(axes, view)
    else:
        prepare(axes)
    for i, one in enumerate(series):
        points = sorted((p for p in view.points if p.series == i), key=lambda p: p.x)
        if points:
            _draw_line(axes, one, points)
    if view.reference is not None:
        _draw_reference(axes, *view.reference)
    for row, i in enumerate(_diverging(view)):
        _mark_diverging(axes, series[i], view, i, 7.0 + ABOVE * row)


def _say_nothing(axes: Any, view: LineView) -> None:
    """Say why a panel is empty."""
    axes.set_xticks([])
    axes.set_yticks([])
    axes.grid(visible=False)
    text = DIVERGING if _diverging(view) else "there is nothing to draw"
    axes.text(0.5, 0.5, text, color=SOFT, fontsize=9, ha="center", va="center",
              transform=axes.transAxes)  # fmt: skip


def _draw_line(axes: Any, series: Series, points: Sequence[Point]) -> None:
    # Where it diverges the line is broken: nothing is known of what lies between.
    look, least = series.look, axes.get_ylim()[0]
    x, y = [one.x for one in points], [nan if one.value is None else one.value for one in points]
    low = [nan if one.low is None else max(one.low, least) for one in points]
    high = [nan if one.high is None else one.high for one in points]
    axes.fill_between(x, low, high, color=look.colour, alpha=0.18, linewidth=0)
    axes.plot(
        x, y, color=look.colour, linestyle=look.dash,
        marker=look.matplotlib_marker if len(points) <= FEW else "", markeredgewidth=0, **LINE,
    )  # fmt: skip


def _draw_reference(axes: Any, at: float, text: str) -> None:
    axes.axhline(at, color=SOFT, linewidth=0.8, linestyle=(0, (1, 2)), zorder=1)
    axes.annotate(
        text, (0.01, at), xycoords=axes.get_yaxis_transform(), xytext=(0, -2.5),
        textcoords="offset points", fontsize=SIZE - 1, color=SOFT, va="top",
    )  # fmt: skip


def _mark_diverging(axes: Any, series: Series, view: LineView, number: int, above: float) -> None:
    """Draw a row of open markers above the axes, where a series diverges."""
    from matplotlib.transforms import ScaledTranslation

    look = series.look
    places = sorted(one.x for one in view.points if one.series == number and one.diverging)
    shift = ScaledTranslation(0, above / 72, axes.figure.dpi_scale_trans)
    axes.plot(
        places, [1.0] * len(places), transform=axes.get_xaxis_transform() + shift, clip_on=False,
        color=look.colour, marker=look.matplotlib_marker, markerfacecolor="white", linewidth=0.6,
        linestyle=look.dash, markersize=4.0, markeredgewidth=1.0,
    )  # fmt: skip
    axes.annotate(
        f"{plain(series.name)} diverges", (1.0, 1.0), xycoords="axes fraction",
        xytext=(6.0, above), textcoords="offset points", fontsize=SIZE, color=look.colour,
        va="center", annotation_clip=False,
    )  # fmt: skip


def _write_names(axes: Any, series: Sequence[Series], view: LineView) -> None:
    """Write names beside the ends of lines; one that diverges at its end is named above."""
    labels = []
    for i, one in enumerate(series):
        points = [point for point in view.points if point.series == i]
        last = max(points, key=lambda point: point.x, default=None)
        if last is not None and last.value is not None:
            labels.append(Label(plain(one.name), one.look.colour, last.x, last.value))
    if len(series) > 1 or _diverging(view):
        write_labels(axes, labels)


def _draw_bar(axes: Any, bar: Bar) -> None:
    left = 0
    for one in bar.shares:
        name = one.shade.removeprefix("shade")
        colour = RAMP[int(name)] if name != one.shade else HUES[one.shade][0]
        axes.barh([0], [one.servers], left=[left], color=colour, edgecolor="white",
                  hatch="///" if one.is_rest else None,
                  label=f"{plain(one.name)}: {one.servers:,}")  # fmt: skip
        left += one.servers
    axes.set_yticks([])
    axes.set_xlim(0, left)
    axes.grid(visible=False)
    axes.spines["left"].set_visible(False)
    axes.set_title(plain(bar.title))
    axes.figure.legend(loc="outside lower center", ncols=ceil(len(bar.shares) / 2 + 2),
                       fontsize=SIZE)  # fmt: skip
