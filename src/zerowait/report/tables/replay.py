"""Tables of the replay of a log: intervals over its weeks, its classes and its users."""

from zerowait.experiment.replays.replay import Replay
from zerowait.report.measured import labelled, replayed, value_of
from zerowait.report.numbers import Value
from zerowait.report.tables.results import MOST_CLASSES
from zerowait.report.tables.table import Cell, Column, Table, columns

FEW = ("wait", "bounded_slowdown")
OF_USERS = ("wait", "response", "bounded_slowdown", "p_wait")


def intervals_table(outcome: Replay) -> Table | None:
    """None where the log is too short for intervals."""
    found, result = outcome.intervals, outcome
    if found is None:
        return None
    names = list(found.overall)
    # With a class for each need there are more rows than anyone reads; JSON has them all.
    shown = range(len(found.classes)) if len(found.classes) <= MOST_CLASSES else ()
    rows: list[list[Cell]] = [
        [result.classes[i].name, *(replayed(outcome, name, i) for name in names)] for i in shown
    ]
    rows.append(["all", *(replayed(outcome, name) for name in names)])
    heads = [
        Column("class", text=True),
        *(Column(labelled(name).label, few=name in FEW) for name in names),
    ]
    title = (
        f"{found.level:.0%} intervals: {found.blocks} weeks of this log, drawn again "
        f"{found.resamples} times (one log is one sample)"
    )
    return Table(title, heads, rows, total=True)


def users_table(outcome: Replay, most: int) -> Table:
    shown = outcome.users[:most]
    heads = columns(["user"], ["jobs", "work", *(labelled(name).label for name in OF_USERS)])
    rows: list[list[Cell]] = [
        [
            one.user,
            one.jobs,
            Value(one.work, "share"),
            *(value_of(name, getattr(one, name), seconds=True) for name in OF_USERS),
        ]
        for one in shown
    ]
    return Table(f"users by work, {len(shown)} of {len(outcome.users)}", heads, rows)
