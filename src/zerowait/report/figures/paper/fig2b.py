"""Figure 2b: against the number of servers, at a fixed load."""

from zerowait.report.figures.paper.fig1 import draw

__all__ = ["draw"]
