"""Names written beside the ends of lines, pushed apart where they would overlap."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

SIZE = 8.0  # points
LEAST_GAP = 1.35 * SIZE  # points, from line to line
BESIDE = 1.05  # of the width of the axes, where the text begins


@dataclass(frozen=True)
class Label:
    """A name, its colour, and where its line ends, in data."""

    text: str
    colour: str
    x: float
    y: float


def spread_apart(wanted: Sequence[float], gap: float) -> list[float]:
    """Find places within 0 and 1, `gap` apart or more, in the same order, near to those wanted.

    The least squares solution: neighbours that are too close are pooled and centred on the mean
    of their wishes (isotonic regression, Barlow et al. 1972).
    """
    if not wanted:
        return []
    order = sorted(range(len(wanted)), key=lambda number: wanted[number])
    blocks: list[tuple[float, int]] = []  # sum of wishes less the gaps below, and how many
    for place, number in enumerate(order):
        blocks.append((wanted[number] - place * gap, 1))
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] >= blocks[-1][0] / blocks[-1][1]:
            total, count = blocks.pop()
            blocks[-1] = (blocks[-1][0] + total, blocks[-1][1] + count)
    most = max(1 - (len(wanted) - 1) * gap, 0.0)
    level = [min(max(total / count, 0.0), most) for total, count in blocks for _ in range(count)]
    found = [0.0] * len(wanted)
    for place, number in enumerate(order):
        found[number] = level[place] + place * gap
    return found


def write_labels(axes: Any, labels: Sequence[Label]) -> None:
    """Write names to the right of the axes, with thin lines to their places; limits must be set."""
    if not labels:
        return
    height = axes.get_position().height * axes.figure.get_size_inches()[1] * 72
    pixels = axes.transData.transform([(one.x, one.y) for one in labels])
    ends = axes.transAxes.inverted().transform(pixels)
    places = spread_apart([float(end[1]) for end in ends], LEAST_GAP / height)
    for one, end, place in zip(labels, ends, places, strict=True):
        axes.annotate(
            one.text,
            xy=(float(end[0]), float(end[1])), xycoords="axes fraction",
            xytext=(BESIDE, place), textcoords="axes fraction",
            fontsize=SIZE, color=one.colour, va="center", ha="left", annotation_clip=False,
            arrowprops={
                "arrowstyle": "-", "color": one.colour, "linewidth": 0.5, "alpha": 0.6,
                "shrinkA": 1.0, "shrinkB": 3.0, "relpos": (0.0, 0.5),
            },
        )  # fmt: skip
