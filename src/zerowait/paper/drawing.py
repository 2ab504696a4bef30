"""What the paper's figures have in common: their axes, and which policies share a panel."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from zerowait.paper.settings import PAPER
from zerowait.report.charts import Chart
from zerowait.report.documents.sweep import panel_charts
from zerowait.report.figures.canvas import canvas
from zerowait.report.figures.drawing import draw_chart, rows_above
from zerowait.report.figures.scales import decades
from zerowait.report.palette import Look, looks_of
from zerowait.report.panels import Panel, Row

if TYPE_CHECKING:
    import polars

HEIGHT, GRID_HEIGHT = 4.2, 3.9  # inches
HEAVY_TICKS = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
REFERENCE = "balanced-splitting:fcfs"  # on both sides, so that they can be compared
SIDES = {"Policies of the paper": "", "Policies it left out": "-more"}  # what ends a file's name
Scale = Callable[[Any], None]


def draw_by_servers(frame: "polars.DataFrame") -> dict[str, Any]:
    """Draw mean responses against the number of servers."""
    sizes = frame["servers"].to_list()
    return {"": _side_by_side(frame, "servers", lambda axes: servers_axis(axes, sizes))}


def draw_by_load(frame: "polars.DataFrame") -> dict[str, Any]:
    """Draw mean responses against a load that approaches one."""
    loads = frame["load"].to_list()
    return {"": _side_by_side(frame, "load", lambda axes: _heavy_load_axis(axes, loads))}


def draw_by_workload(frame: "polars.DataFrame") -> dict[str, Any]:
    """Draw mean responses against the load; the policies left out get a figure of their own."""
    found: dict[str, list[tuple[str, Panel]]] = {}
    for (title,), part in frame.group_by(["panel"], maintain_order=True):
        for panel in _sides(part.to_dicts(), "load"):
            named = replace(panel, title=str(title))
            found.setdefault(panel.title, []).append((str(part["workload"][0]), named))
    first = next(iter(found))
    rows = frame.to_dicts()
    return {
        "" if side == first else SIDES[side]: _grid(panels, rows) for side, panels in found.items()
    }


def draw_panel(panel: Panel, scale: Scale, height: float = HEIGHT, width: float = 4.4) -> Any:
    """Draw the mean response of every policy in a figure of one panel."""
    figure = canvas(1, height, panel_width=width)
    _draw([(figure.add_subplot(), panel)], looks_of(panel.policies), [panel.rows], scale)
    return figure


def draw_responses(axes: Any, panel: Panel, scale: Scale) -> int:
    """Draw the mean response of every policy; return how many rows stand above the axes."""
    looks = looks_of(panel.policies)
    _draw([(axes, panel)], looks, [panel.rows], scale)
    axes.set_ylabel("")
    return rows_above([_chart(panel, looks)])


def _side_by_side(frame: "polars.DataFrame", axis: str, scale: Scale) -> Any:
    rows = frame.to_dicts()
    panels = _sides(rows, axis)
    figure = canvas(len(panels), HEIGHT)
    places = [(figure.add_subplot(1, len(panels), i + 1), one) for i, one in enumerate(panels)]
    _draw(places, looks_of(row["policy"] for row in rows), [rows] * len(panels), scale)
    for axes, _ in places[1:]:
        axes.set_ylabel("")
    return figure


def _grid(panels: list[tuple[str, Panel]], rows: list[Row]) -> Any:
    """Draw a row of panels per workload, which share their limits."""
    workloads = list(dict.fromkeys(workload for workload, _ in panels))
    columns = max(sum(one == workload for one, _ in panels) for workload in workloads)
    figure = canvas(columns, GRID_HEIGHT * len(workloads))
    places = [
        (figure.add_subplot(len(workloads), columns, i + 1), panel)
        for i, (_, panel) in enumerate(panels)
    ]
    limits = [[row for row in rows if row["workload"] == workload] for workload, _ in panels]
    _draw(places, looks_of(row["policy"] for row in rows), limits, _load_axis)
    for i, (axes, _) in enumerate(places):
        axes.set_ylabel("" if i % columns else "mean response (s)")
    return figure


def _draw(
    places: Sequence[tuple[Any, Panel]],
    looks: Mapping[str, Look],
    limits: Sequence[Sequence[Row]],
    scale: Scale,
) -> None:
    """Draw panels into axes; the rows of `limits` say how far the axis of responses goes."""
    charts = [_chart(panel, looks) for _, panel in places]
    above = rows_above(charts)
    for (axes, _), chart, rows in zip(places, charts, limits, strict=True):

        def prepare(axes: Any, rows: Sequence[Row] = rows) -> None:
            scale(axes)
            known = [row.get(name) for row in rows for name in ("response", "ideal")]
            decades(axes, [value for value in known if value is not None] or [1.0])

        draw_chart(axes, chart, prepare, above)


def _chart(panel: Panel, looks: Mapping[str, Look]) -> Chart:
    found = panel_charts(panel, looks, [("response", "all")])
    return replace(found[0], title=panel.title) if found else Chart(panel.title, "", (), ())


def _sides(rows: Sequence[Row], axis: str) -> list[Panel]:
    """Part the paper's policies from those it left out; a side without policies is left out."""
    policies = dict.fromkeys(row["policy"] for row in rows)
    paper = tuple(one for one in policies if one in PAPER)
    more = tuple(one for one in policies if one not in PAPER)
    if more and REFERENCE in paper:
        more = (*more, REFERENCE)
    return [
        Panel(name, axis, tuple(row for row in rows if row["policy"] in chosen))
        for name, chosen in zip(SIDES, (paper, more), strict=True)
        if chosen
    ]


