"""The pages of a sweep and of a reproduction: tidy tables, drawn against what varies."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from zerowait.experiment.measures import MEASURES
from zerowait.experiment.reproduce.models import class_rows
from zerowait.experiment.reproduce.work import Finished
from zerowait.model import InputError
from zerowait.report.html.chart import Chart, Lines, Point, figure, point, policy_series
from zerowait.report.html.page import Page, Section, Source
from zerowait.report.html.table import html_table
from zerowait.report.measured import form_of, heading, labelled, row_value
from zerowait.report.numbers import NONE, Value, written
from zerowait.report.palette import Look, looks_of, short_name
from zerowait.report.panels import Panel, Row, panels_of
from zerowait.report.tables.table import Cell, Column, PolicyName, Table, why_once

if TYPE_CHECKING:
    import polars

SHOWN = ("response", "wait", "wait_p99", "slowdown", "p_wait", "utilisation", "served_by_helpers",
         "routed_to_helpers")  # fmt: skip
OF_CLASSES = ("response", "wait")
IN_TABLE = ("response", "wait", "p_wait")
MOST_ROWS = 2000
MOST_CLASSES = 12
MOST_NOTES = 20


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
    looks = looks_of(row["policy"] for row in rows)
    panels = panels_of(rows)
    sizes, loads = (sorted({row[name] for row in rows}) for name in ("servers", "load"))
    failed = len(given) - len(rows)
    measures = [name for name in SHOWN if any(row.get(name) is not None for row in rows)]
    page = Page(
        title,
        f"{len(looks)} policies · servers {_span(sizes)} · load {_span(loads)}",
        [text for panel in panels[:3] for text in _summary(panel)],
        [
            *(Section(panel.title or "All jobs", _chart(panel, looks)) for panel in panels),
            Section("In numbers", html_table(_table(panels), looks=looks)),
        ],
        Source(
            command,
            {"servers": _span(sizes), "load": _span(loads), "rows": len(rows)},
            [name for name in measures if labelled(name).name in MEASURES],
        ),
        [*[f"{failed} points failed and are not shown."] * bool(failed), *_notes(rows)],
    )
    return str(page)


def _notes(rows: Sequence[Row]) -> list[str]:
    """What was noted of single points: that runs are short, or say nothing of stability."""
    whole = [row for row in rows if row.get("job_class", "all") == "all"]
    n_seeds = len({row["seed"] for row in whole if row.get("seed") is not None})
    told = [f"Means and intervals are over {n_seeds} seeds."] * (n_seeds > 1)
    several = len({row.get("workload") for row in whole}) > 1
    noted = dict.fromkeys(
        (f"{row['workload']}: " if several else "")
        + f"{short_name(row['policy'])}, {row['servers']:,} servers, load {row['load']:.4g}: "
        + text.replace("\n", "; ")
        for row in whole
        if (text := row.get("notes"))
    )
    left = len(noted) - MOST_NOTES
    more = [f"{left} more points have notes; they are in the column notes of the table."]
    return [*told, *list(noted)[:MOST_NOTES], *more * (left > 0)]


def reproduction_page(done: Sequence[Finished], command: str = "") -> str:
    """Every figure that was simulated, a section for each of its panels."""
    import polars

    frames = []
    for one in done:
        if one.outcome is not None:
            rows = class_rows(one.outcome)
            titles = [panel_title(one.target.title, panel) for panel in rows["workload"]]
            frames.append(rows.with_columns(workload=polars.Series(titles, dtype=polars.String)))
    if not frames:
        raise InputError("report: nothing was simulated; name a figure as well")
    frame = polars.concat(frames, how="diagonal_relaxed")
    return sweep_page(frame, command, "The paper reproduced")


def panel_title(target: str, panel: str) -> str:
    """`Figure 2a: heavy traffic (2048 servers)`; what the target says already is not said again."""
    return target if panel.lower() in target.lower() else f"{target} ({panel})"


def _span(values: list[float]) -> str:
    """Servers to the last one, loads to four digits."""
    texts = [f"{one:,}" if isinstance(one, int) else f"{one:.4g}" for one in values]
    return texts[0] if len(texts) == 1 else f"{texts[0]} to {texts[-1]}"


def _summary(panel: Panel) -> list[str]:
    """Who has the shortest response at the far end, where the system is largest or busiest."""
    last = max(row[panel.axis] for row in panel.rows)
    values = {row["policy"]: row_value(row, "response") for row in panel.everybody
              if row[panel.axis] == last}  # fmt: skip
    there = sorted(
        (one for one in values.items() if one[1].known), key=lambda one: one[1].value or 0.0
    )
    where = f"{last:,} servers" if panel.axis == "servers" else f"load {last:.4g}"
    sentences = []
    if there:
        place = f"{panel.title}: at" if panel.title else "At"
        (best, shortest), *others = there
        text = f"{place} {where}, **{short_name(best)}** has the shortest mean response, "
        text += written(shortest)
        if others:
            text += f"; {short_name(others[0][0])} follows with {written(others[0][1])}"
            if others[0][1].ends[0] <= shortest.ends[1]:
                text += " (their intervals overlap: these runs **do not tell them apart**)"
        sentences.append(text + ".")
    lost = sorted(map(short_name, panel.diverging))
    if lost:
        sentences.append(f"Diverging somewhere, with no mean there: **{', '.join(lost)}**.")
    return sentences


def _chart(panel: Panel, looks: Mapping[str, Look]) -> str:
    """All measures of all jobs, then the means of each class, as views of one chart."""
    classes = dict.fromkeys(row.get("job_class", "all") for row in panel.rows)
    others = [name for name in classes if name != "all"][:MOST_CLASSES]
    wanted = [(name, "all") for name in SHOWN]
    wanted += [(name, one) for one in others for name in OF_CLASSES]
    shown = [view for name, one in wanted for view in _views(panel, list(looks), name, one)]
    if not shown:
        return ""
    return figure(
        Chart(
            f"Against {'the number of servers' if panel.axis == 'servers' else 'the load'}",
            _marks([point for view in shown for point in view.points]),
            policy_series(looks),
            tuple(shown),
        )
    )


def _marks(points: Sequence[Point]) -> str:
    """What is drawn besides lines; sweeps of logs have no intervals."""
    texts = ["Bands and bars are intervals."] * any(one.low is not None for one in points)
    texts += ["A cross at the top: diverging, so there is no mean."] * any(
        one.diverging for one in points
    )
    return " ".join(texts)


def _views(panel: Panel, policies: list[str], name: str, job_class: str) -> list[Lines]:
    """One, or none where nothing is known."""
    rows = [row for row in panel.rows if row.get("job_class", "all") == job_class]
    points = [
        point(policies.index(row["policy"]), row_value(row, name), float(row[panel.axis]))
        for row in rows
    ]
    if all(one.value is None for one in points):
        return []
    points.sort(key=lambda one: (one.series, one.x))
    places = sorted({one.x for one in points})
    view = Lines(
        heading(name) if job_class == "all" else f"{heading(name)}, {job_class}",
        panel.axis,
        heading(name),
        tuple(points),
        form_of(name),
        log=labelled(name).steady,
        x_log=panel.axis == "servers" and places[-1] >= 8 * places[0],
    )
    ticks = tuple((x, f"{x:,.6g}") for x in places)
    return [replace(view, ticks=ticks) if len(ticks) <= 8 else view]


def _table(panels: Sequence[Panel]) -> Table:
    rows = [row for panel in panels for row in panel.rows][:MOST_ROWS]
    several = len({row.get("workload") for row in rows}) > 1
    texts = [Column("class", text=True), *[Column("workload", text=True)] * several]
    heads = [
        Column("policy", text=True), Column("servers"), Column("load"), *texts,
        *(Column(labelled(name).label) for name in IN_TABLE),
    ]  # fmt: skip
    return Table("Every point", heads, [_cells(row, several) for row in rows])


def _cells(row: Row, several: bool) -> list[Cell]:
    values = why_once([row_value(row, name) for name in IN_TABLE])
    where = [str(row.get("job_class", "all")), *[str(row.get("workload", NONE))] * several]
    return [PolicyName(row["policy"]), row["servers"], Value(row["load"]), *where, *values]
