"""The page of `zerowait replay`: one log under one policy."""

from zerowait.experiment.results.result import ClassResult, Result
from zerowait.model.quantities import Floats
from zerowait.report.html.chart import Chart, Lines, Point, Series, dots_of, figure, point
from zerowait.report.html.page import Page, Section, Source
from zerowait.report.html.split_bar import split_bar
from zerowait.report.html.table import facts, html_table
from zerowait.report.measured import (
    form_of,
    heading,
    labelled,
    measures_in,
    replayed,
    row_value,
    table_rows,
)
from zerowait.report.numbers import duration, percent, written
from zerowait.report.palette import CLASS_HUES, DASHES, MARKERS, Look, look_of, short_name
from zerowait.report.tables.replay import users_table
from zerowait.report.tables.results import result_table
from zerowait.report.waits import TICKS, counted_waits, over_time, quantile_curve

MOST_CLASSES = 12  # in charts: those with most jobs
MOST_USERS = 50
GLANCE = ("wait", "wait_p50", "wait_p99", "wait_max", "bounded_slowdown", "p_wait", "utilisation")
OF_CLASSES = ("wait", "response", "p_wait")


def replay_page(outcome: Result, command: str, subject: str = "") -> str:
    """The page as text; `subject` is what the log is called. Times are seconds."""
    result = outcome
    name = short_name(result.policy)
    names = [one.name for one in result.classes]
    split = split_bar(name, result.split, names, CLASS_HUES) if result.split else ""
    classes = html_table(result_table(result, most=None), "Each class")
    users = html_table(users_table(outcome, MOST_USERS)) if outcome.users else ""
    page = Page(
        f"{subject} under {name}" if subject else name,
        f"{result.overall.count:,} jobs counted · {result.servers:,} servers · "
        f"load {result.parameters['load']:.4g}",
        _summary(outcome),
        [
            Section("At a glance", _headline(result)),
            Section("How long jobs wait", _distribution(result) + _over_time(result)),
            Section("By class", _classes(outcome) + classes),
            Section("Where the servers go", split),
            Section("By user", users),
        ],
        Source(
            command,
            {"servers": result.servers, "own load": outcome.own_load} | dict(result.parameters),
            measures_in([result]),
            result.version,
        ),
        [*outcome.notes, *result.notes],
    )
    return str(page)


def _summary(outcome: Result) -> list[str]:
    result = outcome
    wait = result.overall.wait
    name = short_name(result.policy)
    longest = duration(wait.max)
    if outcome.longest is not None:
        longest += f", of {outcome.longest}"
    sentences = []
    if result.diverging:
        sentences.append(
            f"**{name} does not keep up with this log**: its queue grew throughout, so that the "
            "mean wait depends on how long the log is."
        )
    else:
        sentences.append(
            f"Under **{name}** the mean wait is **{duration(wait.mean)}**{_range(outcome)}. "
            f"{percent(1 - result.p_wait)} of the jobs start at once; one in a hundred waits "
            f"longer than {duration(wait.p99)}, and the longest wait is {longest}."
        )
    if outcome.samples is not None:
        sentences.append(
            f"Intervals come from the log's {outcome.n_groups} weeks: one "
            "log is one sample, and users would have reacted to other waits."
        )
    elif not result.diverging:
        sentences.append("One log is one sample: this mean has no interval.")
    return sentences


def _range(outcome: Result) -> str:
    found = outcome.interval("wait")
    if not found.known:
        return ""
    return f" (95% interval {duration(found.low)} to {duration(found.high)})"


def _headline(result: Result) -> str:
    everybody = table_rows(result)[-1]
    shown = [name for name in GLANCE if everybody.get(name) is not None or result.diverging]
    rows = [(heading(name), written(row_value(everybody, name, seconds=True))) for name in shown]
    return facts(rows, "big")


def _biggest(result: Result) -> list[tuple[int, ClassResult]]:
    """The classes to draw, in the order of the result."""
    order = sorted(range(len(result.classes)), key=lambda i: -result.classes[i].count)
    return [(i, result.classes[i]) for i in sorted(order[:MOST_CLASSES]) if result.classes[i].count]


def _class_looks(result: Result) -> tuple[Series, ...]:
    """All jobs in grey, then the classes in their own looks."""
    markers = list(MARKERS)
    classes = [
        Series(
            one.name,
            Look(CLASS_HUES[i % len(CLASS_HUES)], markers[i % len(markers)], DASHES[1 + i % 3]),
        )
        for i, one in _biggest(result)
    ]
    return (Series("all jobs", Look("grey")), *classes)


def _distribution(result: Result) -> str:
    found = counted_waits(result)
    if found is None:
        return ""
    points = _curve(0, found.wait)
    for series, (i, _) in enumerate(_biggest(result), start=1):
        points += _curve(series, found.wait[found.job_class == i])
    axis = "share of the jobs that wait no longer"
    form = form_of("wait", seconds=True)
    view = Lines("", axis, labelled("wait").label, tuple(points), form, log=True, ticks=TICKS)
    return figure(
        Chart(
            "Waits, from the usual to the unlucky",
            "Read it as: 99% of the jobs wait no longer than this. A line ends where a class has "
            "too few jobs to say more.",
            _class_looks(result),
            (view,),
        )
    )


def _curve(series: int, waits: Floats) -> list[Point]:
    pairs = zip(*quantile_curve(waits), strict=True)
    return [Point(series, float(value), x=float(x)) for x, value in pairs]


def _over_time(result: Result) -> str:
    waits = counted_waits(result)
    found = None if waits is None else over_time(waits)
    if found is None:
        return ""
    points = tuple(
        Point(0, float(wait) if wait == wait else None, x=float(day))
        for day, wait in zip(found.days, found.waits, strict=True)
    )
    form = form_of("wait", seconds=True)
    return figure(
        Chart(
            "Bad times",
            f"Mean wait of the jobs that arrived in the same {found.unit}.",
            (Series("all jobs", look_of(result.policy)),),
            (Lines("", "days since the first arrival", heading("wait"), points, form),),
        )
    )


def _classes(outcome: Result) -> str:
    shown = _biggest(outcome)
    views = tuple(
        dots_of(
            name,
            (
                (one.name, [point(series, replayed(outcome, name, i))])
                for series, (i, one) in enumerate(shown, start=1)
            ),
            seconds=True,
        )
        for name in OF_CLASSES
    )
    more = len(outcome.classes) - len(shown)
    said = "Means of each class" + (f"; {more} with fewer jobs are not drawn." if more else ".")
    return figure(Chart("Who waits", said, _class_looks(outcome), views))
