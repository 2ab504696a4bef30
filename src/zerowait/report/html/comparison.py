"""The page of `zerowait compare`."""

import math
from collections.abc import Sequence
from typing import Any

from zerowait.experiment.comparisons.compare import Comparison
from zerowait.experiment.results.result import Result
from zerowait.report.figures.palette import short_name
from zerowait.report.html.chart import Chart, Dots, Lines, Point, Row, figure, policy_series
from zerowait.report.html.page import Section, notes, page
from zerowait.report.html.provenance import provenance
from zerowait.report.html.split_bar import split_bar
from zerowait.report.html.table import Cell, numeric, percent, plus_minus, policy_cell, table
from zerowait.report.html.verdict import verdict

# Measure, name, format, and whether a run that diverged has it all the same.
SHOWN = (
    ("response", "mean response", "number", False),
    ("wait", "mean wait", "number", False),
    ("slowdown", "mean slowdown", "number", False),
    ("p_wait", "P(wait)", "share", True),
    ("utilisation", "utilisation", "share", True),
)
# Quantile, digits of the rest, name.
QUANTILES = (
    ("p50", 0.301, "50%"),
    ("p95", 1.301, "95%"),
    ("p99", 2.0, "99%"),
    ("p999", 3.0, "99.9%"),
)


def comparison_page(comparison: Comparison, command: str, subject: str = "") -> str:
    """The page as text; `subject` is what the workload is called."""
    results = comparison.results
    first = results[0]
    n = len(first.replicates)
    load = first.parameters.get("load")
    counted = f"{first.overall.count:,} jobs counted"
    return page(
        f"{subject}: " * bool(subject) + f"{len(results)} policies on {first.servers:,} servers",
        " · ".join(
            [
                *([f"load {load:.4g}"] if load is not None else []),
                counted,
                f"{n} replications" if n > 1 else "one replication",
                "the same jobs for every policy",
            ]
        ),
        verdict(comparison),
        [
            Section("All jobs", _overall(comparison) + _difference(comparison)),
            Section("In numbers", _table(comparison)),
            Section("How long jobs wait", _quantiles(results)),
            Section("By class", _classes(comparison) + _class_table(comparison)),
            Section("Where the servers go", _splits(results)),
            Section("Notes", notes(_notes(results))),
            provenance(
                {"servers": first.servers} | dict(first.parameters),
                first.version,
                command,
                any(result.split for result in results),
            ),
        ],
    )


def point(series: int, row: dict[str, Any], measure: str, diverging: bool = False) -> Point:
    """A mean with its interval, where the table of a result has one."""
    value, half = row[measure], row.get(f"{measure}_half_width")
    if diverging or value is None or value != value:
        return Point(series, None, diverging=diverging)
    if half is None or half != half:
        return Point(series, value)
    return Point(series, value, value - half, value + half)


def class_rows(comparison: Comparison, result: Result) -> list[dict[str, Any]]:
    """One row per class; means are the comparison's own estimates."""
    rows = result.table().to_dicts()[:-1]
    for row in rows if not result.diverging else []:
        for measure, *_ in SHOWN:
            found = comparison.interval(result, measure, row["job_class"])
            row |= {measure: found.mean, f"{measure}_half_width": found.half_width}
    return rows


def estimate(comparison: Comparison, number: int, measure: str, always: bool) -> Point:
    """The comparison's own estimate; of what diverges only a share, and without an interval."""
    result = comparison.results[number]
    if result.diverging:
        return point(number, {measure: getattr(result, measure)}, measure, not always)
    found = comparison.interval(result, measure)
    row = {measure: found.mean, f"{measure}_half_width": found.half_width}
    return point(number, row, measure)


def _notes(results: Sequence[Result]) -> list[str]:
    """Each with its policy; what is said of a policy's runs is not said of all."""
    return [f"{short_name(one.policy)}: {note}" for one in results for note in one.notes]


def _overall(comparison: Comparison) -> str:
    results = comparison.results
    views = tuple(
        Dots(
            name,
            name,
            tuple(
                Row(short_name(result.policy), (estimate(comparison, i, measure, always),))
                for i, result in enumerate(results)
            ),
            form,
            reference=(comparison.mean_service, "nobody waits") if measure == "response" else None,
        )
        for measure, name, form, always in SHOWN
    )
    known = any(comparison.interval(result, "response").known for result in results)
    intervals = f"Bars are {comparison.level:.0%} intervals." if known else ""
    return figure(
        Chart(
            "Policies side by side",
            f"Means over all jobs. {intervals}".rstrip(),
            policy_series([result.policy for result in results]),
            views,
        )
    )


