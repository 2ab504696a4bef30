"""Results as pages: one file each that needs no network."""

from zerowait.report.html.pages.comparison import comparison_page
from zerowait.report.html.pages.gantt import gantt_page
from zerowait.report.html.pages.log import trace_page
from zerowait.report.html.pages.log_comparison import log_comparison_page
from zerowait.report.html.pages.optimise import optimise_page
from zerowait.report.html.pages.plan import plan_page
from zerowait.report.html.pages.rehearsal import rehearsal_page
from zerowait.report.html.pages.replay import replay_page
from zerowait.report.html.pages.sweep import reproduction_page, sweep_page

__all__ = [
    "comparison_page", "gantt_page", "log_comparison_page", "optimise_page", "plan_page",
    "rehearsal_page", "replay_page", "reproduction_page", "sweep_page", "trace_page",
]  # fmt: skip
