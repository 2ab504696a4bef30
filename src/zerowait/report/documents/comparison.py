"""The document of a comparison: policies side by side, on the jobs of a workload."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from zerowait.experiment.comparisons.comparison import Comparison, Ranking
from zerowait.experiment.measures import MEASURES
from zerowait.experiment.results.result import Result
from zerowait.experiment.statistics.intervals import Difference, Interval
from zerowait.report.charts import Chart, DotView, Row, Series, dots_of, point, policy_series
from zerowait.report.document import (
    Bar,
    Cell,
    Column,
    Document,
    PagePart,
    PolicyName,
    Source,
    Table,
    Text,
    why_once,
)
from zerowait.report.documents.result import (
    MOST_CLASSES,
    MOST_DRAWN,
    meanings,
    notes_of,
    quantile_view,
    source_of,
)
from zerowait.report.documents.split import split_bar
from zerowait.report.measured import compared, form_of, heading, labelled, row_value, table_rows
from zerowait.report.numbers import Value, joined, number, rounded, written
from zerowait.report.palette import Look, looks_of, short_name

SHOWN = ("response", "wait", "slowdown", "p_wait", "utilisation")
OF_CLASSES = ("wait", "response", "slowdown", "p_wait")
SHARES = ("p_wait", "utilisation", "routed_to_helpers", "served_by_helpers")
FEW = ("wait_p99", "p_wait")
MOST_NAMES = 4


@dataclass(frozen=True)
class ComparisonDocument(Document):
    """Policies side by side, for all jobs and by class; the ranking, and who is told apart."""

    subject: Comparison

    @property
    def title(self) -> str:
        results = self.subject.results
        policies = f"{len(results)} policies on {results[0].servers:,} servers"
        return f"{self.name}: {policies}" if self.name else policies

    @property
    def subtitle(self) -> str:
        first = self.subject.results[0]
        n, load = len(first.replicates), first.parameters.get("load")
        return " · ".join(
            [
                *([f"load {load:.4g}"] if load is not None else []),
                f"{first.overall.count:,} jobs counted",
                f"{n} replications" if n > 1 else "one replication",
                "the same jobs for every policy",
            ]
        )

    @property
    def looks(self) -> dict[str, Look]:
        return looks_of(result.policy for result in self.subject.results)

    @property
    def series(self) -> tuple[Series, ...]:
        return policy_series(self.looks)

    def brief(self) -> Iterable[Table | Text | Bar]:
        comparison = self.subject
        yield overall_table(comparison)
        if 1 < len(comparison.results[0].classes) <= MOST_CLASSES:
            yield _classes_table(comparison)
        ranking = comparison.ranking()
        if len(ranking.ranks) > 1:
            yield Text(_ranked(ranking))
        yield from self._legend()
        for result in comparison.results:
            yield from notes_of(result, before=f"{short_name(result.policy)}: ")

    def summary(self) -> list[str]:
        return comparison_verdict(self.subject)

    def parts(self) -> list[PagePart]:
        table = replace(overall_table(self.subject, more=("wait", "slowdown")), title="All jobs")
        classes = self._classes(OF_CLASSES), _class_rows_table(self.subject)
        return [
            PagePart("All jobs", [self._overall(SHOWN), *self._difference()]),
            PagePart("In numbers", [table]),
            PagePart("How long jobs wait", [self._quantiles()]),
            PagePart("By class", classes),
            PagePart("Where the servers go", self._splits()),
        ]

    def notes(self) -> Sequence[str]:
        results = self.subject.results
        return [f"{short_name(one.policy)}: {note}" for one in results for note in one.notes]

    def source(self) -> Source:
        return source_of(self.command, self.subject.results)

    def pictures(self) -> Sequence[Chart]:
        """Return means with their intervals, for all jobs and by class."""
        name = self.subject.measure
        charts = [replace(self._overall((name,)), title="All jobs")]
        if len(self.subject.results[0].classes) > 1:
            charts.append(replace(self._classes((name,), MOST_DRAWN), title="By class"))
        return charts

    def _legend(self) -> Iterable[Text]:
        comparison, first = self.subject, self.subject.results[0]
        controlled = ", with the offered load and mean service as controls"
        lines = [
            f"ideal: mean service time {number(comparison.mean_service)}, nobody waits. "
            f"± is a {100 * comparison.level:g}% interval"
            + (controlled if comparison.uses_controls() else "")
            + ".",
            "*: not significantly worse than the best; <: significantly better; ~: no significant "
            "difference (Holm over all pairs).",
        ]
        if first.samples is None or first.samples.n_groups < 2:
            lines = ["One group of jobs: no intervals."]
        yield Text("\n".join(lines), "dim")
        if any(result.split for result in comparison.results):
            yield from meanings()

    def _overall(self, names: Iterable[str]) -> Chart:
        comparison = self.subject
        ideal = (
            {} if comparison.in_seconds else {"response": (comparison.mean_service, "nobody waits")}
        )
        views = tuple(
            dots_of(
                name,
                (
                    (short_name(one.policy), [point(i, compared(comparison, one, name))])
                    for i, one in enumerate(comparison.results)
                ),
                comparison.in_seconds,
                reference=ideal.get(name),
            )
            for name in names
        )
        said = f"Means over all jobs. {self._bars()}".strip()
        return Chart("Policies side by side", said, self.series, views)

    def _bars(self) -> str:
        comparison = self.subject
        known = any(comparison.interval(one, "response").known for one in comparison.results)
        return f"Bars are {comparison.level:.0%} intervals." if known else ""

    def _difference(self) -> list[Chart]:
        """Draw differences to the baseline; the jobs are common, so that chance is much of both."""
        first = self.subject.results[self.subject.baseline]
        if not self.subject.interval(first, "response").known:
            return []
        said = (
            "Mean response less that of the baseline, in the same replication. "
            "An interval that holds zero is no difference."
        )
        return self._difference_chart("response", said)

    def _difference_chart(self, measure: str, said: str) -> list[Chart]:
        comparison, in_seconds = self.subject, self.subject.in_seconds
        rows = []
        for i, result in enumerate(comparison.results):
            if i != comparison.baseline:
                value = difference_value(comparison.difference(i, measure), measure, in_seconds)
                value = replace(value, diverging=result.diverging)
                rows.append(Row(short_name(result.policy), (point(i, value),)))
        base = short_name(comparison.results[comparison.baseline].policy)
        axis, form = f"{heading(measure)} - {base}", form_of(measure, in_seconds)
        view = DotView("", axis, tuple(rows), form, reference=(0.0, base))
        return [Chart(f"Difference from {base}", said, self.series, (view,))] if rows else []

    def _quantiles(self) -> Chart:
        results = self.subject.results
        tables = [table_rows(result) for result in results]
        names = ("all jobs", *(one.name for one in results[0].classes))
        views = [
            quantile_view(enumerate([rows[place] for rows in tables]), name)
            for place, name in enumerate(names, start=-1)
        ]
        said = (
            "Half of the jobs, 95%, 99% and 99.9% wait no longer than this (within 1%). "
            "A cross at the top: the policy is diverging."
        )
        return Chart("Waits, from the usual to the unlucky", said, self.series, tuple(views))

    def _classes(self, names: Iterable[str], most: int | None = None) -> Chart:
        comparison = self.subject
        views = tuple(
            dots_of(
                name,
                (
                    (
                        f"{job_class.name} (need {job_class.need})",
                        [
                            point(i, compared(comparison, one, name, job_class.name))
                            for i, one in enumerate(comparison.results)
                        ],
                    )
                    for job_class in comparison.results[0].classes[:most]
                ),
                log=form_of(name) == "number",
            )
            for name in names
        )
        return Chart("Who waits", "Means of each class.", self.series, views)

    def _splits(self) -> list[Bar]:
        """Draw a bar for each split, which several policies may share."""
        found: dict[Any, list[Result]] = {}
        for result in self.subject.results:
            if result.split is not None:
                found.setdefault((result.split.slots, result.split.helpers), []).append(result)
        bars = []
        for same in found.values():
            split = same[0].split
            assert split is not None
            label = ", ".join(short_name(result.policy) for result in same)
            bars.append(split_bar(label, split, [one.name for one in same[0].classes]))
        return bars


def overall_table(comparison: Comparison, more: Sequence[str] = ()) -> Table:
    """List all jobs under each policy, and `more` measures than the one compared."""
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


def difference_value(found: Difference, measure: str, seconds: bool) -> Value:
    """Make a value of a difference, with its interval where there is one."""
    if not seconds:
        return Value(found.mean, half_width=found.half_width)
    bounds = None if found.low != found.low else (found.low, found.high)
    return Value(found.mean, form_of(measure, seconds=True), bounds=bounds)


def _ratio(result: Result, found: Interval) -> Value:
    return Value(None, diverging=True) if result.diverging else _plain(found)


def _plain(found: Interval) -> Value:
    return Value(found.mean, half_width=found.half_width)


def _to_baseline(comparison: Comparison, result: Result) -> tuple[Value, Value]:
    """Return difference and ratio, where both have a steady state."""
    baseline = comparison.results[comparison.baseline]
    if result is baseline or result.diverging or baseline.diverging:
        return Value(None), Value(None)
    return _plain(comparison.difference(result)), _plain(comparison.ratio(result))


def _classes_table(comparison: Comparison) -> Table:
    """List the measure compared, a column for each class."""
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


def _class_rows_table(comparison: Comparison) -> Table:
    """List each class under each policy, a row for each."""
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


def _ranked(ranking: Ranking) -> str:
    """Write the ranking: a < between neighbours that differ significantly, a ~ between others."""
    text = short_name(ranking.ranks[0].policy)
    for one, after in zip(ranking.ranks, ranking.ranks[1:], strict=False):
        sign = " < " if one.policy in after.worse_than else " ~ "
        text += sign + short_name(after.policy)
    return f"best first: {text}"


@dataclass(frozen=True)
class Contender:
    """A policy's mean response, its half-width (NaN: none), and whether it may be the best."""

    name: str
    mean: float
    half_width: float
    best: bool = False  # not significantly worse than the one with the shortest mean
    diverging: bool = False

    def __str__(self) -> str:
        return written(Value(self.mean, half_width=self.half_width))


