"""The stored rows of sweeps as a table."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zerowait.experiment.sweeps.store import DONE
from zerowait.report.measured import is_measure, row_value
from zerowait.report.numbers import Value
from zerowait.report.tables.table import Cell, Column, PolicyName, Table

if TYPE_CHECKING:
    import polars

COLUMNS = (
    "workload", "servers", "load", "policy", "job_class", "seed", "response", "wait", "wait_p99",
    "p_wait", "utilisation", "diverging",
)  # fmt: skip
FEW = (
    "workload",
    "servers",
    "load",
    "policy",
    "job_class",
    "response",
    "wait",
    "p_wait",
    "diverging",
)


def stored_table(frame: "polars.DataFrame", columns: Sequence[str] = (), title: str = "") -> Table:
    """The usual columns of what is finished, as far as they say something, or those asked for.

    Heads are the names that a table of results has, which conditions are spelled with.
    """
    rows = frame if columns else frame.filter(status=DONE)
    shown = list(columns) or [name for name in COLUMNS if _says_something(rows, name)]
    heads = [
        Column(name, not rows.schema[name].is_numeric(), few=name in FEW or bool(columns))
        for name in shown
    ]
    cells = [[_cell(row, name) for name in shown] for row in rows.iter_rows(named=True)]
    return Table(title, heads, cells)


def _says_something(frame: "polars.DataFrame", name: str) -> bool:
    if name not in frame.columns:
        return False
    if name == "job_class":
        return bool((frame[name] != "all").any())
    return bool(frame[name].any()) if name == "diverging" else frame[name].null_count() < len(frame)


def _cell(row: dict[str, Any], name: str) -> Cell:
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
