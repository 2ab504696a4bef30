"""Tables of a result and of a split."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from zerowait.experiment.measures import MEASURES
from zerowait.experiment.results.result import Result
from zerowait.model import Split
from zerowait.report.measured import in_seconds, labelled, measures_in, row_value, table_rows
from zerowait.report.numbers import Value
from zerowait.report.tables.table import Cell, Column, Table

MOST_CLASSES = 16  # rows of a table: those with most jobs
FEW = ("response", "wait", "wait_p99", "wait_max", "bounded_slowdown", "p_wait")
WITH_INTERVAL = (*FEW, "slowdown")  # the others' would make the table too wide for most screens


def result_table(result: Result, most: int | None = MOST_CLASSES) -> Table:
    """Measures per class, of `most` classes or all, and overall."""
    names = []
    for name in measures_in([result]):
        names += [name, f"{name}_p99"] if MEASURES[name].has_quantiles else [name]
    if in_seconds(result):  # one mean may hide a wait of weeks
        names.insert(names.index("wait_p99") + 1, "wait_max")
    heads = [
        Column("class", text=True), Column("need", few=False), Column("jobs"),
        *(Column(labelled(name).label, few=name in FEW) for name in names),
    ]  # fmt: skip
    *classes, everybody = table_rows(result)
    biggest = sorted(classes, key=lambda row: -int(row["count"]))[:most]
    rows = [
        (
            row["job_class"],
            "" if row["need"] is None else row["need"],
            row["count"],
            *(_value(row, name, in_seconds(result)) for name in names),
        )
        for row in (*(row for row in classes if row in biggest), everybody)
    ]
    return Table(_title(result), heads, rows, total=True)


def _value(row: dict[str, Any], name: str, seconds: bool) -> Value:
    found = row_value(row, name, seconds)
    return found if name in WITH_INTERVAL else replace(found, half_width=None)


def _title(result: Result) -> str:
    details = ", ".join(
        f"{key} {value:.6g}" if isinstance(value, float) else f"{key} {value}"
        for key, value in result.parameters.items()
        if isinstance(value, (int, float, str))
    )
    return f"{result.policy} on {result.servers} servers ({details})"


def split_table(split: Split, names: Sequence[str], offered: Sequence[float] = ()) -> Table:
    """Slots per class and helpers; `offered` is the work of each class in slots, if known."""
    heads = ["need", "slots", "own servers", *(["offered", "load"] if offered else [])]
    rows: list[list[Cell]] = []
    for i, name in enumerate(names):
        row: list[Cell] = [name, split.needs[i], split.slots[i], split.own_servers[i]]
        if offered:
            load = offered[i] / split.slots[i] if split.slots[i] else None
            row += [Value(offered[i]), Value(load)]
        rows.append(row)
    rows.append(["helpers", "", "", split.helpers, *[""] * (2 * bool(offered))])
    title = f"balanced split of {split.servers} servers"
    return Table(title, [Column("class", text=True), *map(Column, heads)], rows, total=True)