def comparison_verdict(comparison: Comparison) -> list[str]:
    """Say who is best, by how much, and what must not be read into it."""
    ranking = comparison.ranking("response")
    found = [comparison.interval(result, "response") for result in comparison.results]
    contenders = [
        Contender(
            short_name(result.policy),
            interval.mean,
            interval.half_width,
            ranking.is_best(result.policy),
            result.diverging,
        )
        for result, interval in zip(comparison.results, found, strict=True)
    ]
    ideal = comparison.mean_service
    return contenders_verdict(contenders, contenders[comparison.baseline], ideal, comparison.level)


def contenders_verdict(
    contenders: Sequence[Contender], baseline: Contender, ideal: float, level: float
) -> list[str]:
    """Say the same of plain numbers; `ideal` is the mean if nobody waits."""
    settled = [one for one in contenders if not one.diverging]
    lost = [one for one in contenders if one.diverging]
    sentences = []
    if settled:
        sentences.append(_best(settled, baseline, ideal, level))
    if lost:
        names = joined([f"**{one.name}**" for one in lost])
        kept = " does not keep up: its queue" if len(lost) == 1 else " do not keep up: their queues"
        sentences.append(
            f"{names}{kept} grew throughout the run, so that there is no mean to compare."
        )
    if len(settled) > 1 and math.isnan(settled[0].half_width):
        sentences.append(
            "Without intervals nobody can tell policies apart: small differences may be chance. "
            "Run again with --replications 8."
        )
    return sentences


