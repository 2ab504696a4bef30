"""Results as pages: one file each that needs no network."""

from zerowait.report.html.comparison import comparison_page
from zerowait.report.html.replay import replay_page
from zerowait.report.html.sweep import sweep_page

__all__ = ["comparison_page", "replay_page", "sweep_page"]
