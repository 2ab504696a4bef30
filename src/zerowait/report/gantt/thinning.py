"""A schedule with too many jobs for a page, without those that nobody could see."""

from dataclasses import replace

import numpy as np

from zerowait.model.quantities import Ints
from zerowait.report.gantt.layout import Chart, Level

MOST_PIECES = 60_000  # a page of some four megabytes
MOST_PARTS = 2_000  # of the time, of which lines keep the highest and the lowest


def thinned(chart: Chart, most: int = MOST_PIECES) -> Chart:
    """The jobs that hold most servers for longest, and lines with their peaks; a note says so."""
    busy, waited_for = _peaks(chart.busy), _peaks(chart.waited_for)
    if len(chart.job) <= most:
        return replace(chart, busy=busy, waited_for=waited_for)
    work = (chart.finish - chart.start) * chart.need
    biggest_first = np.argsort(-work, kind="stable")
    pieces = np.bincount(chart.job, minlength=len(work))
    n_kept = int(np.searchsorted(np.cumsum(pieces[biggest_first]), most, side="right"))
    kept = np.sort(biggest_first[:n_kept])
    part = work[kept].sum() / work.sum()
    note = (
        f"Drawn are {len(kept):,} of {len(work):,} jobs, those that hold most servers for longest: "
        f"{100 * part:.3g}% of the work. The lines below count all jobs. A shorter --window shows "
        "every job of its time."
    )
    return replace(_only(chart, kept), busy=busy, waited_for=waited_for, note=note)


def _only(chart: Chart, kept: Ints) -> Chart:
    place = np.full(len(chart.number), -1, np.int64)
    place[kept] = np.arange(len(kept))
    pieces = place[chart.job] >= 0
    return replace(
        chart,
        number=chart.number[kept],
        arrival=chart.arrival[kept],
        start=chart.start[kept],
        finish=chart.finish[kept],
        need=chart.need[kept],
        job=place[chart.job[pieces]],
        first=chart.first[pieces],
        count=chart.count[pieces],
    )


def _peaks(level: Level) -> Level:
    """Of each part of the time its highest and lowest, so that no peak is lost."""
    times, servers = level.times, level.servers
    if len(times) <= 2 * MOST_PARTS:
        return level
    part = ((times - times[0]) / (times[-1] - times[0]) * MOST_PARTS).astype(np.int64)
    by_height = np.lexsort((servers, part))
    last = np.flatnonzero(np.diff(part[by_height], append=MOST_PARTS + 1))
    first = np.append(0, last[:-1] + 1)
    kept = np.unique(np.concatenate([by_height[first], by_height[last]]))
    return Level(times[kept], servers[kept])
