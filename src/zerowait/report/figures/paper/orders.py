"""Orders of the queue at critical load, against the number of servers."""

from typing import TYPE_CHECKING, Any

from zerowait.report.figures.canvas import canvas
from zerowait.report.figures.policy_lines import draw_panel, rows_above
from zerowait.report.figures.scales import response_axis, servers_axis
from zerowait.report.palette import looks_of
from zerowait.report.panels import Panel

if TYPE_CHECKING:
    import polars

HEIGHT = 4.6


def draw(frame: "polars.DataFrame") -> dict[str, Any]:
    simulated = frame.filter(frame["point"].is_not_null(), job_class="all")
    rows = simulated.unique(["policy", "servers"], maintain_order=True).to_dicts()
    panel = Panel("Critical load", "servers", tuple(rows))
    figure = canvas(1, HEIGHT, panel_width=6.4)  # names of orders are long
    axes = figure.add_subplot()
    servers_axis(axes, [row["servers"] for row in rows])
    response_axis(axes, rows)
    draw_panel(axes, panel, looks_of(panel.policies), rows_above([panel]))
    axes.set_ylabel("mean response")
    return {"": figure}
