"""Figure 1: against the number of servers, at critical load."""

from typing import TYPE_CHECKING, Any

from zerowait.report.figures.responses import draw_responses
from zerowait.report.figures.scales import servers_axis

if TYPE_CHECKING:
    import polars


def draw(frame: "polars.DataFrame") -> dict[str, Any]:
    sizes = frame["servers"].to_list()
    return {"": draw_responses(frame.to_dicts(), "servers", lambda axes: servers_axis(axes, sizes))}
