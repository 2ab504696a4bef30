"""The figures of a log, one function each that draws into given axes."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from zerowait.model.quantities import WEEK_S
from zerowait.report.figures.canvas import SOFT, plain
from zerowait.report.palette import HUES
from zerowait.traces.classes import group
from zerowait.traces.description import TraceInfo
from zerowait.traces.log import Log
from zerowait.traces.variability import DAYS

COLOURS = [pair[0] for pair in HUES.values()]
JOBS, WORK, OTHER = HUES["blue"][0], HUES["orange"][0], HUES["vermillion"][0]
MOST_LINES = 8  # more classes than this are told apart by nobody
MOST_POINTS = 300  # of a distribution function
MOST_TICKS = 12
LONGEST_NAME = 16  # letters
TIMES = {1: "1 s", 60: "1 min", 3600: "1 h", 86_400: "1 d", 604_800: "1 w", 31_536_000: "1 y"}


def log_drawings(log: Log, info: TraceInfo) -> dict[str, Callable[[Any], None]]:
    """Return what there is to draw, by name, as functions of the axes."""
    found: dict[str, Callable[[Any], None]] = {
        "needs": partial(draw_needs, info=info),
        "service": partial(draw_service, log=log, info=info),
        "weeks": partial(draw_weeks, info=info),
        "hours": partial(draw_hours, info=info),
        "gaps": partial(draw_gaps, log=log),
    }
    if info.estimates:
        found["estimates"] = partial(draw_estimates, info=info)
    if info.users:
        found["users"] = partial(draw_users, info=info)
    return found


def draw_needs(axes: Any, info: TraceInfo) -> None:
    """Draw who asks for how much, and who uses the machine."""
    rows = info.classes[:-1]
    at = np.arange(len(rows))
    axes.bar(at - 0.2, [one.share for one in rows], 0.4, label="jobs", color=JOBS)
    axes.bar(at + 0.2, [one.work for one in rows], 0.4, label="work", color=WORK)
    labels = [plain(one.name.removeprefix("need ").split(" as ")[0]) for one in rows]
    step = -(-len(rows) // MOST_TICKS)
    axes.set_xticks(at[::step], labels[::step], rotation=0 if len(rows) < 9 else 60)
    axes.set_title("Jobs and work by class")
    axes.set_xlabel(f"need ({plain(info.unit)})")
    axes.set_ylabel("share")
    axes.legend()


def draw_service(axes: Any, log: Log, info: TraceInfo) -> None:
    grouped = group(log.jobs, info.grouping)
    service = np.asarray(log.jobs.service)
    biggest = np.argsort(-np.bincount(grouped.index), kind="stable")[:MOST_LINES]
    for number, which in enumerate(sorted(biggest)):
        times = service[grouped.index == which]
        look = {"color": COLOURS[number], "linestyle": "-" if number % 2 == 0 else "--"}
        _distribution(axes, times, label=plain(grouped.names[which]), **look)
    axes.set_title("Service times by class")
    _log_times(axes, "service time, at least")
    axes.legend(loc="upper right", fontsize=8)


def draw_gaps(axes: Any, log: Log) -> None:
    gaps = np.diff(np.asarray(log.jobs.arrival))
    if len(gaps) and gaps.mean() > 0:
        _distribution(axes, gaps, color=JOBS, label="in the log")
        x = np.geomspace(0.5, max(float(gaps.max()), 1.0), 200)
        axes.plot(x, np.exp(-x / gaps.mean()), "--", color=WORK, label="Poisson, same rate")
        axes.legend()
    axes.set_title("Gaps between arrivals")
    _log_times(axes, "gap, at least")


def _distribution(axes: Any, values: Any, **look: Any) -> None:
    """Draw the share of values that are larger, at quantiles, so that the file stays small."""
    ordered = np.sort(values)
    at = np.unique(np.linspace(0, len(ordered) - 1, MOST_POINTS).astype(int))
    axes.step(np.maximum(ordered[at], 0.5), 1 - at / len(ordered), where="post", **look)


def _log_times(axes: Any, label: str) -> None:
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    shown = {at: text for at, text in TIMES.items() if low <= at <= high}
    axes.set_xticks(list(shown), list(shown.values()), minor=False)
    axes.minorticks_off()
    axes.set_xlabel(label)
    axes.set_ylabel("share of them")
    axes.set_ylim(0, 1)


def draw_hours(axes: Any, info: TraceInfo) -> None:
    """Draw arrivals by hour of the day and day of the week; a full shade is the busiest hour."""
    from matplotlib.colors import to_rgba

    counts = np.array(info.rhythm.by_hour_of_week).reshape(7, 24)
    shades = np.tile(to_rgba(JOBS), (7, 24, 1))
    shades[..., 3] = counts / max(counts.max(), 1)
    axes.pcolormesh(np.arange(25) - 0.5, np.arange(8) - 0.5, shades)
    axes.invert_yaxis()
    axes.grid(visible=False)
    days = DAYS if info.rhythm.dated else [f"day {day}" for day in range(1, 8)]
    axes.set_yticks(range(7), days)
    axes.set_xticks(range(0, 24, 3), [f"{hour}:00" for hour in range(0, 24, 3)])
    axes.set_title("Arrivals by the hour")
    axes.set_xlabel(f"busiest hour: {counts.max():,} jobs\n{info.rhythm.clock}", fontsize=8)


def draw_weeks(axes: Any, info: TraceInfo) -> None:
    """Draw the load that arrives in each week but the last, which is not whole."""
    weeks = np.array(info.rhythm.weeks)
    weeks = weeks[:-1] if len(weeks) > 1 else weeks
    if info.servers:
        weeks = weeks / (info.servers * WEEK_S)
        axes.axhline(1, color=SOFT, linewidth=1)
        axes.text(0, 1.01, " all the machine can do", fontsize=8, va="bottom")
        if info.offered_load is not None:
            axes.axhline(info.offered_load, color=WORK, linestyle="--", linewidth=1)
    axes.bar(np.arange(len(weeks)), weeks, 1.0, color=JOBS)
    axes.set_title("Work that arrives each week")
    axes.set_xlabel("week of the log")
    axes.set_ylabel("offered load" if info.servers else "work (servers x s)")


def draw_estimates(axes: Any, info: TraceInfo) -> None:
    assert info.estimates is not None
    counts = np.array(info.estimates.histogram) / info.estimates.jobs
    axes.bar(np.arange(20) * 5 + 2.5, counts[:20], 4.6, color=JOBS)
    axes.bar([105], counts[20:], 8, color=OTHER)
    axes.set_xticks([0, 25, 50, 75, 100, 107], ["0", "25", "50", "75", "100%", "\nlonger"])
    axes.set_title("How much of the estimate jobs use")
    axes.set_xlabel("service / estimate")
    axes.set_ylabel("share of jobs")


def draw_users(axes: Any, info: TraceInfo) -> None:
    assert info.users is not None
    rows = info.users.biggest[::-1]
    at = np.arange(len(rows))
    axes.barh(at + 0.2, [one.work for one in rows], 0.4, color=WORK, label="work")
    axes.barh(at - 0.2, [one.share for one in rows], 0.4, color=JOBS, label="jobs")
    names = [name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
             for name in (one.user for one in rows)]  # fmt: skip
    axes.set_yticks(at, list(map(plain, names)))
    axes.set_title("Biggest users")
    axes.set_xlabel("share")
    axes.legend(loc="lower right")
