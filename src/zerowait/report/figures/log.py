"""The figures of a log's page, one function each."""

from typing import Any

import numpy as np

from zerowait.report.figures.frame import colour, new_axes
from zerowait.traces import Log, TraceInfo
from zerowait.traces.classes import group
from zerowait.traces.description.rhythm import DAYS, WEEK_S

MOST_LINES = 8  # more classes than this are told apart by nobody
MOST_POINTS = 600  # of a distribution function


def _distribution(axes: Any, values: Any, **look: Any) -> None:
    """The share of values that are larger, at the quantiles: the file stays small."""
    ordered = np.sort(values)
    at = np.unique(np.linspace(0, len(ordered) - 1, MOST_POINTS).astype(int))
    axes.step(np.maximum(ordered[at], 0.5), 1 - at / len(ordered), where="post", **look)


def needs_figure(info: TraceInfo) -> Any:
    """Who asks for how much, and who uses the machine."""
    rows = info.classes[:-1]
    figure, axes = new_axes(title="Jobs and work by class")
    at = np.arange(len(rows))
    axes.bar(at - 0.2, [one.share for one in rows], 0.4, label="jobs", color=colour(0))
    axes.bar(at + 0.2, [one.work for one in rows], 0.4, label="work", color=colour(1))
    labels = [one.name.removeprefix("need ").split(" as ")[0] for one in rows]
    step = max(len(rows) // 16, 1)
    axes.set_xticks(at[::step], labels[::step], rotation=0 if len(rows) < 9 else 60)
    axes.set_xlabel(f"need ({info.unit})")
    axes.set_ylabel("share")
    axes.legend()
    return figure


def service_figure(log: Log, info: TraceInfo) -> Any:
    grouped = group(log.jobs, info.grouping)
    service = np.asarray(log.jobs.service)
    figure, axes = new_axes(title="Service times by class")
    biggest = np.argsort(-np.bincount(grouped.index), kind="stable")[:MOST_LINES]
    for number, which in enumerate(sorted(biggest)):
        times = service[grouped.index == which]
        dashed = "-" if number < 4 else "--"
        label = grouped.names[which]
        _distribution(axes, times, color=colour(number), label=label, linestyle=dashed)
    _log_times(axes, "service time, at least")
    axes.legend(ncols=2)
    return figure


def gaps_figure(log: Log) -> Any:
    gaps = np.diff(np.asarray(log.jobs.arrival))
    figure, axes = new_axes(title="Gaps between arrivals")
    if len(gaps) and gaps.mean() > 0:
        _distribution(axes, gaps, color=colour(0), label="in the log")
        x = np.geomspace(0.5, max(float(gaps.max()), 1.0), 200)
        axes.plot(x, np.exp(-x / gaps.mean()), "--", color=colour(1), label="Poisson, same rate")
        axes.legend()
    _log_times(axes, "gap, at least")
    return figure


def _log_times(axes: Any, label: str) -> None:
    axes.set_xscale("log")
    ticks = {1: "1 s", 60: "1 min", 3600: "1 h", 86_400: "1 d", 604_800: "1 w", 31_536_000: "1 y"}
    low, high = axes.get_xlim()
    shown = {at: text for at, text in ticks.items() if low <= at <= high}
    axes.set_xticks(list(shown), list(shown.values()), minor=False)
    axes.minorticks_off()
    axes.set_xlabel(label)
    axes.set_ylabel("share of them")
    axes.set_ylim(0, 1)


def hours_figure(info: TraceInfo) -> Any:
    """Arrivals by hour of the day and day of the week."""
    figure, axes = new_axes(title=f"Arrivals by the hour, {info.rhythm.clock}")
    axes.title.set_fontsize(9)
    table = np.array(info.rhythm.by_hour_of_week).reshape(7, 24)
    picture = axes.imshow(table, aspect="auto", cmap="Blues", interpolation="nearest", vmin=0)
    axes.grid(visible=False)
    days = DAYS if info.rhythm.dated else [f"day {day}" for day in range(1, 8)]
    axes.set_yticks(range(7), days)
    axes.set_xticks(range(0, 24, 3), [f"{hour}:00" for hour in range(0, 24, 3)])
    figure.colorbar(picture, ax=axes, label="jobs")
    return figure


def weeks_figure(info: TraceInfo) -> Any:
    """Load that arrives in each week; the last week is not whole, and left out."""
    figure, axes = new_axes(title="Work that arrives each week")
    weeks = np.array(info.rhythm.weeks)
    weeks = weeks[:-1] if len(weeks) > 1 else weeks
    if info.servers:
        weeks = weeks / (info.servers * WEEK_S)
        axes.axhline(1, color="#444444", linewidth=1)
        axes.text(0, 1.01, " all the machine can do", fontsize=8, va="bottom")
        if info.offered_load is not None:
            axes.axhline(info.offered_load, color=colour(1), linestyle="--", linewidth=1)
    axes.bar(np.arange(len(weeks)), weeks, 1.0, color=colour(0))
    axes.set_xlabel("week of the log")
    axes.set_ylabel("offered load" if info.servers else "work (servers x s)")
    return figure


def estimates_figure(info: TraceInfo) -> Any:
    assert info.estimates is not None
    figure, axes = new_axes(title="How much of the estimate jobs use")
    counts = np.array(info.estimates.histogram) / info.estimates.jobs
    axes.bar(np.arange(20) * 5 + 2.5, counts[:20], 4.6, color=colour(0))
    axes.bar([105], counts[20:], 8, color=colour(3))
    axes.set_xticks([0, 25, 50, 75, 100, 107], ["0", "25", "50", "75", "100%", "\nlonger"])
    axes.set_xlabel("service / estimate")
    axes.set_ylabel("share of jobs")
    return figure


def users_figure(info: TraceInfo) -> Any:
    assert info.users is not None
    figure, axes = new_axes(title="Biggest users")
    rows = info.users.biggest[::-1]
    at = np.arange(len(rows))
    axes.barh(at + 0.2, [one.work for one in rows], 0.4, color=colour(1), label="work")
    axes.barh(at - 0.2, [one.share for one in rows], 0.4, color=colour(0), label="jobs")
    # A name may hold a dollar sign, which would start a formula.
    names = [one.user.replace("$", r"\$") for one in rows]
    axes.set_yticks(at, [name if len(name) <= 16 else name[:15] + "…" for name in names])
    axes.set_xlabel("share")
    axes.legend(loc="lower right")
    return figure
