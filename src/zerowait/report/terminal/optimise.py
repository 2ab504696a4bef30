"""Searches on a terminal."""

from rich.console import Console

from zerowait.experiment.optimisation.optimise import Optimisation
from zerowait.report.tables.optimise import front_table, scores_table
from zerowait.report.terminal.table import show_table
from zerowait.report.text import readable


def show_optimisation(console: Console, found: Optimisation) -> None:
    """The choice, its scores on what was not seen, and the front where there are two objectives."""
    choice = readable(found.choice.candidate.spelling)
    console.print(choice, style="bold", highlight=False, markup=False, soft_wrap=True)
    show_table(console, scores_table(found))
    if found.front:
        show_table(console, front_table(found))
    n = len(found.trials)
    long = sum(one.long is not None for one in found.trials)
    console.print(f"{n} candidates tried, {long} of them on long runs", style="dim")
