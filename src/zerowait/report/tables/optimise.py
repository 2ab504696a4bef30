"""Tables of a search: scores, the front, and what was tried."""

from collections.abc import Sequence

from zerowait.experiment.searches.optimisation import Optimisation
from zerowait.experiment.searches.scoring import Score
from zerowait.experiment.searches.search import long_merit
from zerowait.report.numbers import Value
from zerowait.report.tables.table import Cell, Column, Table, columns

KEPT = {None: "", True: "kept", False: "NOT kept"}


def ratio(score: Score) -> Value:
    """With its interval, where there is one."""
    bounds = (score.low, score.high) if score.has_interval else None
    return Value(score.ratio, bounds=bounds, digits=3)


def score_table(scores: Sequence[Score], baseline: str) -> Table:
    rows: list[list[Cell]] = [
        [
            one.text, one.compared_with or "the limit", Value(one.value), Value(one.reference),
            ratio(one), KEPT[one.kept],
        ]
        for one in scores
    ]  # fmt: skip
    heads = [*columns(("measure", "compared with"), ("value", "its value", "ratio")),
             Column("", text=True)]  # fmt: skip
    return Table(f"Scored on what the search never saw, against {baseline}", heads, rows)


def front_table(found: Optimisation) -> Table:
    rows: list[list[Cell]] = [
        [*(ratio(score) for score in one.scores[:2]), "knee" if one.knee else "",
         one.candidate.spelling]
        for one in found.front
    ]  # fmt: skip
    names = [Column(str(one)) for one in found.problem.objectives]
    heads = [*names, Column("", text=True), Column("candidate", text=True)]
    return Table("What cannot be bettered in both, as shares of the baseline's", heads, rows)


def trial_table(found: Optimisation, most: int) -> Table:
    """Long runs, best first."""
    weights = (1.0,) * len(found.problem.objectives)
    long = [one for one in found.trials if one.long is not None]
    long.sort(key=lambda one: long_merit(one, weights))
    rows: list[list[Cell]] = []
    for one in long[:most]:
        assert one.long is not None
        shares = [Value(value, digits=3) for value in one.long.objectives]
        rows.append([one.candidate.spelling, *shares, Value(one.long.excess, digits=2)])
    names = [str(one) for one in found.problem.objectives]
    heads = columns(("candidate",), (*names, "beyond constraints"))
    return Table(f"{len(rows)} of {len(long)} long runs, best first", heads, rows)
