"""The page of `zerowait replay --gantt`: a schedule to zoom and move in."""

import base64
import json
from datetime import UTC
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerowait.report.gantt import Chart, thinned
from zerowait.report.html.page import Page, Section, Source
from zerowait.report.numbers import duration

SCRIPTS = ("format.js", "gantt.js", "table.js")
HOUR_S = 3_600.0
MOST_HOURS = 200_000  # of a longer log, no dates
BODY = """<div class="gantt">
<div class="controls"><button type="button" name="in" aria-label="zoom in">+</button>
<button type="button" name="out" aria-label="zoom out">−</button>
<button type="button" name="all">whole range</button><span class="space"></span>
<span class="legend">need 1 <canvas width="120" height="12"></canvas> <b></b></span></div>
<p class="hint">Wheel or + and −: zoom. Drag or arrow keys: move. Rest on a job to read it.</p>
<div class="plot"><canvas tabindex="0" role="img" aria-label="Jobs on their servers over time; below
them, servers busy and waited for"></canvas><div class="tip" role="status" hidden></div></div>
<script type="application/json">$data</script></div>"""


def gantt_page(chart: Chart, command: str) -> str:
    """The page as text; numbers travel as base64, and of very many jobs the largest are drawn."""
    shown = thinned(chart)
    data: dict[str, Any] = {
        "servers": shown.servers,
        "begin": shown.begin,
        "end": shown.end,
        "regions": shown.regions,
        "clock": str(shown.clock) if shown.clock.known else "",
        "shifts": _shifts(shown),
        "number": _packed(shown.number, "<u4"),
        "arrival": _packed(shown.arrival, "<f8"),
        "start": _packed(shown.start, "<f8"),
        "finish": _packed(shown.finish, "<f8"),
        "need": _packed(shown.need, "<u4"),
        "job": _packed(shown.job, "<u4"),
        "first": _packed(shown.first, "<u4"),
        "count": _packed(shown.count, "<u4"),
        "busyTimes": _packed(shown.busy.times, "<f8"),
        "busy": _packed(shown.busy.servers, "<f8"),
        "queueTimes": _packed(shown.waited_for.times, "<f8"),
        "queue": _packed(shown.waited_for.servers, "<f8"),
    }
    text = json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    edges = [chart.clock.date(time) or duration(time) for time in (chart.begin, chart.end)]
    page = Page(
        chart.title,
        f"{len(chart.number):,} jobs · {' to '.join(edges)}",
        [shown.note] if shown.note else [],
        [Section("Who ran where, and when", BODY.replace("$data", text))],
        Source(command, {"servers": chart.servers} | dict(zip(("from", "to"), edges, strict=True))),
        scripts=SCRIPTS,
    )
    return str(page)


def _shifts(chart: Chart) -> list[tuple[float, float]]:
    """From each time on: what makes it seconds since 1970 by the clock on the cluster's wall."""
    origin = chart.clock.origin
    if origin is None or (chart.end - chart.begin) / HOUR_S > MOST_HOURS:
        return []
    # Clocks are put forward and back on the hour.
    hours = np.arange(chart.begin - (origin + chart.begin) % HOUR_S, chart.end, HOUR_S)
    found: list[tuple[float, float]] = []
    for time in hours.tolist():
        moment = chart.clock.moment(time)
        if moment is None:
            return []
        shift = moment.replace(tzinfo=UTC).timestamp() - time
        if not found or abs(shift - found[-1][1]) > 1:
            found.append((time, shift))
    return found


def _packed(values: NDArray[Any], kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode("ascii")
