"""Theorem 2: sqrt(k / f_k) times the helpers' share, against the limit of its bound."""

from typing import TYPE_CHECKING, Any

from zerowait.report.figures.canvas import SOFT, canvas
from zerowait.report.figures.helper_shares import draw_shares
from zerowait.report.figures.labels import Label, write_labels
from zerowait.report.figures.scales import servers_axis

if TYPE_CHECKING:
    import polars


def draw(frame: "polars.DataFrame") -> dict[str, Any]:
    figure = canvas(1, 4.0)
    axes = figure.add_subplot()
    sizes = frame["servers"].to_list()
    servers_axis(axes, sizes)
    labels = draw_shares(axes, frame, "scaled")
    limit = frame["limit"][0]
    axes.axhline(limit, color=SOFT, linewidth=0.8, linestyle=(0, (1, 2)))
    labels.append(Label(f"its limit: {limit:.4g}", SOFT, max(sizes), limit))
    axes.set_ylim(0, None)
    axes.set_ylabel(r"$\sqrt{k / f_k}$ × share of jobs")
    axes.set_title("What reaches the helpers at critical load")
    write_labels(axes, labels)
    return {"": figure}
