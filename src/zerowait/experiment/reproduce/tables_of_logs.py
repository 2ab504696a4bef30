"""Tables 2 and 3: the parameters of the SDSC SP2 and KIT FH2 workloads."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zerowait.experiment.reproduce.own_log import Columns, own_log
from zerowait.experiment.reproduce.settings import Settings
from zerowait.experiment.reproduce.target import Target, register
from zerowait.experiment.sweeps.run import SweepOutcome
from zerowait.model.workloads.kit_fh2 import ROWS as KIT
from zerowait.model.workloads.sdsc_sp2 import PUBLISHED as SDSC
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


def _says(log: Path | None, option: str, name: str) -> str:
    text = f"Means and standard deviations of the service times (s), needs and shares of {name}. "
    if log is None:
        return text + f"As printed in the paper; to compute it, name a copy of the log: {option}."
    return text + (
        f"As printed in the paper, and computed from {log.name} by the recipe that gives the "
        "printed digits of Table 2 ('published') and by the one that the paper's text describes "
        "('described')."
    )


def _sdsc_rows(settings: Settings, outcome: SweepOutcome | None) -> "polars.DataFrame":
    return log_rows(SDSC, settings.sdsc_log, settings.columns)


def _kit_rows(settings: Settings, outcome: SweepOutcome | None) -> "polars.DataFrame":
    return log_rows(KIT, settings.kit_log, settings.columns)


register(
    Target(
        "table2",
        "Table 2: SDSC SP2",
        lambda settings: _says(settings.sdsc_log, "--sdsc-log", "the SDSC SP2 log"),
        _sdsc_rows,
    )
)
register(
    Target(
        "table3",
        "Table 3: KIT FH2",
        lambda settings: _says(settings.kit_log, "--kit-log", "the KIT FH2 log"),
        _kit_rows,
    )
)
