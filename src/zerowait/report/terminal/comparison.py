"""Comparisons on a terminal."""

from rich.console import Console

from zerowait.experiment.comparisons.comparison import Comparison
from zerowait.experiment.comparisons.ranking import Ranking
from zerowait.report.numbers import number
from zerowait.report.palette import short_name
from zerowait.report.tables.comparison import classes_table, overall_table
from zerowait.report.tables.results import MOST_CLASSES
from zerowait.report.terminal.results import show_meanings, show_notes
from zerowait.report.terminal.table import show_table


def show_comparison(console: Console, comparison: Comparison, wide: bool = False) -> None:
    """All jobs, then each class; the ranking; what the marks mean."""
    show_table(console, overall_table(comparison), wide)
    if 1 < len(comparison.results[0].classes) <= MOST_CLASSES:
        show_table(console, classes_table(comparison))
    ranking = comparison.ranking()
    if len(ranking.ranks) > 1:
        console.print(_ranking(ranking), highlight=False)
    _show_legend(console, comparison)
    for result in comparison.results:
        show_notes(console, result, before=f"{short_name(result.policy)}: ")


def _ranking(ranking: Ranking) -> str:
    """Neighbours that differ significantly have a < between them, others a ~."""
    text = short_name(ranking.ranks[0].policy)
    for one, after in zip(ranking.ranks, ranking.ranks[1:], strict=False):
        sign = " < " if one.policy in after.worse_than else " ~ "
        text += sign + short_name(after.policy)
    return f"best first: {text}"


def _show_legend(console: Console, comparison: Comparison) -> None:
    first = comparison.results[0]
    controlled = ", with the offered load and mean service as controls"
    lines = [
        f"ideal: mean service time {number(comparison.mean_service)}, nobody waits. "
        f"± is a {100 * comparison.level:g}% interval"
        + (controlled if comparison.uses_controls() else "")
        + ".",
        "*: not significantly worse than the best; <: significantly better; ~: no significant "
        "difference (Holm over all pairs).",
    ]
    if first.samples is None or first.samples.n_groups < 2:
        lines = ["One group of jobs: no intervals."]
    console.print("\n".join(lines), style="dim", highlight=False)
    if any(result.split for result in comparison.results):
        show_meanings(console)
