"""An empty figure with room between its panels."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PANEL_WIDTH = 4.4  # inches, names beside the lines included
MARGIN = 1.0


def canvas(columns: int, height: float) -> "Figure":
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    engine = ConstrainedLayoutEngine(wspace=0.04, hspace=0.06)
    return Figure(figsize=(MARGIN + PANEL_WIDTH * columns, height), layout=engine)
