"""Figures 1 and 2: mean response, the paper's policies beside those it left out."""

from collections.abc import Callable, Sequence
from typing import Any

from zerowait.report.figures.canvas import canvas
from zerowait.report.figures.policy_lines import draw_panel, rows_above
from zerowait.report.figures.scales import response_axis
from zerowait.report.figures.sides import sides
from zerowait.report.palette import looks_of
from zerowait.report.panels import Row

HEIGHT = 4.2


def draw_responses(rows: Sequence[Row], axis: str, scale: Callable[[Any], None]) -> Any:
    panels = sides(rows, axis)
    looks = looks_of(row["policy"] for row in rows)
    figure = canvas(len(panels), HEIGHT)
    for number, panel in enumerate(panels):
        axes = figure.add_subplot(1, len(panels), number + 1)
        scale(axes)
        response_axis(axes, rows)
        draw_panel(axes, panel, looks, rows_above(panels))
        if number == 0:
            axes.set_ylabel("mean response")
    return figure
