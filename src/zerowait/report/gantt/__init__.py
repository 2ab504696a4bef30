"""Schedules as Gantt charts: which servers each job held, and when."""

from zerowait.report.gantt.layout import Chart, chart_of
from zerowait.report.gantt.thinning import thinned

__all__ = ["Chart", "chart_of", "thinned"]
