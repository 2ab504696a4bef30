"""The document of a schedule: who ran where, to zoom and move in."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from zerowait.report.document import Document, Markup, PagePart, Source
from zerowait.report.gantt.layout import Gantt, thinned_gantt
from zerowait.report.numbers import duration

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
$data</div>"""


@dataclass(frozen=True)
class ScheduleDocument(Document):
    """Jobs on their servers over time; of very many jobs the largest are drawn."""

    subject: Gantt
    scripts: ClassVar[Sequence[str]] = ("format.js", "gantt.js", "table.js")

    @cached_property
    def shown(self) -> Gantt:
        """The jobs that are drawn."""
        return thinned_gantt(self.subject)

    @property
    def edges(self) -> list[str]:
        """Dates of the first and last moment, or times since the start of the log."""
        one = self.subject
        return [one.clock.date(time) or duration(time) for time in (one.begin, one.end)]

    @property
    def title(self) -> str:
        return self.subject.title

    @property
    def subtitle(self) -> str:
        return f"{len(self.subject.number):,} jobs · {' to '.join(self.edges)}"

    def summary(self) -> list[str]:
        return [self.shown.note] if self.shown.note else []

    def parts(self) -> list[PagePart]:
        return [PagePart("Who ran where, and when", [Markup(BODY, _data(self.shown))])]

    def source(self) -> Source:
        edges = dict(zip(("from", "to"), self.edges, strict=True))
        return Source(self.command, {"servers": self.subject.servers} | edges)


def _data(shown: Gantt) -> dict[str, Any]:
    """Return what the script draws; numbers travel as base64."""
    return {
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


def _shifts(chart: Gantt) -> list[tuple[float, float]]:
    """Return from each time on what makes it seconds since 1970 by the cluster's clock."""
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
