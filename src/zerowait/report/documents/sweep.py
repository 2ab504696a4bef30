"""The documents of sweeps: what is to run, stored rows, and rows drawn against what varies."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zerowait.experiment.measures import MEASURES
from zerowait.experiment.sweeps.run import Agenda, SweepOutcome
from zerowait.experiment.sweeps.store import DONE, FAILED
from zerowait.experiment.sweeps.verdicts import HIGHER, PLACE, SAME, paired_verdicts
from zerowait.model import InputError
from zerowait.report.charts import Chart, LineView, Point, point, policy_series
from zerowait.report.document import (
    Cell,
    Column,
    Document,
    PagePart,
    PolicyName,
    Source,
    Table,
    Text,
    why_once,
)
from zerowait.report.measured import form_of, heading, is_measure, labelled, row_value
from zerowait.report.numbers import NONE, Value, written
from zerowait.report.palette import Look, looks_of, short_name
from zerowait.report.panels import Panel, Row, panels_of

if TYPE_CHECKING:
    import polars

SHOWN = ("response", "wait", "wait_p99", "slowdown", "p_wait", "utilisation", "served_by_helpers",
         "routed_to_helpers")  # fmt: skip
OF_CLASSES = ("response", "wait")
IN_TABLE = ("response", "wait", "p_wait")
FEW = ("workload", "servers", "load", "policy", "job_class", "response", "wait", "p_wait",
       "diverging")  # fmt: skip
COLUMNS = (*FEW[:5], "seed", "response", "wait", "wait_p99", "p_wait", "utilisation", "diverging")
MOST_POINTS = 20  # of an agenda
MOST_ROWS = 2000
MOST_CLASSES = 12
MOST_NOTES = 20


@dataclass(frozen=True)
class AgendaDocument(Document):
    """What a sweep would do."""

    subject: Agenda

    def brief(self) -> Iterable[Text]:
        agenda = self.subject
        yield Text(agenda_line(agenda))
        for one in agenda.to_run[:MOST_POINTS]:
            yield Text(f"  {one}")
        if len(agenda.to_run) > MOST_POINTS:
            yield Text(f"  and {len(agenda.to_run) - MOST_POINTS} more")


def agenda_line(agenda: Agenda) -> str:
    """Count the points of an agenda, those finished before and those to run."""
    n_stale = len(agenda.stale)
    kept = {one.key for one in agenda.kept}
    stale = f", {n_stale} of other code" if n_stale else ""
    if any(one.key in kept for one in agenda.stale):
        stale += " (kept)"
    elif n_stale:
        stale += " (to run again)"
    return (
        f"{len(agenda.points)} points: {len(agenda.kept)} finished before{stale}, "
        f"{len(agenda.to_run)} to run, {agenda.n_jobs} arrivals"
    )


@dataclass(frozen=True)
class RowsDocument(Document):
    """Stored rows: the columns asked for or the usual ones; what failed goes below."""

    subject: "polars.DataFrame"
    columns: Sequence[str] = ()

    def brief(self) -> Iterable[Table | Text]:
        yield stored_table(self.subject, self.columns)
        failed = self.subject.filter(status=FAILED)
        if len(failed) and not self.columns:
            for (error,), part in failed.group_by("error", maintain_order=True):
                yield Text(f"{len(part)} failed: {error}")


def stored_table(frame: "polars.DataFrame", columns: Sequence[str] = (), title: str = "") -> Table:
    """List the usual columns of what is finished, as far as they vary, or those asked for.

    Heads are the names that a table of results has, which conditions are spelled with.
    """
    rows = frame if columns else frame.filter(status=DONE)
    shown = list(columns) or [name for name in COLUMNS if _says_something(rows, name)]
    heads = [
        Column(name, not rows.schema[name].is_numeric(), few=name in FEW or bool(columns))
        for name in shown
    ]
    cells = [[_stored_cell(row, name) for name in shown] for row in rows.iter_rows(named=True)]
    return Table(title, heads, cells)


def _says_something(frame: "polars.DataFrame", name: str) -> bool:
    if name not in frame.columns:
        return False
    if name == "job_class":
        return bool((frame[name] != "all").any())
    return bool(frame[name].any()) if name == "diverging" else frame[name].null_count() < len(frame)


def _stored_cell(row: dict[str, Any], name: str) -> Cell:
    value = row[name]
    if value is None:
        return ""
    if name == "policy":
        return PolicyName(value)
    if isinstance(value, bool):
        return "yes" if value else ""
    if not isinstance(value, float):
        return str(value)
    return row_value(row, name) if is_measure(name) else Value(value)


@dataclass(frozen=True)
class TableDocument(Document):
    """Rows of measures drawn against the servers or the load, whichever varies.

    There is one row per policy, servers, load and class (`job_class`, of which `all` stands for all
    jobs), and possibly per `workload` and `seed`: measures, `<measure>_half_width` where known,
    `diverging`, and `status`, of which `failed` is left out.
    """

    @cached_property
    def table(self) -> "polars.DataFrame":
        """The rows as they are stored."""
        found: polars.DataFrame = self.subject
        return found

    @property
    def title(self) -> str:
        return self.name or "Sweep"

    @property
    def subtitle(self) -> str:
        servers, load = (self._span(name) for name in ("servers", "load"))
        return f"{len(self.looks)} policies · servers {servers} · load {load}"

    @cached_property
    def given(self) -> list[Row]:
        """The rows of all points, failed ones too."""
        for name in ("policy", "servers", "load"):
            if name not in self.table.columns:
                raise InputError(
                    f"sweep: the table has no column {name!r}; it has {self.table.columns}"
                )
        return self.table.to_dicts()

    @cached_property
    def rows(self) -> list[Row]:
        """The rows of finished points."""
        rows = [row for row in self.given if row.get("status") != FAILED]
        if not rows:
            raise InputError("sweep: the table has no finished point to draw")
        return rows

    @cached_property
    def panels(self) -> list[Panel]:
        """A panel for each workload."""
        return panels_of(self.rows)

    @property
    def looks(self) -> dict[str, Look]:
        return looks_of(row["policy"] for row in self.rows)

    def summary(self) -> list[str]:
        return [text for panel in self.panels[:3] for text in _said(panel, self.rows)]

    def parts(self) -> list[PagePart]:
        drawn = [
            PagePart(panel.title or "All jobs", panel_charts(panel, self.looks, _wanted(panel)))
            for panel in self.panels
        ]
        return [*drawn, PagePart("In numbers", [_points_table(self.panels)])]

    def notes(self) -> Sequence[str]:
        failed = len(self.given) - len(self.rows)
        return [*[f"{failed} points failed and are not shown."] * bool(failed), *_noted(self.rows)]

    def source(self) -> Source:
        spans = {name: self._span(name) for name in ("servers", "load")}
        known = [name for name in SHOWN if any(row.get(name) is not None for row in self.rows)]
        measures = [name for name in known if labelled(name).name in MEASURES]
        return Source(self.command, {**spans, "rows": len(self.rows)}, measures)

    def pictures(self) -> Sequence[Chart]:
        """Return the mean response against what varies, a chart for each workload."""
        return [
            replace(chart, title=panel.title)
            for panel in self.panels
            for chart in panel_charts(panel, self.looks, [("response", "all")])
        ]

    def _span(self, name: str) -> str:
        """Write the least and the greatest: servers to the last one, loads to four digits."""
        values = sorted({row[name] for row in self.rows})
        texts = [f"{one:,}" if isinstance(one, int) else f"{one:.4g}" for one in values]
        return texts[0] if len(texts) == 1 else f"{texts[0]} to {texts[-1]}"


@dataclass(frozen=True)
class SweepDocument(TableDocument):
    """A sweep that was run: how many points, and their rows."""

    subject: SweepOutcome

    @cached_property
    def table(self) -> "polars.DataFrame":
        return self.subject.table()

    def brief(self) -> Iterable[Text]:
        """Count the points: those finished before, run now, and failed."""
        outcome, agenda = self.subject, self.subject.agenda
        others = f", {outcome.by_others} by another sweep" if outcome.by_others else ""
        failed = f", {len(outcome.failed)} failed" if outcome.failed else ""
        yield Text(
            f"{len(agenda.points)} points in {agenda.store.folder}: {len(agenda.kept)} finished "
            f"before, {outcome.finished} run now{others}{failed}",
            wrap=False,
        )

    def glance(self) -> Iterable[Text | Table]:
        agenda = self.subject.agenda
        title = f"{len(agenda.points)} points in {agenda.store.folder}"
        yield stored_table(self.table.filter(job_class="all"), title=title)
        for text in self.subject.failed.values():
            yield Text(text)

    def pictures(self) -> Sequence[Chart]:
        return TableDocument(self.table.filter(job_class="all")).pictures()


def panel_charts(
    panel: Panel, looks: Mapping[str, Look], wanted: Iterable[tuple[str, str]]
) -> list[Chart]:
    """Draw measures of classes against what varies, as views of one chart, where any is known."""
    views = [view for name, one in wanted for view in _views(panel, list(looks), name, one)]
    if not views:
        return []
    against = {"servers": "the number of servers", "load": "the load"}.get(panel.axis, panel.axis)
    marks = _marks([one for view in views for one in view.points])
    return [Chart(f"Against {against}", marks, policy_series(looks), tuple(views))]


def _wanted(panel: Panel) -> list[tuple[str, str]]:
    """Name all measures of all jobs, then the means of each class."""
    classes = dict.fromkeys(row.get("job_class", "all") for row in panel.rows)
    others = [name for name in classes if name != "all"][:MOST_CLASSES]
    return [*((name, "all") for name in SHOWN),
            *((name, one) for one in others for name in OF_CLASSES)]  # fmt: skip


def _marks(points: Sequence[Point]) -> str:
    """Say what is drawn besides lines; sweeps of logs have no intervals."""
    texts = ["Bands and bars are intervals."] * any(one.low is not None for one in points)
    texts += ["A cross at the top: diverging, so there is no mean."] * any(
        one.diverging for one in points
    )
    return " ".join(texts)


def _views(panel: Panel, policies: list[str], name: str, job_class: str) -> list[LineView]:
    """Draw a measure of a class; none where nothing is known."""
    rows = [row for row in panel.rows if row.get("job_class", "all") == job_class]
    points = [
        point(policies.index(row["policy"]), row_value(row, name), float(row[panel.axis]))
        for row in rows
    ]
    if all(one.value is None for one in points):
        return []
    points.sort(key=lambda one: (one.series, one.x))
    places = sorted({one.x for one in points})
    ideal = rows[0].get("ideal") if name == "response" and job_class == "all" else None
    view = LineView(
        heading(name) if job_class == "all" else f"{heading(name)}, {job_class}",
        panel.axis,
        heading(name),
        tuple(points),
        form_of(name),
        log=labelled(name).steady,
        x_log=panel.axis == "servers" and places[-1] >= 8 * places[0],
        reference=None if ideal is None else (ideal, f"nobody waits: {ideal:.4g}"),
    )
    ticks = tuple((x, f"{x:,.6g}") for x in places)
    return [replace(view, ticks=ticks) if len(ticks) <= 8 else view]


def _points_table(panels: Sequence[Panel]) -> Table:
    rows = [row for panel in panels for row in panel.rows][:MOST_ROWS]
    several = len({row.get("workload") for row in rows}) > 1
    texts = [Column("class", text=True), *[Column("workload", text=True)] * several]
    heads = [
        Column("policy", text=True), Column("servers"), Column("load"), *texts,
        *(Column(labelled(name).label) for name in IN_TABLE),
    ]  # fmt: skip
    return Table("Every point", heads, [_point_cells(row, several) for row in rows])


def _point_cells(row: Row, several: bool) -> list[Cell]:
    values = why_once([row_value(row, name) for name in IN_TABLE])
    where = [str(row.get("job_class", "all")), *[str(row.get("workload", NONE))] * several]
    return [PolicyName(row["policy"]), row["servers"], Value(row["load"]), *where, *values]


def _noted(rows: Sequence[Row]) -> list[str]:
    """Say what was noted of single points: that runs are short, or say nothing of stability."""
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


def _said(panel: Panel, stored: Sequence[Row]) -> list[str]:
    """Say who has the shortest response where the system is largest or busiest."""
    last = max(row[panel.axis] for row in panel.rows)
    rows = [row for row in panel.everybody if row[panel.axis] == last]
    values = {row["policy"]: row_value(row, "response") for row in rows}
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
            (second, longer), *_ = others
            text += f"; {short_name(second)} follows with {written(longer)}"
            found = _tested(rows, stored, best, second)
            if found["verdict"] == HIGHER:
                text += f" (told apart by a paired test, p = {found['p_value']:.2g})"
            elif found["verdict"] == SAME:
                text += " (a paired test **does not tell them apart**)"
            elif longer.ends[0] <= shortest.ends[1]:
                text += " (their intervals overlap: these runs **do not tell them apart**)"
        sentences.append(text + ".")
    lost = sorted(map(short_name, panel.diverging))
    if lost:
        sentences.append(f"Diverging somewhere, with no mean there: **{', '.join(lost)}**.")
    return sentences


def _tested(rows: Sequence[Row], stored: Sequence[Row], best: str, other: str) -> Row:
    """Compare two policies at the place of `rows`, on the jobs that both saw."""
    places = {tuple(row.get(name) for name in PLACE) for row in rows}
    there = [
        row
        for row in stored
        if row.get("job_class", "all") == "all" and tuple(row.get(name) for name in PLACE) in places
    ]
    found = zip(there, paired_verdicts(there, best), strict=True)
    return next(verdict for row, verdict in found if row["policy"] == other)
