"""The replay of a log on a terminal."""

from rich.console import Console

from zerowait.experiment.results.result import Result
from zerowait.report.numbers import duration
from zerowait.report.tables.replay import users_table
from zerowait.report.terminal.results import show_result
from zerowait.report.terminal.table import show_table
from zerowait.report.text import readable

MOST_USERS = 20


def show_replay(console: Console, outcome: Result, wide: bool = False) -> None:
    """Show measures, the longest wait and users."""
    show_result(console, outcome, wide)
    if outcome.longest is not None and outcome.longest.wait > 0:
        wait = duration(outcome.longest.wait)
        text = f"longest wait: {wait}, {readable(str(outcome.longest))}"
        console.print(text, highlight=False, markup=False)
    if outcome.users:
        show_table(console, users_table(outcome, MOST_USERS))
