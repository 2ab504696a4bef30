"""Tables of a log's parameters: as the paper prints them, and computed from a copy of the log."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zerowait.experiment.reproduce.own_log import Columns, own_log
from zerowait.model.workloads.table import Row
from zerowait.traces.published import RECIPES, paper_table

if TYPE_CHECKING:
    import polars


def log_rows(printed: Sequence[Row], log: Path | None, columns: Columns) -> "polars.DataFrame":
    """The printed rows, and those computed from a log by either recipe."""
    import polars

    names = ("mean", "std", "need", "share")
    rows: list[dict[str, object]] = [
        {"from": "printed", **dict(zip(names, row, strict=True)), "jobs": None} for row in printed
    ]
    if log is not None:
        found = own_log(log, columns)
        for recipe in RECIPES:
            rows += [{"from": recipe, **vars(row)} for row in paper_table(found, recipe)]
    return polars.DataFrame(rows, infer_schema_length=None)


def log_caption(log: Path | None, option: str, name: str) -> str:
    text = f"Means and standard deviations of the service times (s), needs and shares of {name}. "
    if log is None:
        return text + f"As printed in the paper; to compute it, name a copy of the log: {option}."
    return text + (
        f"As printed in the paper, and computed from {log.name} by the recipe that gives the "
        "printed digits of Table 2 ('published') and by the one that the paper's text describes "
        "('described')."
    )
