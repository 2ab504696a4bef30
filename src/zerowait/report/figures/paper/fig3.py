"""Figure 3: workloads of two logs on two clusters; the policies left out get a figure of theirs."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from zerowait.report.figures.canvas import canvas
from zerowait.report.figures.policy_lines import draw_panel, rows_above
from zerowait.report.figures.scales import load_axis, response_axis
from zerowait.report.figures.sides import SIDES, sides
from zerowait.report.palette import looks_of
from zerowait.report.panels import Panel

if TYPE_CHECKING:
    import polars

SUFFIXES = dict(zip(SIDES, ("", "-more"), strict=True))


def draw(frame: "polars.DataFrame") -> dict[str, Any]:
    by_side: dict[str, list[tuple[str, str, Panel]]] = {}
    for (title,), part in frame.group_by(["panel"], maintain_order=True):
        workload = str(part["workload"][0])
        for panel in sides(part.to_dicts(), "load"):
            by_side.setdefault(panel.title, []).append((workload, str(title), panel))
    rows = frame.to_dicts()
    first = next(iter(by_side))
    return {
        "" if side == first else SUFFIXES[side]: _grid(panels, rows)
        for side, panels in by_side.items()
    }


def _grid(panels: list[tuple[str, str, Panel]], rows: list[dict[str, Any]]) -> Any:
    """A row per workload, whose panels share their limits."""
    workloads = list(dict.fromkeys(workload for workload, _, _ in panels))
    columns = max(sum(one == workload for one, _, _ in panels) for workload in workloads)
    figure = canvas(columns, 3.9 * len(workloads))
    looks = looks_of(row["policy"] for row in rows)
    above = rows_above(panel for _, _, panel in panels)
    for number, (workload, title, panel) in enumerate(panels):
        axes = figure.add_subplot(len(workloads), columns, number + 1)
        load_axis(axes)
        response_axis(axes, [row for row in rows if row["workload"] == workload])
        draw_panel(axes, replace(panel, title=title), looks, above)
        if number % columns == 0:
            axes.set_ylabel("mean response (s)")
    return figure
