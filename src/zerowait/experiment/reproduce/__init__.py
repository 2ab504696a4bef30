"""The paper's figures, tables and theorems as experiments; importing this fills the register."""

from zerowait.experiment.reproduce import figure1 as _figure1  # noqa: F401
from zerowait.experiment.reproduce import figure2 as _figure2  # noqa: F401
from zerowait.experiment.reproduce import figure3 as _figure3  # noqa: F401
from zerowait.experiment.reproduce import table1 as _table1  # noqa: F401
from zerowait.experiment.reproduce import tables_of_logs as _tables_of_logs  # noqa: F401
from zerowait.experiment.reproduce import theorem1 as _theorem1  # noqa: F401
from zerowait.experiment.reproduce import theorem2 as _theorem2  # noqa: F401
from zerowait.experiment.reproduce.settings import MORE, PAPER, Settings, settings_of
from zerowait.experiment.reproduce.target import TARGETS, Target, find_targets

__all__ = ["MORE", "PAPER", "TARGETS", "Settings", "Target", "find_targets", "settings_of"]
