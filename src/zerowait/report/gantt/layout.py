"""From the rows of a replay to rectangles: every job gets servers of its own for its time.

The engine counts servers and does not number them, so that the numbers are ours: the lowest
ones that are free, in one piece where there is one. Under a policy that splits the servers each
class has its own range, and the helpers have theirs.
"""

import heapq
from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from zerowait.experiment.results.result import Result
from zerowait.model import InputError, Split
from zerowait.model.quantities import Floats, Ints
from zerowait.traces.clock import Clock

if TYPE_CHECKING:
    import polars


UNKNOWN = Clock()
MOST_PIECES = 60_000  # a page of some four megabytes
MOST_PARTS = 2_000  # of the time, of which lines keep the highest and the lowest


@dataclass(frozen=True, eq=False)
class Level:
    """A number of servers, from each time on."""

    times: Floats
    servers: Floats


@dataclass(frozen=True, eq=False)
class Gantt:
    """A window of a schedule. Jobs have one entry each, pieces one per range of servers."""

    title: str
    servers: int
    begin: float
    end: float
    number: Ints  # per job: its row in the replay
    arrival: Floats
    start: Floats
    finish: Floats
    need: Ints
    job: Ints  # per piece: the job
    first: Ints  # per piece: the first server
    count: Ints  # per piece: servers
    regions: tuple[tuple[str, int, int], ...]  # name, first server, servers
    busy: Level
    waited_for: Level  # the needs of the jobs that wait
    clock: Clock = UNKNOWN  # of the log, where its times are still its own
    note: str = ""  # what the reader should know of it


def gantt_of(
    result: Result,
    begin: float | None = None,
    end: float | None = None,
    clock: Clock | None = None,
) -> Gantt:
    """Lay out the jobs of a replay (made with `jobs=True`) that run between two times."""
    if result.jobs is None:
        raise InputError("gantt: the result has no single jobs; replay with jobs=True")
    jobs = result.jobs
    start, finish = jobs["start"].to_numpy(), jobs["end"].to_numpy()
    _check_uninterrupted(result, jobs)
    begin = float(jobs["arrival"][0]) if begin is None else begin
    end = float(finish.max()) if end is None else end
    if not begin < end:
        raise InputError(f"window = {begin:g}:{end:g}: must end after it begins")
    inside = np.flatnonzero((start < end) & (finish > begin))
    if inside.size == 0:
        ran = f"they run from {start.min():g} to {finish.max():g}"
        raise InputError(f"window = {begin:g}:{end:g}: no job runs in it; {ran}")
    inside = inside[np.lexsort((inside, start[inside]))]
    need = jobs["need"].to_numpy().astype(np.int64)[inside]
    regions, which = _regions(result, jobs, inside)
    job, first, count = _place(start[inside], finish[inside], need, regions, which)
    return Gantt(
        title=f"{result.policy} on {result.servers} servers",
        servers=result.servers,
        begin=begin,
        end=end,
        number=inside,
        arrival=jobs["arrival"].to_numpy().astype(np.float64)[inside],
        start=start[inside],
        finish=finish[inside],
        need=need,
        job=job,
        first=first,
        count=count,
        regions=tuple(regions),
        busy=_level(start, finish, jobs, begin, end),
        waited_for=_level(jobs["arrival"].to_numpy(), start, jobs, begin, end),
        clock=clock or UNKNOWN,
    )


def _level(
    since: Floats, until: Floats, jobs: "polars.DataFrame", begin: float, end: float
) -> Level:
    """Count the servers held by all jobs from `since` to `until`, where that changes."""
    seen = np.flatnonzero((since < end) & (until > begin))
    if seen.size == 0:
        return Level(np.array([begin]), np.zeros(1))
    need = jobs["need"].to_numpy()[seen]
    times = np.concatenate([np.maximum(since[seen], begin), until[seen]])
    change = np.concatenate([need, -need])
    order = np.argsort(times, kind="stable")
    distinct, at = np.unique(times[order], return_index=True)
    level = np.cumsum(change[order]).astype(np.float64)[np.append(at[1:], len(times)) - 1]
    return Level(distinct, level)


