"""The replay of a log on a terminal."""

from rich.console import Console

from zerowait.experiment.replays.replay import Replay
from zerowait.report.numbers import duration
from zerowait.report.tables.replay import intervals_table, users_table
from zerowait.report.terminal.results import show_result
from zerowait.report.terminal.table import show_table
from zerowait.report.text import readable

MOST_USERS = 20


def show_replay(console: Console, outcome: Replay, wide: bool = False) -> None:
    """Measures, intervals over weeks, users."""
    show_result(console, outcome, wide)
    if outcome.longest is not None and outcome.longest.wait > 0:
        wait = duration(outcome.longest.wait)
        text = f"longest wait: {wait}, {readable(str(outcome.longest))}"
        console.print(text, highlight=False, markup=False)
    intervals = intervals_table(outcome)
    if intervals is not None:
        show_table(console, intervals, wide)
    if outcome.users:
        show_table(console, users_table(outcome, MOST_USERS))
