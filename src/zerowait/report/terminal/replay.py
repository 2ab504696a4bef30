"""The replay of a log as tables for a terminal."""

from rich.console import Console

from zerowait.experiment.replays.replay import Replay
from zerowait.experiment.statistics.bootstrap import BlockInterval
from zerowait.report.terminal.results import number, plain_table, share, show_result

MOST_USERS = 20
HEADS = {"bounded_slowdown": "bounded slowdown", "p_wait": "P(wait)"}


def show_replay(console: Console, outcome: Replay) -> None:
    """Measures, intervals over weeks, users."""
    show_result(console, outcome)
    if outcome.intervals is not None:
        _show_intervals(console, outcome)
    if outcome.users:
        _show_users(console, outcome)


def _show_intervals(console: Console, outcome: Replay) -> None:
    found = outcome.intervals
    assert found is not None
    title = (
        f"{found.level:.0%} intervals: {found.blocks} weeks of this log, drawn again "
        f"{found.resamples} times (one log is one sample)"
    )
    table = plain_table(title)
    table.add_column("class")
    for name in found.overall:
        table.add_column(HEADS.get(name, name), justify="right")
    rows = zip(outcome.classes, found.classes, strict=True)
    # With a class for each need there are more rows than anyone reads; JSON has them all.
    if len(found.classes) <= 16:
        for one, intervals in rows:
            table.add_row(one.name, *map(_interval, intervals.values()))
        table.add_section()
    table.add_row("all", *map(_interval, found.overall.values()))
    console.print(table)


def _interval(found: BlockInterval) -> str:
    if found.mean != found.mean:
        return "–"
    if found.mean == float("inf"):
        return "∞"
    return f"{number(found.mean)} [{number(found.low, 3)}, {number(found.high, 3)}]"


def _show_users(console: Console, outcome: Replay) -> None:
    shown = outcome.users[:MOST_USERS]
    title = f"users by work, {len(shown)} of {len(outcome.users)}"
    table = plain_table(title)
    table.add_column("user")
    for name in ("jobs", "work", "wait", "response", "bounded slowdown", "P(wait)"):
        table.add_column(name, justify="right")
    for one in shown:
        table.add_row(
            one.user, str(one.jobs), share(one.work), number(one.wait), number(one.response),
            number(one.bounded_slowdown), share(one.p_wait),
        )  # fmt: skip
    console.print(table)