def _check_uninterrupted(result: Result, jobs: "polars.DataFrame") -> None:
    held = (jobs["end"] - jobs["start"]).to_numpy()
    service = jobs["service"].to_numpy()
    scale = max(float(np.abs(jobs["end"].to_numpy()).max()), 1.0)
    if (held > service + 1e-9 * scale).any():
        raise InputError(
            f"gantt: {result.policy} interrupts jobs, and the times of the interruptions are not "
            "recorded; choose a policy that does not"
        )


def _regions(
    result: Result, jobs: "polars.DataFrame", inside: Ints
) -> tuple[list[tuple[str, int, int]], Ints]:
    """Return ranges of servers, and per job the one it runs in."""
    split: Split | None = result.split
    if split is None:
        return [("", 0, result.servers)], np.zeros(len(inside), np.int64)
    ends = np.cumsum([0, *split.own_servers])
    regions = [
        (one.name, int(at), own)
        for one, at, own in zip(result.classes, ends, split.own_servers, strict=False)
    ]
    regions.append(("helpers", int(ends[-1]), split.helpers))
    labels = jobs["job_class"].to_numpy()
    which = np.searchsorted(np.unique(labels), labels)[inside]
    helped = jobs["helpers"].to_numpy()[inside]
    return regions, np.where(helped, len(regions) - 1, which)


class Free:
    """Free servers of a range, as sorted disjoint intervals."""

    def __init__(self, first: int, servers: int) -> None:
        self.spans: list[tuple[int, int]] = [(first, first + servers)] if servers else []

    def take(self, need: int) -> list[tuple[int, int]]:
        for at, (low, high) in enumerate(self.spans):
            if high - low >= need:
                self.spans[at : at + 1] = [(low + need, high)] if high - low > need else []
                return [(low, low + need)]
        taken = []
        while need and self.spans:
            low, high = self.spans.pop(0)
            step = min(need, high - low)
            taken.append((low, low + step))
            need -= step
            if low + step < high:
                self.spans.insert(0, (low + step, high))
        if need:
            raise InputError("gantt: the schedule holds more servers at once than there are")
        return taken

    def give(self, pieces: Sequence[tuple[int, int]]) -> None:
        for low, high in pieces:
            at = bisect_left(self.spans, (low, high))
            if at < len(self.spans) and self.spans[at][0] == high:
                high = self.spans.pop(at)[1]
            if at > 0 and self.spans[at - 1][1] == low:
                low = self.spans.pop(at - 1)[0]
            insort(self.spans, (low, high))


def _place(
    start: Floats,
    finish: Floats,
    need: Ints,
    regions: list[tuple[str, int, int]],
    which: Ints,
) -> tuple[Ints, Ints, Ints]:
    free = [Free(first, servers) for _, first, servers in regions]
    running: list[tuple[float, int, list[tuple[int, int]]]] = []
    rows: list[tuple[int, int, int]] = []
    for job, (begins, ends, wanted, region) in enumerate(
        zip(start.tolist(), finish.tolist(), need.tolist(), which.tolist(), strict=True)
    ):
        while running and running[0][0] <= begins:
            _, done, pieces = heapq.heappop(running)
            free[int(which[done])].give(pieces)
        if ends <= begins:  # takes no time: nothing to see
            continue
        pieces = free[region].take(wanted)
        heapq.heappush(running, (ends, job, pieces))
        rows.extend((job, low, high - low) for low, high in pieces)
    table = np.array(rows, np.int64).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2]


def thinned_gantt(chart: Gantt, most: int = MOST_PIECES) -> Gantt:
    """Keep the jobs that hold most servers for longest, and the peaks of lines; a note says so."""
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


def _only(chart: Gantt, kept: Ints) -> Gantt:
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
    """Keep of each part of the time its highest and lowest, so that no peak is lost."""
    times, servers = level.times, level.servers
    if len(times) <= 2 * MOST_PARTS:
        return level
    part = ((times - times[0]) / (times[-1] - times[0]) * MOST_PARTS).astype(np.int64)
    by_height = np.lexsort((servers, part))
    last = np.flatnonzero(np.diff(part[by_height], append=MOST_PARTS + 1))
    first = np.append(0, last[:-1] + 1)
    kept = np.unique(np.concatenate([by_height[first], by_height[last]]))
    return Level(times[kept], servers[kept])
