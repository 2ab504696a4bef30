"""The document of a simulated result: measures per class and overall."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from zerowait.experiment.measures import MEASURES, QUANTILES
from zerowait.experiment.results.result import ClassResult, Result
from zerowait.report.charts import Chart, LineView, Series, dots_of, point
from zerowait.report.document import Bar, Cell, Column, Document, Source, Table, Text
from zerowait.report.measured import (
    form_of,
    in_seconds,
    labelled,
    measures_in,
    row_value,
    table_rows,
)
from zerowait.report.numbers import Value, digits_of_rest, percent
from zerowait.report.palette import CLASS_HUES, DASHES, MARKERS, Look, short_name
from zerowait.report.waits import SHARE_AXIS

MOST_CLASSES = 16  # rows of a table: those with most jobs
MOST_DRAWN = 10  # told apart in one chart: those with most jobs
FEW = ("response", "wait", "wait_p99", "wait_max", "bounded_slowdown", "p_wait")
WITH_INTERVAL = (*FEW, "slowdown")  # the others' would make the table too wide for most screens
OFTEN_CONFUSED = ("routed_to_helpers", "served_by_helpers", "p_wait")


@dataclass(frozen=True)
class ResultDocument(Document):
    """Measures per class, where the intervals come from, notes."""

    subject: Result

    def brief(self) -> Iterable[Table | Text | Bar]:
        result = self.subject
        yield result_table(result)
        hidden = len(result.classes) - MOST_CLASSES
        if hidden > 0:
            yield Text(
                f"{hidden} classes with fewer jobs are not shown; --json has all of them", hint=True
            )
        if result.split:
            own = zip(result.classes[:MOST_CLASSES], result.split.own_servers, strict=False)
            more = ", ..." if hidden > 0 else ""
            listed = ", ".join(f"{one.name} ({servers})" for one, servers in own)
            yield Text(f"own servers: {listed}{more}; helpers {result.split.helpers}")
        if result.samples is not None and not result.diverging:
            yield Text(f"± is {_origin(result)}{_warm_up(result)}", "dim")
        if result.split:
            yield from meanings()
        yield from notes_of(result)

    def pictures(self) -> Sequence[Chart]:
        """Return how long jobs wait: mean and quantiles by class."""
        result, rows = self.subject, table_rows(self.subject)
        series, shown = class_series(result, MOST_DRAWN), drawn_classes(result, MOST_DRAWN)
        places = [(0, rows[-1]), *((k, rows[i]) for k, (i, _) in enumerate(shown, start=1))]
        seconds = in_seconds(result)
        means = [
            (row["job_class"], [point(k, row_value(row, "wait", seconds))]) for k, row in places
        ]
        who = f"{short_name(result.policy)}, {result.servers} servers"
        view = quantile_view(places, seconds=seconds)
        return [
            Chart(who, "", series, (dots_of("wait", means, seconds),)),
            Chart("Waits, from the usual to the unlucky", "", series, (view,)),
        ]


def quantile_view(
    rows: Iterable[tuple[int, dict[str, Any]]], label: str = "", seconds: bool = False
) -> LineView:
    """Draw the quantiles of the waits that rows have, each for the series of its number."""
    ticks = tuple((digits_of_rest(part), percent(part)) for part in QUANTILES.values())
    points = tuple(
        point(number, replace(row_value(row, f"wait_{key}", seconds), half_width=None), x)
        for number, row in rows
        for key, (x, _) in zip(QUANTILES, ticks, strict=True)
    )
    name, form = MEASURES["wait"].label, form_of("wait", seconds)
    return LineView(label, SHARE_AXIS, name, points, form, log=True, ticks=ticks)


def result_table(result: Result, most: int | None = MOST_CLASSES) -> Table:
    """List measures per class, of `most` classes or all, and overall."""
    names = []
    for name in measures_in([result]):
        names += [name, f"{name}_p99"] if MEASURES[name].has_quantiles else [name]
    if in_seconds(result):  # one mean may hide a wait of weeks
        names.insert(names.index("wait_p99") + 1, "wait_max")
    heads = [
        Column("class", text=True), Column("need", few=False), Column("jobs"),
        *(Column(labelled(name).label, few=name in FEW) for name in names),
    ]  # fmt: skip
    *classes, everybody = table_rows(result)
    biggest = sorted(classes, key=itemgetter("count"), reverse=True)[:most]
    rows: list[list[Cell]] = []
    for row in (*classes, everybody):
        if row is everybody or row in biggest:
            need = "" if row["need"] is None else row["need"]
            values = [_value(row, name, in_seconds(result)) for name in names]
            rows.append([row["job_class"], need, row["count"], *values])
    return Table(_title(result), heads, rows, total=True)


def _value(row: dict[str, Any], name: str, seconds: bool) -> Value:
    found = row_value(row, name, seconds)
    return found if name in WITH_INTERVAL else replace(found, half_width=None)


def _title(result: Result) -> str:
    details = ", ".join(
        f"{key} {value:.6g}" if isinstance(value, float) else f"{key} {value}"
        for key, value in result.parameters.items()
        if isinstance(value, (int, float, str))
    )
    return f"{result.policy} on {result.servers} servers ({details})"


def meanings() -> list[Text]:
    """Say what the three shares mean that splits have, and that must not be mixed up."""
    return [
        Text(f"{MEASURES[name].label}: {MEASURES[name].meaning}", "dim") for name in OFTEN_CONFUSED
    ]


def notes_of(result: Result, before: str = "") -> list[Text]:
    """Say that a run diverges, and what else was noted of it."""
    lost = Text(
        f"{result.policy} is diverging: its queue grew throughout the run. There is no steady "
        "state, or the run is too short to reach it, and so no mean",
        "warning",
    )
    notes = [Text(f"note: {before}{note}", "note") for note in result.notes]
    return [*[lost] * result.diverging, *notes]


def source_of(command: str, results: Sequence[Result]) -> Source:
    """Return what it takes to get some results again; of a log its own load, too."""
    first = results[0]
    about: dict[str, Any] = {"servers": first.servers}
    if in_seconds(first):
        about["own load"] = first.own_load
    return Source(command, about | dict(first.parameters), measures_in(results), first.version)


def _origin(result: Result) -> str:
    """Say where the intervals come from."""
    if not result.dropped:
        weeks = f"{result.n_groups} weeks of the log (one log is one sample)"
        return f"a {100 * result.level:g}% interval from {weeks}"
    n = len(result.replicates)
    runs = "one replication" if n == 1 else f"{n} replications"
    if result.batches is not None:
        runs = f"{result.batches} batches of {runs}" + ("" if n == 1 else " each")
    return f"a {100 * result.level:g}% interval from {runs}"


def _warm_up(result: Result) -> str:
    """Say how much of the runs was not counted."""
    if not result.dropped:
        return ""
    arrivals = result.parameters["arrivals"]
    low, high = (f"{edge(result.dropped) / arrivals:.1%}" for edge in (min, max))
    share = low if low == high else f"{low} to {high}"
    how = "by MSER-5 " if result.parameters["warmup"] == "mser" else ""
    return f"; warm-up {how}{share} of the arrivals"


def drawn_classes(result: Result, most: int) -> list[tuple[int, ClassResult]]:
    """Return the classes with most jobs, in the order of the result, with their numbers."""
    order = sorted(range(len(result.classes)), key=lambda i: -result.classes[i].count)
    return [(i, result.classes[i]) for i in sorted(order[:most]) if result.classes[i].count]


def class_series(result: Result, most: int) -> tuple[Series, ...]:
    """Return all jobs in grey, then the classes in looks of their own."""
    markers = list(MARKERS)
    classes = [
        Series(
            one.name,
            Look(CLASS_HUES[i % len(CLASS_HUES)], markers[i % len(markers)], DASHES[1 + i % 3]),
        )
        for i, one in drawn_classes(result, most)
    ]
    return (Series("all jobs", Look("grey")), *classes)
