"""What can be reproduced: a figure, a table or a theorem of the paper."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zerowait.experiment.reproduce.settings import Settings
from zerowait.experiment.sweeps.run import SweepOutcome
from zerowait.experiment.sweeps.sweep import Sweep

if TYPE_CHECKING:
    import polars

Sweeps = Callable[[Settings], list[Sweep]]
Rows = Callable[[Settings, SweepOutcome | None], "polars.DataFrame"]


def no_sweeps(settings: Settings) -> list[Sweep]:
    """Of a table, for which nothing is simulated."""
    return []


@dataclass(frozen=True)
class Target:
    """One thing in the paper: what is simulated for it, and the rows that come of it.

    Each sweep is named after the panel of the figure that shows it. `says` is what the caption
    tells of the model, as the paper's own does.
    """

    name: str
    title: str
    says: Callable[[Settings], str]
    rows: Rows
    sweeps: Sweeps = no_sweeps
