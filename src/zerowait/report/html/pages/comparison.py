"""The page of `zerowait compare`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from zerowait.experiment.comparisons.comparison import Comparison
from zerowait.experiment.measures import MEASURES, QUANTILES
from zerowait.experiment.results.result import Result
from zerowait.report.html.chart import (
    Chart,
    Dots,
    Lines,
    Row,
    Series,
    dots_of,
    figure,
    point,
    policy_series,
)
from zerowait.report.html.page import Page, Section, Source
from zerowait.report.html.split_bar import split_bar
from zerowait.report.html.table import html_table
from zerowait.report.html.verdict import verdict
from zerowait.report.measured import (
    compared,
    form_of,
    heading,
    measures_in,
    row_value,
    table_rows,
)
from zerowait.report.numbers import Value, digits_of_rest, percent
from zerowait.report.palette import looks_of, short_name
from zerowait.report.tables.comparison import class_rows_table, overall_table

SHOWN = ("response", "wait", "slowdown", "p_wait", "utilisation")
OF_CLASSES = ("wait", "response", "slowdown", "p_wait")


def comparison_page(comparison: Comparison, command: str, subject: str = "") -> str:
    """The page as text; `subject` is what the workload is called."""
    results, first = comparison.results, comparison.results[0]
    looks = looks_of(result.policy for result in results)
    n = len(first.replicates)
    load = first.parameters.get("load")
    subtitle = [
        *([f"load {load:.4g}"] if load is not None else []),
        f"{first.overall.count:,} jobs counted",
        f"{n} replications" if n > 1 else "one replication",
        "the same jobs for every policy",
    ]
    series = policy_series(looks)
    numbers = html_table(overall_table(comparison, more=("wait", "slowdown")), "All jobs", looks)
    classes = _classes(comparison, series) + html_table(class_rows_table(comparison), looks=looks)
    page = Page(
        f"{subject}: " * bool(subject) + f"{len(results)} policies on {first.servers:,} servers",
        " · ".join(subtitle),
        verdict(comparison),
        [
            Section("All jobs", _overall(comparison, series) + _difference(comparison, series)),
            Section("In numbers", numbers),
            Section("How long jobs wait", _quantiles(results, series)),
            Section("By class", classes),
            Section("Where the servers go", _splits(results)),
        ],
        Source(
            command,
            {"servers": first.servers} | dict(first.parameters),
            measures_in(results),
            first.version,
        ),
        [f"{short_name(one.policy)}: {note}" for one in results for note in one.notes],
    )
    return str(page)


def _overall(comparison: Comparison, series: tuple[Series, ...]) -> str:
    ideal = {"response": (comparison.mean_service, "nobody waits")}
    views = tuple(
        dots_of(
            name,
            (
                (short_name(one.policy), [point(i, compared(comparison, one, name))])
                for i, one in enumerate(comparison.results)
            ),
            reference=ideal.get(name),
        )
        for name in SHOWN
    )
    known = any(comparison.interval(one, "response").known for one in comparison.results)
    said = f"Means over all jobs. Bars are {comparison.level:.0%} intervals."
    if not known:
        said = "Means over all jobs."
    return figure(Chart("Policies side by side", said, series, views))


def _difference(comparison: Comparison, series: tuple[Series, ...]) -> str:
    """Differences to the baseline; the jobs are common, so that chance is much of both."""
    first = comparison.results[comparison.baseline]
    if len(comparison.results) < 2 or not comparison.interval(first, "response").known:
        return ""
    rows = []
    for i, result in enumerate(comparison.results):
        found = comparison.difference(result, "response")
        value = Value(found.mean, half_width=found.half_width, diverging=result.diverging)
        if result is not first:
            rows.append(Row(short_name(result.policy), (point(i, value),)))
    baseline = short_name(first.policy)
    axis = f"{heading('response')} - {baseline}"
    said = (
        "Mean response less that of the baseline, in the same replication. "
        "An interval that holds zero is no difference."
    )
    view = Dots("", axis, tuple(rows), reference=(0.0, baseline))
    return figure(Chart(f"Difference from {baseline}", said, series, (view,)))


def _quantiles(results: Sequence[Result], series: tuple[Series, ...]) -> str:
    tables = [table_rows(result) for result in results]
    ticks = tuple((digits_of_rest(part), percent(part)) for part in QUANTILES.values())

    def view(place: int, label: str) -> Lines:
        points = tuple(
            point(i, replace(row_value(rows[place], f"wait_{key}"), half_width=None), x)
            for i, rows in enumerate(tables)
            for key, (x, _) in zip(QUANTILES, ticks, strict=True)
        )
        axis = "share of the jobs that wait no longer"
        name, form = MEASURES["wait"].label, form_of("wait")
        return Lines(label, axis, name, points, form, log=True, ticks=ticks)

    views = [view(-1, "all jobs")]
    views += [view(i, one.name) for i, one in enumerate(results[0].classes)]
    said = (
        "Half of the jobs, 95%, 99% and 99.9% wait no longer than this (within 1%). "
        "A cross at the top: the policy is diverging."
    )
    return figure(Chart("Waits, from the usual to the unlucky", said, series, tuple(views)))


def _classes(comparison: Comparison, series: tuple[Series, ...]) -> str:
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
                for job_class in comparison.results[0].classes
            ),
            log=form_of(name) == "number",
        )
        for name in OF_CLASSES
    )
    return figure(Chart("Who waits", "Means of each class.", series, views))


def _splits(results: Sequence[Result]) -> str:
    """Policies with the same split share one bar."""
    found: dict[Any, list[Result]] = {}
    for result in results:
        if result.split is not None:
            found.setdefault((result.split.slots, result.split.helpers), []).append(result)
    bars = []
    for same in found.values():
        split = same[0].split
        assert split is not None
        label = ", ".join(short_name(result.policy) for result in same)
        bars.append(split_bar(label, split, [one.name for one in same[0].classes]))
    return "".join(bars)
