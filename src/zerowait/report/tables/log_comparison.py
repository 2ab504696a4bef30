"""Tables of policies compared on a log: side by side, by group of jobs, beside the recorded."""

from collections.abc import Sequence
from dataclasses import replace

from zerowait.experiment.comparisons.comparison import Comparison
from zerowait.experiment.statistics.intervals import Difference
from zerowait.report.measured import form_of, heading, labelled, value_of
from zerowait.report.numbers import Value
from zerowait.report.palette import short_name
from zerowait.report.tables.table import Cell, Column, PolicyName, Table

WAITS = ("wait", "wait_p50", "wait_p95", "wait_p99", "wait_max", "bounded_slowdown")
SHARES = ("p_wait", "utilisation")
FEW = ("wait", "wait_p95", "wait_max", "bounded_slowdown")
ARROWS = {"wins": " ↓", "loses": " ↑", "": ""}
KINDS = {"need": "by need", "estimate": "by estimate"}


def policies_table(comparison: Comparison) -> Table:
    """All counted jobs under each policy, and as they were."""
    first, baseline = comparison.results[0], comparison.results[comparison.baseline]
    ranking = comparison.ranking()
    heads = [
        Column("policy", text=True),
        *(Column(_head(name), few=name in FEW) for name in WAITS),
        Column("longest: job", text=True),
        Column(f"{labelled(comparison.measure).label} - {short_name(baseline.policy)}"),
        *(Column(labelled(name).label, few=False) for name in SHARES),
    ]
    rows: list[list[Cell]] = []
    for number, (result, row) in enumerate(
        zip(comparison.results, comparison.table().to_dicts(), strict=False)
    ):
        rows.append(
            [
                PolicyName(result.policy, ranking.is_best(result.policy)),
                *(_value(name, row[name]) for name in WAITS),
                row["longest_job"],
                Value(None) if number == comparison.baseline else _difference(comparison, number),
                *(_value(name, row[name]) for name in SHARES),
            ]
        )
    if comparison.recorded is not None:
        row = comparison.table().to_dicts()[-1]
        none = Value(None)
        rows.append(
            ["as recorded", *(_value(name, row[name]) for name in WAITS), "", none, none, none]
        )
    title = (
        f"{first.overall.count:,} jobs on {first.servers:,} servers, "
        f"load {first.parameters['load']:.4f}, the same under each policy"
    )
    return Table(title, heads, rows, total=comparison.recorded is not None)


def groups_table(comparison: Comparison, kind: str) -> Table:
    """The measure compared, of each group under each policy, and who wins and loses."""
    groups = [one for one in comparison.groups if one.kind == kind]
    found = {(one.policy, one.group.name): one for one in comparison.changes(kind)}
    others = [one.policy for n, one in enumerate(comparison.results) if n != comparison.baseline]
    base = comparison.results[comparison.baseline].policy
    heads = [
        Column(kind, text=True), Column("jobs"), Column("work", few=False),
        Column(short_name(base)), *(Column(short_name(name)) for name in others),
    ]  # fmt: skip
    rows: list[list[Cell]] = []
    for group in groups:
        row: list[Cell] = [group.name, group.jobs, Value(group.work, "share")]
        row.append(_value(comparison.measure, comparison.mean_of(base, group)))
        for change in (found[name, group.name] for name in others):
            mark = ARROWS[change.verdict(comparison.level)]
            row.append(replace(_value(comparison.measure, change.mean), mark=mark))
        rows.append(row)
    title = f"{heading(comparison.measure)} {KINDS[kind]}; who wins (↓) or loses (↑) against "
    return Table(title + short_name(base), heads, rows)


def recorded_table(comparison: Comparison) -> Table | None:
    """How well each policy explains the waits that the log recorded."""
    recorded = comparison.recorded
    if recorded is None:
        return None
    heads = [
        Column("policy", text=True), Column("explains them", text=True), Column("off by"),
        Column("correlation of weeks"),
    ]  # fmt: skip
    rows: list[Sequence[Cell]] = [
        (
            PolicyName(result.policy),
            one.grade,
            Value(one.error, "share"),
            Value(one.correlation, digits=2),
        )
        for result, one in zip(comparison.results, recorded.matches, strict=True)
    ]
    return Table(f"waits as recorded, of {recorded.jobs:,} jobs, week by week", heads, rows)


def legend(comparison: Comparison) -> list[str]:
    """What the marks mean, and what the replays have to say."""
    told = []
    if not comparison.n_groups:
        told.append("the log covers fewer than 4 weeks: no intervals, and nobody can be told apart")
    else:
        told.append(
            f"Intervals ({comparison.level:.0%}) and tests are paired over the log's "
            f"{comparison.n_groups} weeks; tests of rankings and groups are adjusted (Holm), "
            "intervals are not. * not significantly worse than the best; ↓ ↑ significantly less or "
            "more than the baseline."
        )
    notes = [note for one in comparison.results for note in one.notes]
    return [*told, *dict.fromkeys(notes)]


def difference_value(comparison: Comparison, found: Difference) -> Value:
    """With its interval over weeks, where there is one."""
    form = form_of(comparison.measure, seconds=True)
    bounds = None if found.low != found.low else (found.low, found.high)
    return Value(found.mean, form, bounds=bounds)


def _difference(comparison: Comparison, number: int) -> Value:
    return difference_value(comparison, comparison.difference(number))


def _head(name: str) -> str:
    return heading(name) if name == "wait" else labelled(name).label


def _value(name: str, value: float | None) -> Value:
    return value_of(name, value, seconds=True)
