"""Tables of the replay of a log: intervals over its weeks, its classes and its users."""

from zerowait.experiment.results.result import Result
from zerowait.report.measured import labelled, value_of
from zerowait.report.numbers import Value
from zerowait.report.tables.table import Cell, Table, columns

FEW = ("wait", "bounded_slowdown")
OF_USERS = ("wait", "response", "bounded_slowdown", "p_wait")


def users_table(outcome: Result, most: int) -> Table:
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
