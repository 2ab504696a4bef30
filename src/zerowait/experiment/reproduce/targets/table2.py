"""Table 2: the parameters of the SDSC SP2 workload."""

from typing import TYPE_CHECKING

from zerowait.experiment.reproduce.own_log import log_caption, log_rows
from zerowait.experiment.reproduce.settings import Settings, Target
from zerowait.experiment.sweeps.run import SweepOutcome
from zerowait.model.workloads import PUBLISHED

if TYPE_CHECKING:
    import polars


def rows(settings: Settings, outcome: SweepOutcome | None) -> "polars.DataFrame":
    return log_rows(PUBLISHED, settings.sdsc_log, settings.columns)


def says(settings: Settings) -> str:
    return log_caption(settings.sdsc_log, "--sdsc-log", "the SDSC SP2 log")


TARGET = Target("table2", "Table 2: SDSC SP2", says, rows)
