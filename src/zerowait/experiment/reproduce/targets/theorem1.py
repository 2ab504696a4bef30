"""Theorem 1: at a fixed load nobody is served by the helpers in the limit, and nobody waits."""

from typing import TYPE_CHECKING, Any

from zerowait.analysis.limits import subcritical_table, theorem_1
from zerowait.experiment.reproduce.helper_rows import base_workload, helper_rows, split_sweeps
from zerowait.experiment.reproduce.models import FIGURE1, subcritical_sweeps
from zerowait.experiment.reproduce.settings import Settings, Target
from zerowait.experiment.sweeps.run import SweepOutcome
from zerowait.experiment.sweeps.sweep import Sweep

if TYPE_CHECKING:
    import polars


def sweeps(settings: Settings) -> list[Sweep]:
    """The points of Figure 2b, so far as they are the same."""
    return split_sweeps(settings, subcritical_sweeps)


def rows(settings: Settings, outcome: SweepOutcome | None) -> "polars.DataFrame":
    base = base_workload()
    table = subcritical_table(base, settings.load, settings.sizes)
    limit = theorem_1(base, settings.load)
    more: dict[str, Any] = {"limit": limit.bound, "response_limit": limit.response}
    return helper_rows(settings, outcome, table, lambda row: 1.0, more)


def says(settings: Settings) -> str:
    return (
        f"Theorem 1 at load {settings.load:g}: the share of jobs that the helpers serve vanishes "
        "as k grows, and the mean response tends to the mean service time, so that nobody waits. "
        "Corollary 1 (Erlang B) bounds that share under Balanced Splitting, and is exactly the "
        f"share sent to the helpers under ModifiedBS. {FIGURE1}"
    )


TARGET = Target("theorem1", "Theorem 1: zero wait at a fixed load", says, rows, sweeps)
