"""A log and its cleaning on a terminal."""

from rich.console import Console

from zerowait.report.tables.log import (
    cleaning_table,
    facts_of,
    log_classes_table,
    log_users_table,
)
from zerowait.report.tables.table import Cell, Table, columns
from zerowait.report.terminal.table import show_table
from zerowait.traces import Cleaning, TraceInfo
from zerowait.traces.archive import ArchivedLog
from zerowait.traces.published import TableRow


def show_cleaning(console: Console, cleaning: Cleaning) -> None:
    """What was dropped or repaired, and why."""
    table = cleaning_table(cleaning)
    if table.rows:
        show_table(console, table)
    else:
        console.print(f"{table.title}; nothing dropped or repaired")


def show_info(console: Console, info: TraceInfo) -> None:
    """The log in numbers."""
    show_cleaning(console, info.cleaning)
    show_table(console, Table(info.path, columns(["", ""], []), facts_of(info)))
    show_table(console, log_classes_table(info), units=True)
    users = log_users_table(info)
    if users is not None:
        show_table(console, users, units=True)


def show_paper_table(console: Console, rows: tuple[TableRow, ...], title: str) -> None:
    """E[D_i], std(D_i), n_i, alpha_i, as the paper prints them."""
    heads = columns([], ["E[D_i]", "std(D_i)", "n_i", "alpha_i", "jobs"])
    cells: list[list[Cell]] = [
        [f"{row.mean:.2f}", f"{row.std:.2f}", row.need, f"{row.share:.4f}", row.jobs]
        for row in rows
    ]
    show_table(console, Table(title, heads, cells))


def show_archive(console: Console, logs: tuple[ArchivedLog, ...]) -> None:
    """The logs that `trace download` knows."""
    rows = [
        [
            log.name,
            str(log.servers or ""),
            log.file,
            "pinned" if log.is_pinned else "not pinned: --unverified",
        ]
        for log in logs
    ]
    heads = columns(["name", "servers", "file", "checksum"], [])
    show_table(console, Table("logs of the Parallel Workloads Archive", heads, rows))
