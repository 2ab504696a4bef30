"""Searches on a terminal."""

from rich.console import Console

from zerowait.experiment.searches.optimisation import Optimisation
from zerowait.report.tables.optimise import front_table, score_table
from zerowait.report.terminal.table import show_table


def show_optimisation(console: Console, found: Optimisation) -> None:
    """The choice, its scores on what was not seen, and the front where there are two objectives."""
    console.print(found.choice.candidate.spelling, style="bold", highlight=False, soft_wrap=True)
    show_table(console, score_table(found.scores, found.baseline))
    if found.front:
        show_table(console, front_table(found))
    long = sum(one.long is not None for one in found.trials)
    text = f"{len(found.trials)} candidates tried, {long} of them on long runs"
    console.print(text, style="dim", highlight=False)
