"""What reaches the helpers, simulated and bounded: lines that both theorems draw."""

from math import nan
from typing import TYPE_CHECKING, Any

from zerowait.experiment.measures import MEASURES
from zerowait.experiment.reproduce.helper_rows import BOUND, SHOWN
from zerowait.report.figures.canvas import SOFT
from zerowait.report.figures.labels import Label
from zerowait.report.figures.policy_lines import LINE
from zerowait.report.palette import look_of, short_name

if TYPE_CHECKING:
    import polars


def draw_shares(axes: Any, frame: "polars.DataFrame", value: str) -> list[Label]:
    """Lines of `share` or `scaled`, with bars for their intervals; the labels are handed back."""
    bound = frame.filter(kind=BOUND).sort("servers")
    axes.plot(bound["servers"], bound[value], color=SOFT, linewidth=1.2, linestyle="dashed")
    labels = [Label(f"{BOUND} (bound)", SOFT, bound["servers"][-1], bound[value][-1])]
    for policy, measure in SHOWN.items():
        rows = frame.filter(policy=policy).sort("servers")
        if not len(rows):
            continue
        look = look_of(policy)
        # A loss system's share is the bound itself: points on its line, no line of their own.
        on_bound = measure == "routed_to_helpers"
        axes.errorbar(
            rows["servers"], rows[value], rows[f"{value}_half_width"].fill_null(nan),
            color=look.colour, marker=look.matplotlib_marker, capsize=2, elinewidth=1,
            linestyle="none" if on_bound else look.dash, **LINE,
        )  # fmt: skip
        name = f"{short_name(policy)}, {MEASURES[measure].label}"
        labels.append(Label(name, look.colour, rows["servers"][-1], rows[value][-1]))
    return labels
