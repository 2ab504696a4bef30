"""The page of a sweep: a tidy table of results, drawn against what varies."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from zerowait._version import __version__
from zerowait.model import InputError
from zerowait.report.figures.palette import short_name
from zerowait.report.html.chart import Chart, Lines, Point, figure, policy_series
from zerowait.report.html.page import Section, notes, page
from zerowait.report.html.provenance import provenance
from zerowait.report.html.sweep_panels import Panel, Row, panels_of
from zerowait.report.html.table import Cell, numeric, percent, plus_minus, policy_cell, table

if TYPE_CHECKING:
    import polars

MEASURES = (
    ("response", "mean response", "number"),
    ("wait", "mean wait", "number"),
    ("wait_p99", "wait, 99%", "number"),
    ("slowdown", "mean slowdown", "number"),
    ("p_wait", "P(wait)", "share"),
    ("utilisation", "utilisation", "share"),
    ("served_by_helpers", "served by helpers", "share"),
    ("routed_to_helpers", "routed to helpers", "share"),
)
MEANS = ("response", "wait", "wait_p99", "slowdown")  # which a run that diverged does not have
OF_CLASSES = MEASURES[:2]
MOST_ROWS = 2000
MOST_CLASSES = 12


def sweep_page(frame: "polars.DataFrame", command: str = "", title: str = "Sweep") -> str:
    """The page as text. `frame` has one row per policy, servers, load and class (`job_class`, of
    which `all` stands for all jobs), and possibly per `workload` and `seed`: measures,
    `<measure>_half_width` where known, `diverging`, and `status`, of which `failed` is left out.
    """
    for name in ("policy", "servers", "load"):
        if name not in frame.columns:
            raise InputError(f"sweep: the table has no column {name!r}; it has {frame.columns}")
    given = frame.to_dicts()
    rows = [row for row in given if row.get("status") != "failed"]
    if not rows:
        raise InputError("sweep: the table has no finished point to draw")
    policies = list(dict.fromkeys(row["policy"] for row in rows))
    panels = panels_of(rows)
    sizes, loads = (sorted({row[name] for row in rows}) for name in ("servers", "load"))
    failed = len(given) - len(rows)
    return page(
        title,
        f"{len(policies)} policies · servers {_span(sizes)} · load {_span(loads)}",
        [text for panel in panels[:3] for text in _summary(panel)],
        [
            *(Section(panel.title or "All jobs", _chart(panel, policies)) for panel in panels),
            Section("In numbers", _table([row for panel in panels for row in panel.rows])),
            Section("Notes", notes([f"{failed} points failed and are not shown."] * bool(failed))),
            provenance(
                {"servers": _span(sizes), "load": _span(loads), "rows": len(rows)},
                __version__,
                command,
                any(row.get("served_by_helpers") is not None for row in rows),
            ),
        ],
    )


def _span(values: list[float]) -> str:
    """Servers to the last one, loads to four digits."""
    texts = [f"{one:,}" if isinstance(one, int) else f"{one:.4g}" for one in values]
    return texts[0] if len(texts) == 1 else f"{texts[0]} to {texts[-1]}"


def _summary(panel: Panel) -> list[str]:
    """Who has the shortest response at the far end, where the system is largest or busiest."""
    last = max(row[panel.axis] for row in panel.rows)
    of_all = [row for row in panel.rows if row.get("job_class", "all") == "all"]
    there = [
        row
        for row in of_all
        if row[panel.axis] == last and not row.get("diverging") and row.get("response") is not None
    ]
    where = f"{last:,} servers" if panel.axis == "servers" else f"load {last:.4g}"
    sentences = []
    if there:
        there.sort(key=lambda row: row["response"])
        place = f"{panel.title}: at" if panel.title else "At"
        text = f"{place} {where}, **{short_name(there[0]['policy'])}** has the shortest mean "
        text += f"response, {_mean(there[0])}"
        if len(there) > 1:
            text += f"; {short_name(there[1]['policy'])} follows with {_mean(there[1])}"
            gap = there[1]["response"] - there[0]["response"]
            if gap <= _noise(there[0]) + _noise(there[1]):
                text += " (their intervals overlap: these runs **do not tell them apart**)"
        sentences.append(text + ".")
    lost = sorted({short_name(row["policy"]) for row in of_all if row.get("diverging")})
    if lost:
        sentences.append(f"Diverging somewhere, with no mean there: **{', '.join(lost)}**.")
    return sentences


def _mean(row: Row) -> str:
    return plus_minus(row["response"], row.get("response_half_width")).text


def _noise(row: Row) -> float:
    half = row.get("response_half_width")
    return 0.0 if half is None or half != half else float(half)


def _chart(panel: Panel, policies: list[str]) -> str:
    """All measures of all jobs, then the means of each class, as views of one chart."""
    classes = dict.fromkeys(row.get("job_class", "all") for row in panel.rows)
    others = [name for name in classes if name != "all"][:MOST_CLASSES]
    views = [_view(panel, policies, measure, "all") for measure in MEASURES]
    views += [_view(panel, policies, measure, one) for one in others for measure in OF_CLASSES]
    shown = tuple(view for view in views if view is not None)
    if not shown:
        return ""
    return figure(
        Chart(
            f"Against {'the number of servers' if panel.axis == 'servers' else 'the load'}",
            "Bands and bars are intervals. A cross at the top: diverging, so there is no mean.",
            policy_series(policies),
            shown,
        )
    )


def _view(
    panel: Panel, policies: list[str], measure: tuple[str, str, str], job_class: str
) -> Lines | None:
    key, name, form = measure
    rows = [row for row in panel.rows if row.get("job_class", "all") == job_class]
    points = [_point(row, policies, panel.axis, key) for row in rows]
    if all(one.value is None for one in points):
        return None
    points.sort(key=lambda one: (one.series, one.x))
    places = sorted({one.x for one in points})
    wide = panel.axis == "servers" and places[-1] >= 8 * places[0]
    label = name if job_class == "all" else f"{name}, {job_class}"
    view = Lines(label, panel.axis, name, tuple(points), form, log=key in MEANS, x_log=wide)
    ticks = tuple((x, f"{x:,.6g}") for x in places)
    return replace(view, ticks=ticks) if len(ticks) <= 8 else view


def _point(row: Row, policies: list[str], axis: str, measure: str) -> Point:
    series, x = policies.index(row["policy"]), float(row[axis])
    value, half = row.get(measure), row.get(f"{measure}_half_width")
    lost = bool(row.get("diverging")) and measure in MEANS
    if lost or value is None or value != value:
        return Point(series, None, x=x, diverging=lost)
    if half is None or half != half:
        return Point(series, value, x=x)
    return Point(series, value, value - half, value + half, x)


def _table(rows: list[Row]) -> str:
    head = ["policy", "servers", "load", "class", "response", "wait", "P(wait)"]
    several = len({row.get("workload") for row in rows}) > 1
    cells = [_cells(row, several) for row in rows[:MOST_ROWS]]
    return table("Every run.", head + ["workload"] * several, cells)


def _cells(row: dict[str, Any], several: bool) -> list[Cell]:
    means = [
        Cell("diverging")
        if row.get("diverging")
        else plus_minus(row.get(name), row.get(f"{name}_half_width"))
        for name in ("response", "wait")
    ]
    return [
        policy_cell(row["policy"]), numeric(row["servers"], f"{row['servers']:,}"),
        numeric(row["load"]), Cell(str(row.get("job_class", "all"))), *means,
        percent(row.get("p_wait")), *([Cell(str(row.get("workload")))] if several else []),
    ]  # fmt: skip
