"""Rows of the theorems: shares of jobs that reach the helpers, simulated and bounded."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from zerowait.analysis.limits import ConvergenceRow
from zerowait.experiment.reproduce.models import point_rows
from zerowait.experiment.reproduce.settings import Settings
from zerowait.experiment.statistics.samples import over_seeds
from zerowait.experiment.sweeps.run import SweepOutcome
from zerowait.experiment.sweeps.sweep import Sweep
from zerowait.model import Workload
from zerowait.model.workloads import CLASSES

if TYPE_CHECKING:
    import polars

BALANCED = "balanced-splitting:fcfs"
MODIFIED = "modified-balanced-splitting:fcfs"
# What each shows of Corollary 1.
SHOWN = {BALANCED: "served_by_helpers", MODIFIED: "routed_to_helpers"}
BOUND = "Corollary 1"
WARMUP = 0.2


def base_workload() -> Workload:
    """The classes of Figure 1 at need scale one."""
    return Workload(CLASSES)


def split_sweeps(settings: Settings, sweeps: Callable[..., list[Sweep]]) -> list[Sweep]:
    """Balanced Splitting as in the figure, and ModifiedBS with a seed for each replication.

    Under ModifiedBS the helpers may be overloaded while the own servers are the loss system that
    the corollary is about. A run that diverges has neither a warm-up that its own queue could tell
    nor intervals, so that its seeds must tell how far the share is known.
    """

    def with_seeds(one: Sweep) -> Sweep:
        assert isinstance(one.seeds, int)
        seeds = range(one.seeds, one.seeds + settings.n_replications)
        return replace(one, seeds=list(seeds), replications=1, warmup=WARMUP)

    loss = map(with_seeds, sweeps(settings, (MODIFIED,)))
    return [*sweeps(settings, (BALANCED,)), *loss]


def helper_rows(
    settings: Settings,
    outcome: SweepOutcome | None,
    table: Sequence[ConvergenceRow],
    scale: Callable[[ConvergenceRow], float],
    more: dict[str, Any],
) -> "polars.DataFrame":
    """One row per system and kind of number; `scaled` is what the theorem gives the limit of."""
    import polars

    factors = {row.servers: scale(row) for row in table}
    bounds = [
        {
            "kind": BOUND, "servers": row.servers, "need_scale": row.need_scale, "load": row.load,
            "share": row.bound, "scaled": row.bound * factors[row.servers],
        }
        for row in table
    ]  # fmt: skip
    frame = point_rows(settings, outcome)
    loss = over_seeds(frame.filter(policy=MODIFIED).to_dicts(), lambda row: row["servers"])
    simulated = polars.concat(
        [frame.filter(policy=BALANCED), polars.DataFrame(loss, schema=frame.schema)],
        how="diagonal_relaxed",
    )
    measure = polars.col("policy").replace_strict(SHOWN)
    factor = polars.col("servers").replace_strict(factors, return_dtype=polars.Float64)

    def shown(end: str) -> "polars.Expr":
        served, routed = (polars.col(name + end) for name in SHOWN.values())
        return polars.when(policy=BALANCED).then(served).otherwise(routed)

    simulated = simulated.with_columns(
        kind=polars.col("policy") + " " + measure,
        share=shown(""),
        share_half_width=shown("_half_width"),
        scaled=shown("") * factor,
        scaled_half_width=shown("_half_width") * factor,
    )
    rows = polars.concat([polars.DataFrame(bounds), simulated], how="diagonal_relaxed")
    first = ["kind", "servers", "need_scale", "load", "share", "share_half_width", "scaled",
             "scaled_half_width"]  # fmt: skip
    rows = rows.with_columns(polars.lit(value).alias(name) for name, value in more.items())
    return rows.select(*first, *more, polars.exclude(*first, *more))
