"""Sweeps and their stored results as tables for a terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console

from zerowait.experiment.sweeps.run import Agenda, SweepOutcome
from zerowait.experiment.sweeps.store import DONE, FAILED
from zerowait.model.plain import plain
from zerowait.report.terminal.results import number, plain_table

if TYPE_CHECKING:
    import polars

COLUMNS = (
    "workload", "servers", "load", "policy", "seed", "response", "wait", "wait_p99", "p_wait",
    "utilisation", "diverging",
)  # fmt: skip
MOST_POINTS = 20


def show_agenda(console: Console, agenda: Agenda) -> None:
    """What a sweep would do."""
    console.print(agenda_line(agenda))
    for point in agenda.to_run[:MOST_POINTS]:
        console.print(f"  {point}", highlight=False)
    if len(agenda.to_run) > MOST_POINTS:
        console.print(f"  and {len(agenda.to_run) - MOST_POINTS} more")


def agenda_line(agenda: Agenda) -> str:
    n_stale = len(agenda.stale)
    kept = {point.key for point in agenda.kept}
    stale = f", {n_stale} of other code" if n_stale else ""
    if any(point.key in kept for point in agenda.stale):
        stale += " (kept)"
    elif n_stale:
        stale += " (to run again)"
    return (
        f"{len(agenda.points)} points: {len(agenda.kept)} finished before{stale}, "
        f"{len(agenda.to_run)} to run, {agenda.n_jobs} arrivals"
    )


def agenda_rows(agenda: Agenda) -> list[dict[str, Any]]:
    kept = {point.key for point in agenda.kept}
    stale = {point.key for point in agenda.stale}
    return [
        {
            "sweep": name,
            "point": point.key,
            "finished": point.key in kept,
            "stale": point.key in stale,
            "workload": point.label,
            **point.asked,
        }
        for name, point in agenda.named
    ]


def outcome_line(outcome: SweepOutcome) -> str:
    agenda = outcome.agenda
    failed = f", {len(outcome.failed)} failed" if outcome.failed else ""
    return (
        f"{len(agenda.points)} points in {agenda.store.folder}: {len(agenda.kept)} finished "
        f"before, {outcome.finished} run now{failed}"
    )


def show_results(console: Console, frame: "polars.DataFrame", columns: Sequence[str]) -> None:
    """Stored rows, the usual columns as far as they say something; what failed goes below."""
    failed = frame.filter(status=FAILED)
    frame = frame.filter(status=DONE) if not columns else frame
    shown = list(columns) or [name for name in COLUMNS if _says_something(frame, name)]
    table = plain_table("")
    for name in shown:
        numeric = frame.schema[name].is_numeric()
        table.add_column(name, justify="right" if numeric else "left", overflow="fold")
    for row in frame.iter_rows(named=True):
        table.add_row(*(_cell(row, name) for name in shown))
    console.print(table)
    if len(failed) and not columns:
        for (error,), rows in failed.group_by("error", maintain_order=True):
            console.print(f"{len(rows)} failed: {error}", highlight=False)


def _says_something(frame: "polars.DataFrame", name: str) -> bool:
    if name not in frame.columns:
        return False
    return bool(frame[name].any()) if name == "diverging" else frame[name].null_count() < len(frame)


def _cell(row: dict[str, Any], name: str) -> str:
    value, half_width = row[name], row.get(f"{name}_half_width")
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else ""
    if not isinstance(value, float):
        return str(value)
    return number(value) if half_width is None else f"{number(value)} ± {number(half_width, 2)}"


def plain_rows(frame: "polars.DataFrame") -> list[dict[str, Any]]:
    """Rows ready for JSON."""
    import polars

    return [
        plain(row) for row in frame.with_columns(polars.col(polars.Datetime).cast(str)).to_dicts()
    ]
