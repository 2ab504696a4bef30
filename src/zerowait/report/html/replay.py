"""The page of `zerowait replay`: one log under one policy."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerowait.experiment.replays.ready import counted_jobs
from zerowait.experiment.replays.replay import Replay
from zerowait.experiment.results.result import ClassResult, Result
from zerowait.experiment.statistics.bootstrap import BlockInterval
from zerowait.report.figures.palette import DASHES, MARKERS, Look, look_of, short_name
from zerowait.report.html.chart import Chart, Dots, Lines, Point, Row, Series, figure
from zerowait.report.html.page import Section, notes, page
from zerowait.report.html.provenance import provenance
from zerowait.report.html.split_bar import CLASS_HUES, split_bar
from zerowait.report.html.table import Cell, facts, numeric, percent, table
from zerowait.report.terminal.durations import duration
from zerowait.report.terminal.results import number

MOST_CLASSES = 12  # in charts: those with most jobs
MOST_USERS = 50
DAY_S = 86_400.0
# The shares of jobs at which waits are drawn, evenly spaced in digits of the rest.
DIGITS = np.linspace(0.0, 4.0, 161)
TICKS = ((0.0, "0%"), (0.301, "50%"), (1.0, "90%"), (2.0, "99%"), (3.0, "99.9%"), (4.0, "99.99%"))

Floats = NDArray[np.float64]


def replay_page(outcome: Replay, command: str, subject: str = "") -> str:
    """The page as text; `subject` is what the log is called. Times are seconds."""
    result = outcome
    split = result.split and split_bar(
        short_name(result.policy), result.split, [one.name for one in result.classes], CLASS_HUES
    )
    parameters = {"servers": result.servers, "own load": outcome.own_load}
    return page(
        f"{subject} under {short_name(result.policy)}" if subject else short_name(result.policy),
        f"{result.overall.count:,} jobs counted · {result.servers:,} servers · "
        f"load {number(result.parameters['load'])}",
        _summary(outcome),
        [
            Section("At a glance", _headline(outcome)),
            Section("How long jobs wait", _distribution(result) + _over_time(result)),
            Section("By class", _classes(outcome) + _class_table(outcome)),
            Section("Where the servers go", split or ""),
            Section("By user", _users(outcome)),
            Section("Notes", notes(outcome.notes)),
            provenance(
                parameters | dict(result.parameters),
                result.version,
                command,
                result.split is not None,
            ),
        ],
    )


def _summary(outcome: Replay) -> list[str]:
    result = outcome
    wait = result.overall.wait
    name = short_name(result.policy)
    sentences = []
    if result.diverging:
        sentences.append(
            f"**{name} does not keep up with this log**: its queue grew throughout, so that the "
            "mean wait depends on how long the log is."
        )
    else:
        sentences.append(
            f"Under **{name}** the mean wait is **{duration(wait.mean)}**{_range(outcome)}. "
            f"{100 * (1 - result.p_wait):.3g}% of the jobs start at once; one in a hundred waits "
            f"longer than {duration(wait.p99)}."
        )
    if outcome.intervals is not None:
        sentences.append(
            f"Intervals come from drawing the log's {outcome.intervals.blocks} weeks again: one "
            "log is one sample, and users would have reacted to other waits."
        )
    elif not result.diverging:
        sentences.append("One log is one sample: this mean has no interval.")
    return sentences


def _range(outcome: Replay) -> str:
    if outcome.intervals is None:
        return ""
    found = outcome.intervals.overall["wait"]
    return f" (95% interval {duration(found.low)} to {duration(found.high)})"


def _headline(outcome: Replay) -> str:
    result, overall = outcome, outcome.overall
    lost = "diverging" if result.diverging else None
    bounded = overall.bounded_slowdown
    rows = [
        (lost or duration(overall.wait.mean), "mean wait"),
        (lost or duration(overall.wait.p50), "median wait"),
        (lost or duration(overall.wait.p99), "99% wait no longer"),
        (lost or number(bounded.mean if bounded else overall.slowdown.mean),
         "mean bounded slowdown" if bounded else "mean slowdown"),
        (f"{100 * overall.p_wait:.3g}%", "of the jobs wait"),
        (f"{100 * overall.utilisation:.3g}%", "utilisation"),
    ]  # fmt: skip
    return facts([(label, value) for value, label in rows]).replace("facts", "big", 1)


def _biggest(result: Result) -> list[tuple[int, ClassResult]]:
    """The classes to draw, in the order of the result."""
    order = sorted(range(len(result.classes)), key=lambda i: -result.classes[i].count)
    return [(i, result.classes[i]) for i in sorted(order[:MOST_CLASSES]) if result.classes[i].count]


def _class_looks(result: Result) -> tuple[Series, ...]:
    """All jobs in grey, then the classes in their own looks."""
    classes = [
        Series(
            one.name, Look(CLASS_HUES[i % len(CLASS_HUES)], MARKERS[i % 4], DASHES[1 + i // 7 % 3])
        )
        for i, one in _biggest(result)
    ]
    return (Series("all jobs", Look("grey")), *classes)


def _counted(result: Result) -> tuple[Floats, Floats, NDArray[Any]]:
    """Arrival, wait and class of the jobs that count."""
    assert result.jobs is not None
    given = result.parameters
    first, end = counted_jobs(result.jobs.height, given["warmup"], given["cooldown"])
    jobs = result.jobs[first:end]
    arrival, wait = (
        column.to_numpy().astype(np.float64)
        for column in (jobs["arrival"], jobs["end"] - jobs["arrival"] - jobs["service"])
    )
    labels, which = np.unique(result.jobs["job_class"].to_numpy(), return_inverse=True)
    assert len(labels) == len(result.classes)
    return arrival, np.maximum(wait, 0.0), which[first:end]


def _distribution(result: Result) -> str:
    if result.jobs is None:
        return ""
    _, wait, which = _counted(result)
    points = _quantile_points(0, wait)
    for series, (i, _) in enumerate(_biggest(result), start=1):
        points += _quantile_points(series, wait[which == i])
    view = Lines("", "share of the jobs that wait no longer", "wait", tuple(points), "duration",
                 log=True, ticks=TICKS)  # fmt: skip
    return figure(
        Chart(
            "Waits, from the usual to the unlucky",
            "Read it as: 99% of the jobs wait no longer than this. A line ends where a class has "
            "too few jobs to say more.",
            _class_looks(result),
            (view,),
        )
    )


def _quantile_points(series: int, waits: Floats) -> list[Point]:
    if waits.size == 0:
        return []
    digits = DIGITS[max(np.log10(waits.size), 0.302) >= DIGITS]
    values = np.quantile(waits, 1 - 10.0**-digits)
    return [Point(series, float(v), x=float(x)) for x, v in zip(digits, values, strict=True)]


def _over_time(result: Result) -> str:
    """Mean waits by the time of arrival: which weeks, or days, were bad."""
    if result.jobs is None:
        return ""
    arrival, wait, _ = _counted(result)
    span = float(arrival[-1] - arrival[0]) if arrival.size else 0.0
    length, name = (7 * DAY_S, "week") if span > 60 * DAY_S else (DAY_S, "day")
    if span < 3 * length:
        return ""
    bins = ((arrival - arrival[0]) // length).astype(np.int64)
    counts = np.bincount(bins)
    sums = np.bincount(bins, weights=wait)
    points = tuple(
        Point(0, float(sums[i] / counts[i]) if counts[i] else None, x=float(i * length / DAY_S))
        for i in range(len(counts))
    )
    view = Lines("", "days since the first arrival", "mean wait", points, "duration")
    return figure(
        Chart(
            "Bad times",
            f"Mean wait of the jobs that arrived in the same {name}.",
            (Series("all jobs", look_of(result.policy)),),
            (view,),
        )
    )


def _interval_point(value: float, found: BlockInterval | None, series: int) -> Point:
    if value != value:
        return Point(series, None)
    if found is None or not np.isfinite([found.low, found.high]).all():
        return Point(series, value)
    return Point(series, value, found.low, found.high)


def _classes(outcome: Replay) -> str:
    result, found = outcome, outcome.intervals
    shown = _biggest(result)

    def view(measure: str, name: str, form: str) -> Dots:
        rows = []
        for series, (i, one) in enumerate(shown, start=1):
            value = getattr(one, measure)
            mean = float(value if isinstance(value, float) else value.mean)
            interval = found.classes[i].get(measure) if found else None
            lost = result.diverging and form == "duration"
            dot = Point(series, None, diverging=True)
            if not lost:
                dot = _interval_point(mean, interval, series)
            rows.append(Row(one.name, (dot,)))
        return Dots(name, name, tuple(rows), form)

    views = (
        view("wait", "mean wait", "duration"),
        view("response", "mean response", "duration"),
        view("p_wait", "P(wait)", "share"),
    )
    more = len(result.classes) - len(shown)
    return figure(
        Chart(
            "Who waits",
            "Means of each class" + (f"; {more} with fewer jobs are not drawn." if more else "."),
            _class_looks(result),
            views,
        )
    )


def _class_table(outcome: Replay) -> str:
    head = ["class", "need", "jobs", "response", "wait", "wait p95", "wait p99", "slowdown",
            "P(wait)", "utilisation"]  # fmt: skip
    rows = []
    for one in outcome.classes:
        times = [one.response.mean, one.wait.mean, one.wait.p95, one.wait.p99]
        means = [numeric(time, duration(time)) for time in times] + [numeric(one.slowdown.mean)]
        if outcome.diverging:
            means = [Cell("diverging"), *[Cell("–")] * 4]
        rows.append(
            [
                Cell(one.name), numeric(one.need), numeric(one.count, f"{one.count:,}"), *means,
                percent(one.p_wait), percent(one.utilisation),
            ]
        )  # fmt: skip
    return table("Each class.", head, rows)


def _users(outcome: Replay) -> str:
    if not outcome.users:
        return ""
    head = ["user", "jobs", "share of the work", "wait", "response", "bounded slowdown", "P(wait)"]
    rows = [
        [
            Cell(one.user), numeric(one.jobs, f"{one.jobs:,}"), percent(one.work),
            numeric(one.wait, duration(one.wait)), numeric(one.response, duration(one.response)),
            numeric(one.bounded_slowdown), percent(one.p_wait),
        ]
        for one in outcome.users[:MOST_USERS]
    ]  # fmt: skip
    return table(f"{len(rows)} of {len(outcome.users)} users, by work.", head, rows)
