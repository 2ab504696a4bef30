"""The page of `zerowait compare` on a log."""

from zerowait.experiment.comparisons.comparison import Comparison
from zerowait.report.html.chart import (
    Chart,
    Dots,
    Lines,
    Point,
    Row,
    Series,
    dots_of,
    figure,
    point,
    policy_series,
)
from zerowait.report.html.page import Page, Section, Source
from zerowait.report.html.table import html_table
from zerowait.report.html.verdict import joined
from zerowait.report.measured import form_of, heading, labelled, measures_in, replayed, value_of
from zerowait.report.numbers import duration, written
from zerowait.report.palette import looks_of, short_name
from zerowait.report.tables.log_comparison import (
    difference_value,
    groups_table,
    legend,
    policies_table,
    recorded_table,
)
from zerowait.report.waits import TICKS, counted_waits, over_time, quantile_curve

SHOWN = ("wait", "bounded_slowdown", "response", "p_wait", "utilisation")
AXIS = "share of the jobs that wait no longer"


def log_comparison_page(comparison: Comparison, command: str, subject: str = "") -> str:
    """The page as text; `subject` is what the log is called. Times are seconds."""
    results, first = comparison.results, comparison.results[0]
    looks = looks_of(result.policy for result in results)
    series = policy_series(looks)
    recorded = recorded_table(comparison)
    groups = "".join(
        _groups(comparison, series, kind) + html_table(groups_table(comparison, kind))
        for kind in ("need", "estimate")
    )
    page = Page(
        f"{subject}: " * bool(subject) + f"{len(results)} policies on {first.servers:,} servers",
        f"{first.overall.count:,} jobs counted · load {first.parameters['load']:.4g} · "
        "the same jobs for every policy",
        verdict_on_log(comparison),
        [
            Section("All jobs", _overall(comparison, series) + _differences(comparison, series)),
            Section("In numbers", html_table(policies_table(comparison), "All jobs", looks)),
            Section(
                "How long jobs wait",
                _distributions(comparison, series) + _over_time(comparison, series),
            ),
            Section("Who wins, who loses", groups),
            Section("As recorded", "" if recorded is None else html_table(recorded, looks=looks)),
        ],
        Source(
            command,
            {"servers": first.servers, "own load": first.own_load} | dict(first.parameters),
            measures_in(results),
            first.version,
        ),
        legend(comparison),
    )
    return str(page)


def verdict_on_log(comparison: Comparison) -> list[str]:
    """Who is best, by how much, and who starves."""
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


def _overall(comparison: Comparison, series: tuple[Series, ...]) -> str:
    views = tuple(
        dots_of(
            name,
            (
                (short_name(one.policy), [point(i, replayed(one, name))])
                for i, one in enumerate(comparison.results)
            ),
            seconds=True,
        )
        for name in SHOWN
        if name != "bounded_slowdown" or comparison.results[0].overall.bounded_slowdown is not None
    )
    said = "Means over all jobs. Bars are 95% intervals over the log's weeks, where it has enough."
    return figure(Chart("Policies side by side", said, series, views))


def _differences(comparison: Comparison, series: tuple[Series, ...]) -> str:
    if not comparison.n_groups or len(comparison.results) < 2:
        return ""
    base = short_name(comparison.results[comparison.baseline].policy)
    rows = tuple(
        Row(short_name(one.policy), (point(i, difference_value(comparison, found)),))
        for i, one in enumerate(comparison.results)
        if i != comparison.baseline and (found := comparison.difference(i))
    )
    name = heading(comparison.measure)
    form = form_of(comparison.measure, seconds=True)
    said = f"{name.capitalize()} less that of {base}, paired week by week; zero is no difference."
    view = Dots("", f"{name} - {base}", rows, form, reference=(0.0, base))
    return figure(Chart(f"Difference from {base}", said, series, (view,)))


def _distributions(comparison: Comparison, series: tuple[Series, ...]) -> str:
    points = []
    for i, result in enumerate(comparison.results):
        found = counted_waits(result)
        if found is not None:
            pairs = zip(*quantile_curve(found.wait), strict=True)
            points += [Point(i, float(value), x=float(x)) for x, value in pairs]
    form = form_of("wait", seconds=True)
    label = labelled("wait").label
    view = Lines("", AXIS, label, tuple(points), form, log=True, ticks=TICKS)
    said = "Read it as: 99% of the jobs wait no longer than this."
    return figure(Chart("Waits, from the usual to the unlucky", said, series, (view,)))


def _over_time(comparison: Comparison, series: tuple[Series, ...]) -> str:
    points, unit = [], ""
    for i, result in enumerate(comparison.results):
        waits = counted_waits(result)
        found = None if waits is None else over_time(waits)
        if found is None:
            return ""
        unit = found.unit
        points += [
            Point(i, float(wait) if wait == wait else None, x=float(day))
            for day, wait in zip(found.days, found.waits, strict=True)
        ]
    view = Lines(
        "", "days since the first arrival", heading("wait"), tuple(points),
        form_of("wait", seconds=True),
    )  # fmt: skip
    said = f"Mean wait of the jobs that arrived in the same {unit}."
    return figure(Chart("Bad times", said, series, (view,)))


def _groups(comparison: Comparison, series: tuple[Series, ...], kind: str) -> str:
    groups = [one for one in comparison.groups if one.kind == kind]
    rows = tuple(
        Row(
            group.name,
            tuple(
                point(i, value_of(comparison.measure, comparison.mean_of(i, group), seconds=True))
                for i in range(len(comparison.results))
            ),
        )
        for group in groups
    )
    name = heading(comparison.measure)
    view = Dots("", name, rows, form_of(comparison.measure, seconds=True))
    return figure(Chart(f"{name.capitalize()} by {kind}", "Means of each group.", series, (view,)))
