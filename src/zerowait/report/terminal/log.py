"""A log, its cleaning and its fits on a terminal."""

from rich.console import Console

from zerowait.report.numbers import Value, number
from zerowait.report.tables.log import (
    cleaning_table,
    facts_of,
    log_classes_table,
    log_users_table,
)
from zerowait.report.tables.table import Cell, Table, columns
from zerowait.report.terminal.table import show_table
from zerowait.traces import Cleaning, TraceInfo, WorkloadFit
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


def show_fit(console: Console, fit: WorkloadFit) -> None:
    """For each class every family, best first; the first is taken."""
    console.print(
        f"classes: {fit.grouping} (their needs add {fit.waste:+.1%} of work). The first law of "
        f"each is taken: its mean is right (within 5%), and its {fit.criterion.upper()} the least."
    )
    heads = columns(
        ["", "law", "fitted by"], ["log-likelihood", "AIC", "KS", "mean error", "std error"]
    )
    for one in fit.classes:
        title = f"{one.name}: {one.jobs} jobs, mean {number(one.mean)}, std {number(one.std)}"
        rows: list[list[Cell]] = [
            ["", row.family, row.reason, *[""] * 5]
            if row.law is None
            else [
                "taken" if row is one.chosen else "", row.family, row.method,
                Value(row.log_likelihood, digits=7), Value(row.aic, digits=7),
                Value(row.ks, digits=3), _error(row.mean_error), _error(row.std_error),
            ]
            for row in one.table
        ]  # fmt: skip
        show_table(console, Table(title, heads, rows))
    poor = [one.name for one in fit.classes if one.is_poor]
    if poor:
        console.print(
            f"No family fits well (KS above 0.1): {', '.join(poor)}. Resample the log itself with "
            "--laws empirical.",
            style="yellow",
        )


def _error(value: float) -> str:
    return "∞" if value == float("inf") else f"{value:+.1%}"


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
