"""Searches as tables for a terminal."""

from rich.console import Console
from rich.markup import escape

from zerowait.experiment.optimise.optimisation import Optimisation
from zerowait.experiment.optimise.scoring import Score
from zerowait.report.terminal.results import number, plain_table


def show_optimisation(console: Console, found: Optimisation) -> None:
    """The choice, its scores on what was not seen, and the front where there are two objectives."""
    console.print(f"[bold]{found.choice.candidate.spelling}[/]", highlight=False, soft_wrap=True)
    table = plain_table(f"scored on what the search never saw, against {found.baseline}")
    for name in ("measure", "value", "compared with", "ratio", "95% interval", ""):
        table.add_column(name, justify="right" if name in ("value", "ratio") else "left")
    for one in found.scores:
        table.add_row(*score_cells(one))
    console.print(table)
    if found.front:
        _show_front(console, found)
    n = len(found.trials)
    long = sum(one.long is not None for one in found.trials)
    console.print(f"{n} candidates tried, {long} of them on long runs", style="dim")


def score_cells(one: Score) -> list[str]:
    with_what = f"{number(one.reference)} ({one.compared_with})"
    if not one.compared_with:
        with_what = number(one.reference)
    kept = {None: "", True: "kept", False: "NOT kept"}[one.kept]
    return [
        escape(one.text),
        number(one.value),
        with_what,
        number(one.ratio, 3),
        interval(one),
        kept,
    ]


def interval(one: Score) -> str:
    return f"{number(one.low, 3)} to {number(one.high, 3)}" if one.has_interval else "–"


def _show_front(console: Console, found: Optimisation) -> None:
    objectives = [escape(str(one)) for one in found.problem.objectives]
    table = plain_table("what cannot be bettered in both, as shares of the baseline's")
    for name in (*objectives, "", "candidate"):
        table.add_column(name, overflow="fold")
    for one in found.front:
        cells = [f"{number(score.ratio, 3)} ({interval(score)})" for score in one.scores[:2]]
        table.add_row(*cells, "knee" if one.knee else "", one.candidate.spelling)
    console.print(table)
