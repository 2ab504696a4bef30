"""The page of a sweep: a tidy table of results, drawn against what varies."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from zerowait._version import __version__
from zerowait.model import InputError
from zerowait.report.html.chart import Chart, Lines, Point, figure, policy_series
from zerowait.report.html.page import Section, page
from zerowait.report.html.provenance import provenance
from zerowait.report.html.table import Cell, numeric, percent, plus_minus, policy_cell, table
from zerowait.report.palette import short_name

if TYPE_CHECKING:
    import polars

MEASURES = (
    ("response", "mean response", "number"),
    ("wait", "mean wait", "number"),
    ("slowdown", "mean slowdown", "number"),
    ("p_wait", "P(wait)", "share"),
    ("served_by_helpers", "served by helpers", "share"),
    ("routed_to_helpers", "routed to helpers", "share"),
)
MEANS = ("response", "wait", "slowdown")  # which a run that diverged does not have
MOST_ROWS = 2000
MOST_CLASSES = 9  # with a chart each, all jobs among them


def sweep_page(frame: "polars.DataFrame", command: str = "", title: str = "Sweep") -> str:
    """The page as text. `frame` has one row per policy, servers, load and class (`job_class`, of
    which `all` stands for all jobs): measures, `<measure>_half_width` where known, `diverging`.
    """
    for name in ("policy", "servers", "load"):
        if name not in frame.columns:
            raise InputError(f"sweep: the table has no column {name!r}; it has {frame.columns}")
    rows = frame.to_dicts()
    axis = _axis(rows)
    policies = list(dict.fromkeys(row["policy"] for row in rows))
    sizes = sorted({row["servers"] for row in rows})
    loads = sorted({row["load"] for row in rows})
    diverging = {short_name(row["policy"]) for row in rows if row.get("diverging")}
    classes = list(dict.fromkeys(row.get("job_class", "all") for row in rows))
    sections = []
    for one in sorted(classes, key=lambda name: name != "all")[:MOST_CLASSES]:
        here = [row for row in rows if row.get("job_class", "all") == one]
        name = "All jobs" if one == "all" else f"Class {one}"
        sections.append(Section(name, _chart(here, policies, axis)))
    sections.append(Section("In numbers", _table(rows[:MOST_ROWS])))
    sections.append(
        provenance(
            {"servers": _span(sizes), "load": _span(loads), "runs": len(rows)},
            __version__,
            command,
            any(row.get("served_by_helpers") is not None for row in rows),
        )
    )
    return page(
        title,
        f"{len(policies)} policies · servers {_span(sizes)} · load {_span(loads)}",
        _summary(rows, axis, diverging),
        sections,
    )


def _axis(rows: list[dict[str, Any]]) -> str:
    """What varies: the servers, or the load on the same servers."""
    return "servers" if len({row["servers"] for row in rows}) > 1 else "load"


def _span(values: list[float]) -> str:
    if len(values) == 1:
        return f"{values[0]:,.6g}"
    return f"{values[0]:,.6g} to {values[-1]:,.6g}"


def _summary(rows: list[dict[str, Any]], axis: str, diverging: set[str]) -> list[str]:
    """Who has the shortest response at the far end, where the system is largest or busiest."""
    last = max(row[axis] for row in rows)
    there = [
        row
        for row in rows
        if row[axis] == last and row.get("job_class", "all") == "all" and not row.get("diverging")
    ]
    sentences = []
    where = f"{last:,} servers" if axis == "servers" else f"load {last:.4g}"
    there = [row for row in there if row.get("response") is not None]
    if there:
        there.sort(key=lambda row: row["response"])
        best = there[0]
        cell = plus_minus(best["response"], best.get("response_half_width"))
        name = short_name(best["policy"])
        text = f"At {where}, **{name}** has the shortest mean response, {cell.text}"
        if len(there) > 1:
            second = there[1]
            other = plus_minus(second["response"], second.get("response_half_width"))
            apart = second["response"] - best["response"] > _noise(best) + _noise(second)
            text += f"; {short_name(second['policy'])} follows with {other.text}"
            text += "" if apart else " (**no significant difference**: the intervals overlap)"
        sentences.append(text + ".")
    if diverging:
        names = ", ".join(sorted(diverging))
        sentences.append(f"Diverging somewhere, with no mean there: **{names}**.")
    return sentences


def _noise(row: dict[str, Any]) -> float:
    half = row.get("response_half_width")
    return 0.0 if half is None or half != half else float(half)


def _chart(rows: list[dict[str, Any]], policies: list[str], axis: str) -> str:
    views = []
    for measure, name, form in MEASURES:
        points = [_point(row, policies, axis, measure) for row in rows]
        if any(one.value is not None for one in points):
            points.sort(key=lambda one: (one.series, one.x))
            wide = axis == "servers" and max(p.x for p in points) >= 8 * min(p.x for p in points)
            ticks = tuple((x, f"{x:,.6g}") for x in sorted({one.x for one in points}))
            view = Lines(name, axis, name, tuple(points), form, log=measure in MEANS, x_log=wide)
            views.append(replace(view, ticks=ticks) if len(ticks) <= 8 else view)
    if not views:
        return ""
    return figure(
        Chart(
            f"Against {'the number of servers' if axis == 'servers' else 'the load'}",
            "Bands and bars are 95% intervals. A cross at the top: diverging, so there is no mean.",
            policy_series(policies),
            tuple(views),
        )
    )


def _point(row: dict[str, Any], policies: list[str], axis: str, measure: str) -> Point:
    series, x = policies.index(row["policy"]), float(row[axis])
    value, half = row.get(measure), row.get(f"{measure}_half_width")
    lost = bool(row.get("diverging")) and measure in MEANS
    if lost or value is None or value != value:
        return Point(series, None, x=x, diverging=lost)
    if half is None or half != half:
        return Point(series, value, x=x)
    return Point(series, value, value - half, value + half, x)


def _table(rows: list[dict[str, Any]]) -> str:
    head = ["policy", "servers", "load", "class", "response", "wait", "P(wait)"]
    cells = []
    for row in rows:
        means = [
            Cell("diverging")
            if row.get("diverging")
            else plus_minus(row.get(name), row.get(f"{name}_half_width"))
            for name in ("response", "wait")
        ]
        cells.append(
            [
                policy_cell(row["policy"]), numeric(row["servers"], f"{row['servers']:,}"),
                numeric(row["load"]), Cell(row.get("job_class", "all")), *means,
                percent(row.get("p_wait")),
            ]
        )  # fmt: skip
    return table("Every run.", head, cells)
