"""The document of policies compared on a log: who is best, who wins and loses, who starves."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from zerowait.experiment.comparisons.comparison import Comparison
from zerowait.report.charts import Chart, DotView, Row, point
from zerowait.report.document import Cell, Column, PagePart, PolicyName, Table, Text
from zerowait.report.documents.comparison import ComparisonDocument, difference_value
from zerowait.report.measured import form_of, heading, labelled, value_of
from zerowait.report.numbers import Value, duration, joined, written
from zerowait.report.palette import short_name
from zerowait.report.waits import Waits, bad_times, counted_waits, quantile_chart

SHOWN = ("wait", "bounded_slowdown", "response", "p_wait", "utilisation")
WAITS = ("wait", "wait_p50", "wait_p95", "wait_p99", "wait_max", "bounded_slowdown")
SHARES = ("p_wait", "utilisation")
FEW = ("wait", "wait_p95", "wait_max", "bounded_slowdown")
ARROWS = {"wins": " ↓", "loses": " ↑", "": ""}
KINDS = ("need", "estimate")  # of groups


@dataclass(frozen=True)
class LogComparisonDocument(ComparisonDocument):
    """All jobs and groups of them under each policy, beside the log's own waits, in seconds."""

    @property
    def subtitle(self) -> str:
        first = self.subject.results[0]
        return (
            f"{first.overall.count:,} jobs counted · load {first.parameters['load']:.4g} · "
            "the same jobs for every policy"
        )

    def brief(self) -> Iterable[Table | Text]:
        yield _policies_table(self.subject)
        for kind in KINDS:
            yield _groups_table(self.subject, kind)
        if self.subject.recorded is not None:
            yield _recorded_table(self.subject)
        for text in self.notes():
            yield Text(text, "dim")

    def summary(self) -> list[str]:
        return log_verdict(self.subject)

    def parts(self) -> list[PagePart]:
        comparison = self.subject
        waits = [*map(counted_waits, comparison.results)]
        table = replace(_policies_table(comparison), title="All jobs")
        groups = [
            block
            for kind in KINDS
            for block in (self._groups(kind), _groups_table(comparison, kind))
        ]
        recorded = [_recorded_table(comparison)] if comparison.recorded is not None else []
        return [
            PagePart("All jobs", [self._overall(self._measures()), *self._difference()]),
            PagePart("In numbers", [table]),
            PagePart(
                "How long jobs wait", [self._distributions(waits), *bad_times(waits, self.series)]
            ),
            PagePart("Who wins, who loses", groups),
            PagePart("As recorded", recorded),
        ]

    def notes(self) -> Sequence[str]:
        """Say what the marks mean, and what the replays have to say."""
        comparison = self.subject
        if not comparison.n_groups:
            told = "the log covers fewer than 4 weeks: no intervals, and nobody can be told apart"
        else:
            told = (
                f"Intervals ({comparison.level:.0%}) and tests are paired over the log's "
                f"{comparison.n_groups} weeks; tests of rankings and groups are adjusted (Holm), "
                "intervals are not. * not significantly worse than the best; ↓ ↑ significantly "
                "less or more than the baseline."
            )
        return [told, *dict.fromkeys(note for one in comparison.results for note in one.notes)]

    def pictures(self) -> Sequence[Chart]:
        """Return means with their intervals over weeks, and how waits are distributed."""
        means = replace(self._overall((self.subject.measure,)), title="All jobs")
        return [means, self._distributions([*map(counted_waits, self.subject.results)])]

    def _measures(self) -> list[str]:
        known = self.subject.results[0].overall.bounded_slowdown is not None
        return [name for name in SHOWN if known or name != "bounded_slowdown"]

    def _bars(self) -> str:
        return "Bars are 95% intervals over the log's weeks, where it has enough."

    def _difference(self) -> list[Chart]:
        comparison = self.subject
        if not comparison.n_groups:
            return []
        name = heading(comparison.measure)
        base = short_name(comparison.results[comparison.baseline].policy)
        said = (
            f"{name.capitalize()} less that of {base}, paired week by week; zero is no difference."
        )
        return self._difference_chart(comparison.measure, said)

    def _distributions(self, waits: Sequence[Waits | None]) -> Chart:
        return quantile_chart([None if one is None else one.wait for one in waits], self.series)

    def _groups(self, kind: str) -> Chart:
        comparison, measure = self.subject, self.subject.measure
        rows = tuple(
            Row(
                group.name,
                tuple(
                    point(i, value_of(measure, comparison.mean_of(i, group), seconds=True))
                    for i in range(len(comparison.results))
                ),
            )
            for group in comparison.groups
            if group.kind == kind
        )
        name = heading(measure)
        view = DotView("", name, rows, form_of(measure, seconds=True))
        title = f"{name.capitalize()} by {kind}"
        return Chart(title, "Means of each group.", self.series, (view,))