def servers_axis(axes: Any, sizes: Sequence[int]) -> None:
    """Make an axis logarithmic; every third power of two is named, where needs are powers, too."""
    ordered = sorted(set(sizes))
    axes.set_xscale("log", base=2)
    axes.set_xlim(ordered[0] / 1.3, ordered[-1] * 1.3)
    step = 8 if ordered[-1] <= 2**18 else 64
    ticks = [size for size in (ordered[0] * step**n for n in range(12)) if size <= ordered[-1]]
    axes.set_xticks(ticks, [_short(size) for size in ticks], minor=False)
    axes.minorticks_off()
    axes.set_xlabel("servers k")


def _short(size: int) -> str:
    """Write large powers of two as such: 1073741824 is read by nobody."""
    power = size.bit_length() - 1
    return f"$2^{{{power}}}$" if size == 2**power and size > 1_000_000 else f"{size}"


def _heavy_load_axis(axes: Any, loads: Sequence[float]) -> None:
    """Make an axis logarithmic in 1 - load, so that 0.9, 0.99 and 0.999 are equally far apart."""
    ordered = sorted(set(loads))
    axes.set_xscale("function", functions=(_distance, _load_at))
    axes.set_xlim(_load_at(_distance(ordered[0]) - 0.15), _load_at(_distance(ordered[-1]) + 0.15))
    ticks = [load for load in HEAVY_TICKS if ordered[0] <= load <= ordered[-1]] or ordered
    axes.set_xticks(ticks, [f"{load:g}" for load in ticks])
    axes.set_xlabel("load")


def _distance(load: Any) -> Any:
    return -np.log(np.maximum(1 - np.asarray(load, dtype=np.float64), 1e-12))


def _load_at(distance: Any) -> Any:
    return 1 - np.exp(-np.asarray(distance, dtype=np.float64))


def _load_axis(axes: Any) -> None:
    axes.set_xlim(0, 1)
    axes.set_xticks(np.arange(0, 1.01, 0.2), ["0", "0.2", "0.4", "0.6", "0.8", "1"])
    axes.set_xlabel("load")
