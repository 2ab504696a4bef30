"""Lines of policies: the same look in every figure, bands for intervals, what diverges above."""

from collections.abc import Iterable, Mapping, Sequence
from math import nan
from typing import Any

from zerowait.report.figures.canvas import SOFT
from zerowait.report.figures.labels import SIZE, Label, write_labels
from zerowait.report.palette import Look, short_name
from zerowait.report.panels import Panel, Row

ROW_HEIGHT = 10.0  # points, of each policy that diverges, above the axes
LINE = {"linewidth": 1.5, "markersize": 4.0}
Looks = Mapping[str, Look]


def rows_above(panels: Iterable[Panel]) -> int:
    """How many rows of diverging policies need room: titles of a figure are at one height."""
    return max((len(panel.diverging) for panel in panels), default=0)


def title_pad(above: int) -> float:
    return 8 + ROW_HEIGHT * above


def draw_panel(axes: Any, panel: Panel, looks: Looks, above: int) -> None:
    """Mean response of every policy; scales and limits of the axes must be set before."""
    for policy in panel.policies:
        _draw_line(axes, panel.of(policy), panel.axis, looks[policy])
    _draw_ideal(axes, panel)
    _draw_diverging(axes, panel, looks)
    axes.set_title(panel.title, pad=title_pad(above))
    write_labels(axes, _labels(panel, looks))


def _draw_line(axes: Any, rows: Sequence[Row], axis: str, look: Look) -> None:
    # Where it diverges the line is broken: nothing is known of what lies between.
    x = [row[axis] for row in rows]
    y = [nan if row["response"] is None else row["response"] for row in rows]
    widths = [row.get("response_half_width") for row in rows]
    half = [nan if width is None else width for width in widths]  # the band ends there
    least = axes.get_ylim()[0]
    low = [max(mean - width, least) for mean, width in zip(y, half, strict=True)]
    high = [mean + width for mean, width in zip(y, half, strict=True)]
    axes.fill_between(x, low, high, color=look.colour, alpha=0.18, linewidth=0)
    axes.plot(
        x, y, color=look.colour, linestyle=look.dash, marker=look.matplotlib_marker,
        markeredgewidth=0, **LINE,
    )  # fmt: skip


def _draw_ideal(axes: Any, panel: Panel) -> None:
    """The mean service time: the response where nobody waits."""
    ideal = panel.rows[0].get("ideal") if panel.rows else None
    if ideal is None:
        return
    axes.axhline(ideal, color=SOFT, linewidth=0.8, linestyle=(0, (1, 2)), zorder=1)
    axes.annotate(
        f"nobody waits: {ideal:.4g}", (0.01, ideal), xycoords=axes.get_yaxis_transform(),
        xytext=(0, -2.5), textcoords="offset points", fontsize=SIZE - 1, color=SOFT, va="top",
    )  # fmt: skip


def _draw_diverging(axes: Any, panel: Panel, looks: Looks) -> None:
    """A row of open markers above the axes for each policy that diverges somewhere."""
    for number, policy in enumerate(panel.diverging):
        look = looks[policy]
        places = [row[panel.axis] for row in panel.of(policy) if row["diverging"]]
        above = 7.0 + ROW_HEIGHT * number
        _open_markers(axes, places, above, look)
        axes.annotate(
            f"{short_name(policy)} diverges", (1.0, 1.0), xycoords="axes fraction",
            xytext=(6.0, above), textcoords="offset points", fontsize=SIZE, color=look.colour,
            va="center", annotation_clip=False,
        )  # fmt: skip


def _open_markers(axes: Any, places: Sequence[float], above: float, look: Look) -> None:
    from matplotlib.transforms import ScaledTranslation

    shift = ScaledTranslation(0, above / 72, axes.figure.dpi_scale_trans)
    axes.plot(
        places, [1.0] * len(places), transform=axes.get_xaxis_transform() + shift, clip_on=False,
        color=look.colour, marker=look.matplotlib_marker, markerfacecolor="white", linewidth=0.6,
        linestyle=look.dash, markersize=4.0, markeredgewidth=1.0,
    )  # fmt: skip


def _labels(panel: Panel, looks: Looks) -> list[Label]:
    """A policy that diverges at the end is named above the axes."""
    found = []
    for policy in panel.policies:
        rows = panel.of(policy)
        if rows and rows[-1]["response"] is not None:
            last = rows[-1]
            found.append(
                Label(
                    short_name(policy),
                    looks[policy].colour,
                    float(last[panel.axis]),
                    float(last["response"]),
                )
            )
    return found