def log_verdict(comparison: Comparison) -> list[str]:
    """Say who is best, by how much, and who starves."""
    ranking = comparison.ranking()
    name = heading(comparison.measure)
    best, *others = ranking.ranks
    mean = written(value_of(comparison.measure, best.mean, seconds=True))
    told = [f"**{short_name(best.policy)} has the lowest {name}**, {mean}."]
    alike = [short_name(one.policy) for one in others if one.best]
    if not comparison.n_groups:
        told.append("The log has too few weeks to tell policies apart: differences may be chance.")
    elif alike:
        told.append(f"Its weeks do not tell {joined(alike)} apart from it.")
    worst = max(comparison.results, key=lambda one: comparison.longest(one).wait)
    longest = comparison.longest(worst)
    starved = short_name(worst.policy)
    told.append(f"The longest wait is {duration(longest.wait)}, of {longest} under **{starved}**.")
    if comparison.recorded is not None:
        told.append(
            f"The log itself recorded a mean wait of {duration(comparison.recorded.wait)}, "
            f"and {duration(comparison.recorded.longest)} at most."
        )
    told.append("One log is one sample, and users would have reacted to other waits.")
    return told


def _policies_table(comparison: Comparison) -> Table:
    """List all counted jobs under each policy, and as they were."""
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
    listed = comparison.table().to_dicts()
    for number, (result, row) in enumerate(zip(comparison.results, listed, strict=False)):
        change: Value = Value(None)
        if number != comparison.baseline:
            change = difference_value(comparison.difference(number), comparison.measure, True)
        rows.append(
            [
                PolicyName(result.policy, ranking.is_best(result.policy)),
                *(_value(name, row[name]) for name in WAITS),
                row["longest_job"],
                change,
                *(_value(name, row[name]) for name in SHARES),
            ]
        )
    if comparison.recorded is not None:
        waits = (_value(name, listed[-1][name]) for name in WAITS)
        rows.append(["as recorded", *waits, "", *[Value(None)] * 3])
    title = (
        f"{first.overall.count:,} jobs on {first.servers:,} servers, "
        f"load {first.parameters['load']:.4f}, the same under each policy"
    )
    return Table(title, heads, rows, total=comparison.recorded is not None)


def _groups_table(comparison: Comparison, kind: str) -> Table:
    """List the measure of each group under each policy, and who wins and loses."""
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
    title = f"{heading(comparison.measure)} by {kind}; who wins (↓) or loses (↑) against "
    return Table(title + short_name(base), heads, rows)


def _recorded_table(comparison: Comparison) -> Table:
    """List how well each policy explains the waits that the log recorded."""
    recorded = comparison.recorded
    assert recorded is not None
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


def _head(name: str) -> str:
    return heading(name) if name == "wait" else labelled(name).label


def _value(name: str, value: float | None) -> Value:
    return value_of(name, value, seconds=True)
