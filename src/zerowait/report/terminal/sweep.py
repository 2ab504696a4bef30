"""Sweeps and their stored results on a terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console

from zerowait.experiment.sweeps.run import Agenda, SweepOutcome
from zerowait.experiment.sweeps.store import FAILED
from zerowait.model.display import json_ready
from zerowait.report.tables.sweep import stored_table
from zerowait.report.terminal.table import show_table

if TYPE_CHECKING:
    import polars

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
    others = f", {outcome.by_others} by another sweep" if outcome.by_others else ""
    failed = f", {len(outcome.failed)} failed" if outcome.failed else ""
    return (
        f"{len(agenda.points)} points in {agenda.store.folder}: {len(agenda.kept)} finished "
        f"before, {outcome.finished} run now{others}{failed}"
    )


def show_results(
    console: Console, frame: "polars.DataFrame", columns: Sequence[str], wide: bool = False
) -> None:
    """Stored rows, the usual columns as far as they say something; what failed goes below."""
    show_table(console, stored_table(frame, columns), wide)
    failed = frame.filter(status=FAILED)
    if len(failed) and not columns:
        for (error,), part in failed.group_by("error", maintain_order=True):
            console.print(f"{len(part)} failed: {error}", highlight=False)


def plain_rows(frame: "polars.DataFrame") -> list[dict[str, Any]]:
    """Rows ready for JSON."""
    import polars

    return [
        json_ready(row)
        for row in frame.with_columns(polars.col(polars.Datetime).cast(str)).to_dicts()
    ]