def _difference(comparison: Comparison) -> str:
    """Differences to the baseline; the jobs are common, so that chance is much of both."""
    first = comparison.results[comparison.baseline]
    if len(comparison.results) < 2 or not comparison.interval(first, "response").known:
        return ""
    rows = []
    for i, result in enumerate(comparison.results):
        if result is first:
            continue
        found = comparison.difference(result, "response")
        dot = Point(i, None, diverging=True)
        if not result.diverging:
            low, high = found.mean - found.half_width, found.mean + found.half_width
            dot = Point(i, found.mean, low, high)
        rows.append(Row(short_name(result.policy), (dot,)))
    baseline = short_name(first.policy)
    return figure(
        Chart(
            f"Difference from {baseline}",
            "Mean response less that of the baseline, in the same replication. "
            "An interval that holds zero is no difference.",
            policy_series([result.policy for result in comparison.results]),
            (Dots("", f"mean response - {baseline}", tuple(rows), reference=(0.0, baseline)),),
        )
    )


def _quantiles(results: Sequence[Result]) -> str:
    def view(label: str, place: int | None) -> Lines:
        points = []
        for i, result in enumerate(results):
            wait = (result.overall if place is None else result.classes[place]).wait
            for key, x, _ in QUANTILES:
                value = None if result.diverging else getattr(wait, key)
                points.append(Point(i, value, x=x, diverging=result.diverging))
        ticks = tuple((x, name) for _, x, name in QUANTILES)
        return Lines(label, "share of the jobs that wait no longer", "wait", tuple(points),
                     log=True, ticks=ticks)  # fmt: skip

    views = [view("all jobs", None)]
    views += [view(one.name, i) for i, one in enumerate(results[0].classes)]
    return figure(
        Chart(
            "Waits, from the usual to the unlucky",
            "Half of the jobs, 95%, 99% and 99.9% wait no longer than this (within 1%). "
            "A cross at the top: the policy is diverging.",
            policy_series([result.policy for result in results]),
            tuple(views),
        )
    )


def _classes(comparison: Comparison) -> str:
    results = comparison.results
    tables = [class_rows(comparison, result) for result in results]
    views = tuple(
        Dots(
            name,
            name,
            tuple(
                Row(
                    f"{one.name} (need {one.need})",
                    tuple(
                        point(i, tables[i][k], measure, result.diverging and not always)
                        for i, result in enumerate(results)
                    ),
                )
                for k, one in enumerate(results[0].classes)
            ),
            form,
            log=form == "number",
        )
        for measure, name, form, always in (SHOWN[1], SHOWN[0], *SHOWN[2:4])
    )
    return figure(
        Chart(
            "Who waits",
            "Means of each class.",
            policy_series([result.policy for result in results]),
            views,
        )
    )


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


def _table(comparison: Comparison) -> str:
    baseline = comparison.results[comparison.baseline]
    head = ["policy", "mean response", "/ ideal", f"- {short_name(baseline.policy)}",
            "wait", "wait p99", "slowdown", "P(wait)", "utilisation", "routed",
            "helpers"]  # fmt: skip
    rows = []
    for result in comparison.results:
        means = [Cell("diverging"), *[Cell("–")] * 5]
        if not result.diverging:
            parts = [
                comparison.interval(result, "response"),
                comparison.ratio_to_ideal(result),
                comparison.difference(result, "response"),
                comparison.interval(result, "wait"),
                comparison.interval(result, "slowdown"),
            ]
            means = [plus_minus(one.mean, one.half_width) for one in parts]
            means.insert(4, numeric(result.overall.wait.p99))
            if result is baseline:
                means[2] = Cell("–")
        shares = [result.p_wait, result.utilisation, math.nan, math.nan]
        if result.split:
            shares[2:] = [result.routed_to_helpers, result.served_by_helpers]
        rows.append([policy_cell(result.policy), *means, *map(percent, shares)])
    return table("All jobs.", head, rows)


def _class_table(comparison: Comparison) -> str:
    head = ["class", "policy", "need", "jobs", "response", "wait", "wait p95", "wait p99",
            "wait p99.9", "slowdown", "P(wait)"]  # fmt: skip
    rows = []
    for result in comparison.results:
        for row in class_rows(comparison, result):
            means = [
                plus_minus(row["response"], row.get("response_half_width")),
                plus_minus(row["wait"], row.get("wait_half_width")),
                *(numeric(row[f"wait_{key}"]) for key in ("p95", "p99", "p999")),
                numeric(row["slowdown"]),
            ]
            if result.diverging:
                means = [Cell("diverging"), *[Cell("–")] * 5]
            rows.append(
                [
                    Cell(row["job_class"]), policy_cell(result.policy), numeric(row["need"]),
                    numeric(row["count"], f"{row['count']:,}"), *means, percent(row["p_wait"]),
                ]
            )  # fmt: skip
    return table("Each class under each policy.", head, rows)
