"""Results, comparisons, replays, splits and sweeps as figures, each for itself."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from zerowait.experiment.comparisons.comparison import Comparison
from zerowait.experiment.measures import QUANTILES
from zerowait.experiment.results.result import Result
from zerowait.model import Split
from zerowait.report.figures.canvas import SOFT, canvas, plain
from zerowait.report.figures.policy_lines import draw_panel, rows_above
from zerowait.report.figures.scales import duration_axis, load_axis, response_axis, servers_axis
from zerowait.report.measured import (
    compared,
    form_of,
    heading,
    in_seconds,
    replayed,
    row_value,
    table_rows,
)
from zerowait.report.numbers import Value, digits_of_rest, number, percent
from zerowait.report.palette import CLASS_HUES, MARKERS, Look, looks_of, short_name
from zerowait.report.panels import panels_of
from zerowait.report.waits import TICKS, Waits, counted_waits, over_time, quantile_curve

if TYPE_CHECKING:
    import polars
    from matplotlib.figure import Figure

MOST_CLASSES = 10  # told apart in one figure: those with most jobs
ROW = 0.34  # inches
ALL = Look("grey")


def comparison_figure(comparison: Comparison) -> "Figure":
    """Means with their intervals, for all jobs and by class."""
    results, name = comparison.results, comparison.measure
    looks = list(looks_of(one.policy for one in results).values())
    everybody = [[compared(comparison, one, name)] for one in results]
    classes = [one.name for one in results[0].classes][:MOST_CLASSES]
    several = len(classes) > 1
    height = 1.5 + ROW * max(len(results), len(results) * len(classes) * 0.55 * several)
    figure = canvas(1 + several, height)
    axes = np.atleast_1d(figure.subplots(1, 1 + several))
    for i, values in enumerate(everybody):
        _dots(axes[0], len(results) - 1 - i, values, [looks[i]])
    names = [short_name(one.policy) for one in results]
    _rows(axes[0], names[::-1], heading(name), "All jobs")
    if name == "response":
        axes[0].axvline(comparison.mean_service, color=SOFT, linewidth=0.8, linestyle=(0, (1, 2)))
        axes[0].text(comparison.mean_service, -0.55, " nobody waits", fontsize=8, color=SOFT)
    if several:
        for k, job_class in enumerate(classes[::-1]):
            _dots(
                axes[1], k, [compared(comparison, one, name, job_class) for one in results], looks
            )
        _rows(axes[1], classes[::-1], heading(name), "By class")
        axes[1].set_ylim(-0.5, len(classes) - 0.5)
    return figure


def log_comparison_figure(comparison: Comparison) -> "Figure":
    """Means with their intervals over weeks, and how waits are distributed."""
    results, name = comparison.results, comparison.measure
    looks = list(looks_of(one.policy for one in results).values())
    figure = canvas(2, max(3.2, 1.5 + ROW * len(results)))
    left, right = figure.subplots(1, 2)
    for i, one in enumerate(results):
        _dots(left, len(results) - 1 - i, [replayed(one, name)], [looks[i]])
        waits = counted_waits(one)
        if waits is not None:
            _line(right, *quantile_curve(waits.wait), looks[i], short_name(one.policy))
    _rows(left, [short_name(one.policy) for one in results][::-1], heading(name), "All jobs")
    if form_of(name, seconds=True) == "duration":
        duration_axis(left.xaxis)
    _shares_axis(right)
    _waits_axis(right, seconds=True)
    return figure


def _rows(axes: Any, names: Sequence[str], label: str, title: str) -> None:
    axes.set_yticks(range(len(names)), list(map(plain, names)))
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_xlabel(label)
    axes.set_title(title)
    axes.grid(visible=False, axis="y")
    if not axes.lines:
        axes.set_xticks([])  # there is no number, so that the axis would have made some up


def _dots(axes: Any, row: int, values: Sequence[Value], looks: Sequence[Look]) -> None:
    """Values with intervals, side by side about a row; of what diverges only that it does."""
    step = min(0.8 / len(values), 0.25)
    for i, (one, look) in enumerate(zip(values, looks, strict=True)):
        y = row + step * ((len(values) - 1) / 2 - i)
        if not one.known:
            axes.text(0.01, y, "diverging" if one.diverging else "none", color=look.colour,
                      transform=axes.get_yaxis_transform(), fontsize=8, va="center")  # fmt: skip
            continue
        low, high = one.ends
        axes.plot([low, high], [y, y], color=look.colour, linewidth=1.5)
        axes.plot([one.value], [y], look.matplotlib_marker, color=look.colour, markersize=5)


def result_figure(result: Result) -> "Figure":
    """How long jobs wait: mean and quantiles by class, or of a replay its single jobs."""
    waits = counted_waits(result) if in_seconds(result) else None
    if waits is not None:
        return _replay_figure(result, waits)
    rows = table_rows(result)
    looks = _class_looks(result)
    figure = canvas(2, max(3.4, 1.5 + ROW * len(looks)))
    left, right = figure.subplots(1, 2)
    shown = list(looks.items())[::-1]
    for k, (i, look) in enumerate(shown):
        _dots(left, k, [row_value(rows[i], "wait")], [look])
    names = [rows[i]["job_class"] for i, _ in shown]
    _rows(
        left,
        names,
        heading("wait"),
        plain(f"{short_name(result.policy)}, {result.servers} servers"),
    )
    places = [digits_of_rest(part) for part in QUANTILES.values()]
    for i, look in looks.items():
        values = [row_value(rows[i], f"wait_{key}").value for key in QUANTILES]
        _line(right, places, [math.nan if one is None else one for one in values], look,
              rows[i]["job_class"])  # fmt: skip
    right.set_xticks(places, [percent(part) for part in QUANTILES.values()])
    _waits_axis(right, in_seconds(result))
    if result.diverging:
        _say_diverging(right)
    if in_seconds(result):
        duration_axis(left.xaxis)
    return figure


def _class_looks(result: Result) -> dict[int, Look]:
    """The classes with most jobs and, as number -1, all jobs."""
    order = sorted(range(len(result.classes)), key=lambda i: -result.classes[i].count)
    markers = list(MARKERS)
    return {-1: ALL} | {
        i: Look(CLASS_HUES[k % len(CLASS_HUES)], markers[(k + 1) % len(markers)])
        for k, i in enumerate(sorted(order[:MOST_CLASSES]))
    }


def _line(axes: Any, x: Any, y: Any, look: Look, name: str) -> None:
    few = len(x) < 20
    axes.plot(x, y, color=look.colour, marker=look.matplotlib_marker if few else "", markersize=4,
              linewidth=1.8 if look is ALL else 1.2, label=plain(name))  # fmt: skip


def _shares_axis(axes: Any) -> None:
    """Of quantile curves; 0% would stand upon 50%."""
    axes.set_xticks([x for x, _ in TICKS[1:]], [text for _, text in TICKS[1:]])


def _say_diverging(axes: Any) -> None:
    """Why a panel is empty."""
    axes.set_yticks([])
    axes.grid(visible=False)
    axes.get_legend().remove()
    axes.text(0.5, 0.5, "diverging: the queue grew throughout,\n"
              "and waits with the length of the run", color=SOFT, fontsize=9, ha="center",
              va="center", transform=axes.transAxes)  # fmt: skip


def _waits_axis(axes: Any, seconds: bool) -> None:
    """Logarithmic above the smallest wait, and with a place for zero."""
    from matplotlib.ticker import FuncFormatter

    values = np.concatenate([line.get_ydata() for line in axes.lines])
    positive = values[values > 0]
    least = 10.0 ** math.floor(math.log10(positive.min())) if positive.size else 0.0
    if least:
        axes.set_yscale("symlog", linthresh=least)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    if seconds:
        duration_axis(axes.yaxis, least)
    axes.set_title("Waits, from the usual to the unlucky")
    axes.set_xlabel("share of the jobs that wait no longer")
    axes.legend(fontsize=8)


def _replay_figure(result: Result, waits: Waits) -> "Figure":
    """The distribution of waits by class, and the times in which they were long."""
    found = over_time(waits)
    figure = canvas(1 + (found is not None), 3.8)
    axes = np.atleast_1d(figure.subplots(1, 1 + (found is not None)))
    for i, look in _class_looks(result).items():
        name = "all jobs" if i < 0 else result.classes[i].name
        own = waits.wait if i < 0 else waits.wait[waits.job_class == i]
        _line(axes[0], *quantile_curve(own), look, name)
    _shares_axis(axes[0])
    _waits_axis(axes[0], seconds=True)
    if found is not None:
        (look,) = looks_of([result.policy]).values()
        axes[1].fill_between(found.days, found.waits, color=look.colour, alpha=0.15, linewidth=0)
        axes[1].plot(found.days, found.waits, color=look.colour)
        axes[1].set_ylim(bottom=0)
        duration_axis(axes[1].yaxis)
        axes[1].set_title(f"Mean wait of each {found.unit}'s arrivals")
        axes[1].set_xlabel("days since the first arrival")
    figure.suptitle(plain(f"{short_name(result.policy)} on {result.servers} servers"), x=0.01,
                    ha="left")  # fmt: skip
    return figure


def split_figure(split: Split) -> "Figure":
    """The servers as one bar, each class's own and then the helpers."""
    figure = canvas(2, 1.9)
    axes = figure.add_subplot()
    parts = [
        (f"need {need}", own) for need, own in zip(split.needs, split.own_servers, strict=True)
    ]
    left = 0
    for i, (name, servers) in enumerate([*parts, ("helpers", split.helpers)]):
        look = ALL if i == len(parts) else Look(CLASS_HUES[i % len(CLASS_HUES)])
        hatch = "///" if i == len(parts) else None
        axes.barh([0], [servers], left=[left], color=look.colour, edgecolor="white", hatch=hatch,
                  label=f"{name}: {servers:,}")  # fmt: skip
        left += servers
    axes.set_yticks([])
    axes.set_xlim(0, split.servers)
    axes.grid(visible=False)
    axes.spines["left"].set_visible(False)
    axes.set_title(f"{split.servers:,} servers")
    figure.legend(loc="outside lower center", ncols=5, fontsize=8)
    return figure


def sweep_figure(frame: "polars.DataFrame") -> "Figure":
    """Mean response against what varies, a panel for each workload."""
    panels = panels_of(row for row in frame.to_dicts() if row.get("status") != "failed")
    looks = looks_of(policy for panel in panels for policy in panel.policies)
    figure = canvas(min(len(panels), 2), 3.9 * -(-len(panels) // 2))
    for i, panel in enumerate(panels):
        axes = figure.add_subplot(-(-len(panels) // 2), min(len(panels), 2), i + 1)
        if panel.axis == "servers":
            servers_axis(axes, [row["servers"] for row in panel.rows])
        else:
            load_axis(axes)
        response_axis(axes, panel.everybody)
        axes.set_ylabel(heading("response"))
        draw_panel(axes, panel, looks, rows_above(panels))
    return figure