def _best(settled: Sequence[Contender], baseline: Contender, ideal: float, level: float) -> str:
    best, *others = sorted(settled, key=lambda one: one.mean)
    floor = f"{_excess(best.mean / ideal - 1)} the {number(ideal)} of a system where nobody waits"
    if not others:
        return f"**{best.name}** has a mean response of {best}. That is {floor}."
    gain = ""
    if best is not baseline and not baseline.diverging:
        less = rounded(1 - best.mean / baseline.mean)
        gain = f", and {less} less than {baseline.name} ({baseline})"
    text = f"**{best.name} has the shortest mean response**, {best}. That is {floor}{gain}."
    if math.isnan(best.half_width):
        return text
    close = [one for one in others if one.best]
    if close:
        names = joined([f"{one.name} ({one})" for one in close[:MOST_NAMES]])
        if len(close) > MOST_NAMES:
            names += f", and {len(close) - MOST_NAMES} others"
        return f"{text} **No significant difference** from {names}."
    return (
        f"{text} The next best, {others[0].name} ({others[0]}), "
        f"is told apart from it with {level:.0%} confidence."
    )


def _excess(share: float) -> str:
    """Say how far above; chance can put a mean below that of a system where nobody waits."""
    return "as good as" if share < 0.005 else f"{rounded(share)} above"
