"""Mean responses against the cost of a pause, beside those of policies that pause nobody."""

from typing import TYPE_CHECKING, Any

from zerowait.report.figures.canvas import canvas
from zerowait.report.figures.policy_lines import draw_panel, rows_above
from zerowait.report.figures.scales import response_axis
from zerowait.report.palette import looks_of
from zerowait.report.panels import Panel

if TYPE_CHECKING:
    import polars

HEIGHT = 4.2
LINEAR = 0.0005  # of the mean service time: below it the axis is linear, so that it has a zero


def draw(frame: "polars.DataFrame") -> dict[str, Any]:
    found = frame.filter(job_class="all").unique(["policy", "price_share"], maintain_order=True)
    shares = found["price_share"].unique().sort().to_list()
    rows = found.to_dicts()
    priced = {row["policy"] for row in rows if row["price_share"] > 0}
    # Who pauses nobody has the same response at every price.
    rows += [
        row | {"price_share": share}
        for row in rows
        if row["policy"] not in priced
        for share in shares[1:]
    ]
    rows.sort(key=lambda row: row["price_share"])
    panel = Panel(f"{rows[0]['servers']} servers", "price_share", tuple(rows))
    figure = canvas(1, HEIGHT)
    axes = figure.add_subplot()
    _price_axis(axes, shares)
    response_axis(axes, rows)
    draw_panel(axes, panel, looks_of(panel.policies), rows_above([panel]))
    axes.set_ylabel("mean response")
    return {"": figure}


def _price_axis(axes: Any, shares: list[float]) -> None:
    """Logarithmic, with a zero."""
    axes.set_xscale("symlog", linthresh=LINEAR, linscale=0.3)
    axes.set_xlim(-LINEAR / 5, shares[-1] * 1.3)
    axes.set_xticks(shares, [f"{100 * share:g}%" for share in shares], rotation=45)
    axes.minorticks_off()
    axes.set_xlabel("cost of a pause, as a share of the mean service time")
