"""Tables of a search: its scores, and the front where there are two objectives."""

from zerowait.experiment.optimisation.optimise import Optimisation
from zerowait.experiment.optimisation.scoring import Score
from zerowait.report.numbers import Value
from zerowait.report.tables.table import Cell, Column, Table

KEPT = {None: "", True: "kept", False: "NOT kept"}


def ratio(one: Score) -> Value:
    """To what it is compared with, and its interval."""
    return Value(one.ratio, bounds=(one.low, one.high) if one.has_interval else None, digits=3)


def scores_table(found: Optimisation) -> Table:
    heads = [
        Column("measure", text=True), Column("value"), Column("compared with", text=True),
        Column("its value"), Column("ratio"), Column("constraint", text=True),
    ]  # fmt: skip
    rows: list[list[Cell]] = [
        [
            one.text, Value(one.value), one.compared_with or "the limit", Value(one.reference),
            ratio(one), KEPT[one.kept],
        ]
        for one in found.scores
    ]  # fmt: skip
    title = f"scored on what the search never saw, against {found.baseline}"
    return Table(title, heads, rows)


def front_table(found: Optimisation) -> Table:
    names = [str(one) for one in found.problem.objectives]
    heads = [*map(Column, names), Column("", text=True), Column("candidate", text=True)]
    rows: list[list[Cell]] = [
        [
            *(ratio(score) for score in one.scores[:2]),
            "knee" if one.knee else "",
            one.candidate.spelling,
        ]
        for one in found.front
    ]
    return Table("what cannot be bettered in both, as shares of the baseline's", heads, rows)
