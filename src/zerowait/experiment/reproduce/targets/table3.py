"""Table 3: the parameters of the KIT FH2 workload."""

from typing import TYPE_CHECKING

from zerowait.experiment.reproduce.own_log import log_caption, log_rows
from zerowait.experiment.reproduce.settings import Settings, Target
from zerowait.experiment.sweeps.run import SweepOutcome
from zerowait.model.workloads import ROWS

if TYPE_CHECKING:
    import polars


def rows(settings: Settings, outcome: SweepOutcome | None) -> "polars.DataFrame":
    return log_rows(ROWS, settings.kit_log, settings.columns)


def says(settings: Settings) -> str:
    return log_caption(settings.kit_log, "--kit-log", "the KIT FH2 log")


TARGET = Target("table3", "Table 3: KIT FH2", says, rows)
