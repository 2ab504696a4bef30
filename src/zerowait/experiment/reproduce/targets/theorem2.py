"""Theorem 2: how fast the share of jobs served by the helpers vanishes at critical load."""

import math
from typing import TYPE_CHECKING, Any

from zerowait.analysis.limits import critical_table, theorem_2
from zerowait.experiment.reproduce.helper_rows import base_workload, helper_rows, split_sweeps
from zerowait.experiment.reproduce.models import FIGURE1, critical_sweeps
from zerowait.experiment.reproduce.settings import Settings, Target
from zerowait.experiment.sweeps.run import SweepOutcome
from zerowait.experiment.sweeps.sweep import Sweep

if TYPE_CHECKING:
    import polars

SLACK = 0.7
BEYOND = 2**30  # servers up to which the bound is computed, where nothing is simulated


def sweeps(settings: Settings) -> list[Sweep]:
    """The points of Figure 1, so far as they are the same."""
    return split_sweeps(settings, critical_sweeps)


def rows(settings: Settings, outcome: SweepOutcome | None) -> "polars.DataFrame":
    base = base_workload()
    sizes = settings.sizes
    step = sizes[-1] // sizes[-2] if len(sizes) > 1 else 8
    while sizes[-1] * step <= BEYOND:
        sizes = [*sizes, sizes[-1] * step]
    table = critical_table(base, SLACK, sizes)
    more: dict[str, Any] = {"limit": theorem_2(base, SLACK).constant}
    return helper_rows(
        settings, outcome, table, lambda row: math.sqrt(row.servers / row.need_scale), more
    )


def says(settings: Settings) -> str:
    return (
        f"Theorem 2 at the critical load of slack {SLACK:g}: sqrt(k / f_k) times the share of jobs "
        "that the helpers serve, against the constant that its bound tends to. Corollary 1 (Erlang "
        "B) bounds that share under Balanced Splitting, and is exactly the share sent to the "
        "helpers under ModifiedBS, which does not depend on whether the helpers keep up. "
        f"{FIGURE1}"
    )


TARGET = Target("theorem2", "Theorem 2: the critical constant", says, rows, sweeps)
