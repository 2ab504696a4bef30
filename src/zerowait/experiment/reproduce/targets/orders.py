"""Orders of the queue on Figure 1's systems and on logs, beside splits and preemption."""

from typing import TYPE_CHECKING

from zerowait.experiment.reproduce.log_orders import log_rows, named_logs
from zerowait.experiment.reproduce.models import FIGURE1, critical_sweeps
from zerowait.experiment.reproduce.paired_rows import paired_rows, seeded
from zerowait.experiment.reproduce.settings import Settings, Target
from zerowait.experiment.sweeps.run import SweepOutcome
from zerowait.experiment.sweeps.sweep import Sweep

if TYPE_CHECKING:
    import polars

BASELINES = ("first-fit", "balanced-splitting:fcfs")
# Tables of allowances: one typed by hand, and what a search at k = 2048 came to,
#   zw.optimise(figure1(2048), 2048, policies="backfill,order=due,by=class,reserve_after=never",
#               minimise="wait", evaluations=60, arrivals=50_000, replications=2), as a table.
POLICIES = (
    *BASELINES,
    "backfill,order=need",
    "backfill,order=due,reserve_after=never,allowance=0/10/10/-10",
    "backfill,order=due,reserve_after=never,allowance=0/70.5/76.6/82.8",
    "maxweight-myopic",
    "smallest-area-first",
    "maxweight",
    "server-filling-srpt",
    "first-fit-srpt",
)
LOGS = "logs"  # folder beside the points


def sweeps(settings: Settings) -> list[Sweep]:
    return [seeded(one, settings) for one in critical_sweeps(settings, POLICIES)]


def rows(settings: Settings, outcome: SweepOutcome | None) -> "polars.DataFrame":
    """Of Figure 1 by system, class, policy and baseline; of logs by log, policy and measure."""
    import polars

    assert outcome is not None
    logs = log_rows(settings, outcome.agenda.store.folder.parent / LOGS)
    parts = [paired_rows(outcome, BASELINES), logs]
    return polars.concat([one for one in parts if len(one)], how="diagonal_relaxed")


def says(settings: Settings) -> str:
    names = ", ".join(path.name for path in named_logs(settings))
    logs = (
        f"Logs, replayed with users' estimates and paired with EASY week by week: {names}; those "
        "that do not say how many servers there were are left out."
        if names
        else "No log is replayed; name a folder of them: --logs."
    )
    return (
        "Mean waits at critical load under orders of the queue, First-Fit, Balanced Splitting and "
        "preemptive policies, by class, and their paired differences from First-Fit and bs:fcfs "
        f"(`p_value`: Holm's). {FIGURE1} {logs}"
    )


TARGET = Target("orders", "Order matters more than the split", says, rows, sweeps)
