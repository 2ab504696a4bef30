"""Figure 2a: against the load, in heavy traffic."""

from typing import TYPE_CHECKING, Any

from zerowait.report.figures.responses import draw_responses
from zerowait.report.figures.scales import heavy_load_axis

if TYPE_CHECKING:
    import polars


def draw(frame: "polars.DataFrame") -> dict[str, Any]:
    loads = frame["load"].to_list()
    return {"": draw_responses(frame.to_dicts(), "load", lambda axes: heavy_load_axis(axes, loads))}
