"""Tables of a comparison: policies side by side, for all jobs and by class."""

from collections.abc import Sequence
from dataclasses import replace

from zerowait.experiment.comparisons.comparison import Comparison
from zerowait.experiment.measures import MEASURES
from zerowait.experiment.results.result import Result
from zerowait.experiment.statistics.intervals import Interval
from zerowait.report.measured import compared, heading, labelled, row_value, table_rows
from zerowait.report.numbers import Value
from zerowait.report.palette import short_name
from zerowait.report.tables.table import Cell, Column, PolicyName, Table, why_once

SHARES = ("p_wait", "utilisation", "routed_to_helpers", "served_by_helpers")
FEW = ("wait_p99", "p_wait")


def overall_table(comparison: Comparison, more: Sequence[str] = ()) -> Table:
    """All jobs; `more` measures than the one compared, where there is room for them."""
    first, baseline = comparison.results[0], comparison.results[comparison.baseline]
    measure, base = comparison.measure, short_name(baseline.policy)
    more = [name for name in more if name != measure]
    heads = [
        Column("policy", text=True), Column(heading(measure)), Column("/ ideal", few=False),
        Column(f"- {base}"), Column(f"/ {base}", few=False),
        *(Column(labelled(name).label, few=name in FEW) for name in (*more, "wait_p99", *SHARES)),
    ]  # fmt: skip
    rows: list[list[Cell]] = []
    ranking = comparison.ranking()
    for result in comparison.results:
        own = table_rows(result)[-1]
        steady = [
            compared(comparison, result, measure),
            _ratio(result, comparison.ratio_to_ideal(result)),
            *_to_baseline(comparison, result),
            *(compared(comparison, result, name) for name in more),
            replace(row_value(own, "wait_p99"), half_width=None),
        ]
        lost = ("routed_to_helpers", "served_by_helpers") if result.split is None else ()
        shares = [Value(None if name in lost else own[name], "share") for name in SHARES]
        name = PolicyName(result.policy, ranking.is_best(result.policy))
        rows.append([name, *why_once(steady), *shares])
    load, arrivals = (first.parameters[name] for name in ("load", "arrivals"))
    title = (
        f"{first.servers} servers, load {load:.4f}, {arrivals} arrivals x "
        f"{len(first.replicates)} replications, common random numbers"
    )
    return Table(title, heads, rows)


def _ratio(result: Result, found: Interval) -> Value:
    return Value(None, diverging=True) if result.diverging else _plain(found)


def _plain(found: Interval) -> Value:
    return Value(found.mean, half_width=found.half_width)


def _to_baseline(comparison: Comparison, result: Result) -> tuple[Value, Value]:
    """Difference and ratio, where both have a steady state."""
    baseline = comparison.results[comparison.baseline]
    if result is baseline or result.diverging or baseline.diverging:
        return Value(None), Value(None)
    return _plain(comparison.difference(result)), _plain(comparison.ratio(result))


def classes_table(comparison: Comparison) -> Table:
    """The measure compared, a column for each class."""
    classes = comparison.results[0].classes
    rankings = [comparison.ranking(job_class=one.name) for one in classes]
    rows: list[list[Cell]] = []
    for result in comparison.results:
        values = [
            replace(
                compared(comparison, result, comparison.measure, one.name),
                best=ranking.is_best(result.policy),
            )
            for one, ranking in zip(classes, rankings, strict=True)
        ]
        rows.append([PolicyName(result.policy), *why_once(values)])
    heads = [Column("policy", text=True), *(Column(one.name) for one in classes)]
    return Table(f"{heading(comparison.measure)} of each class", heads, rows)


def class_rows_table(comparison: Comparison) -> Table:
    """A row for each class under each policy."""
    steady = ("response", "wait", "wait_p95", "wait_p99", "wait_p999", "slowdown")
    heads = [
        Column("class", text=True), Column("policy", text=True), Column("need"), Column("jobs"),
        *(Column(labelled(name).label) for name in (*steady, "p_wait")),
    ]  # fmt: skip
    rows: list[list[Cell]] = []
    for result in comparison.results:
        for row in table_rows(result)[:-1]:
            values = [
                compared(comparison, result, name, row["job_class"])
                if name in MEASURES
                else replace(row_value(row, name), half_width=None)
                for name in steady
            ]
            name = PolicyName(result.policy)
            before: list[Cell] = [row["job_class"], name, row["need"], row["count"]]
            rows.append([*before, *why_once(values), row_value(row, "p_wait")])
    return Table("Each class under each policy", heads, rows)
