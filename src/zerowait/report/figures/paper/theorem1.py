"""Theorem 1: the helpers' share falls to zero, and the response to the service time."""

from typing import TYPE_CHECKING, Any

from zerowait.report.figures.canvas import canvas
from zerowait.report.figures.helper_shares import draw_shares
from zerowait.report.figures.labels import write_labels
from zerowait.report.figures.policy_lines import draw_panel, rows_above, title_pad
from zerowait.report.figures.scales import response_axis, servers_axis
from zerowait.report.palette import looks_of
from zerowait.report.panels import Panel

if TYPE_CHECKING:
    import polars


def draw(frame: "polars.DataFrame") -> dict[str, Any]:
    figure = canvas(2, 4.0)
    left, right = figure.subplots(1, 2)
    sizes = frame["servers"].to_list()
    servers_axis(left, sizes)
    left.set_yscale("log")
    labels = draw_shares(left, frame, "share")
    left.set_ylabel("share of jobs")
    left.set_ylim(left.get_ylim())
    write_labels(left, labels)
    rows = frame.filter(frame["policy"].is_not_null()).to_dicts()
    servers_axis(right, sizes)
    response_axis(right, rows)
    responses = Panel("Mean response", "servers", tuple(rows))
    draw_panel(right, responses, looks_of(responses.policies), rows_above([responses]))
    left.set_title("What reaches the helpers", pad=title_pad(rows_above([responses])))
    return {"": figure}
