"""Policies compared on a log, on a terminal."""

from rich.console import Console

from zerowait.experiment.comparisons.comparison import Comparison
from zerowait.report.tables.log_comparison import (
    groups_table,
    legend,
    policies_table,
    recorded_table,
)
from zerowait.report.terminal.table import show_table


def show_log_comparison(console: Console, comparison: Comparison, wide: bool = False) -> None:
    """All jobs, then groups of them; what the log recorded; notes."""
    show_table(console, policies_table(comparison), wide)
    for kind in ("need", "estimate"):
        show_table(console, groups_table(comparison, kind), wide)
    recorded = recorded_table(comparison)
    if recorded is not None:
        show_table(console, recorded, wide)
    for text in legend(comparison):
        console.print(text, style="dim", highlight=False, markup=False)
