"""A Gantt chart as a page to zoom and move in, in one file that needs no network."""

import base64
import json
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerowait._version import __version__
from zerowait.report.gantt.layout import Chart


def gantt_page(chart: Chart, command: str) -> str:
    """The page as text; numbers travel as base64, which keeps 100,000 jobs at a few megabytes."""
    data: dict[str, Any] = {
        "servers": chart.servers,
        "begin": chart.begin,
        "end": chart.end,
        "regions": chart.regions,
        "number": _packed(chart.number, "<u4"),
        "arrival": _packed(chart.arrival, "<f8"),
        "start": _packed(chart.start, "<f8"),
        "finish": _packed(chart.finish, "<f8"),
        "need": _packed(chart.need, "<u4"),
        "job": _packed(chart.job, "<u4"),
        "first": _packed(chart.first, "<u4"),
        "count": _packed(chart.count, "<u4"),
        "busyTimes": _packed(chart.busy.times, "<f8"),
        "busy": _packed(chart.busy.servers, "<f8"),
        "queueTimes": _packed(chart.waited_for.times, "<f8"),
        "queue": _packed(chart.waited_for.servers, "<f8"),
    }
    template = files("zerowait.report.gantt").joinpath("page.html").read_text(encoding="utf-8")
    return (
        template.replace("{{title}}", escape(f"{chart.title}: {len(chart.number)} jobs"))
        .replace("{{command}}", escape(f"zerowait {__version__} · {command}"))
        .replace("{{data}}", json.dumps(data).replace("</", "<\\/"))
    )


def _packed(values: NDArray[Any], kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode("ascii")
