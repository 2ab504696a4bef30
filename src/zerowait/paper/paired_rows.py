"""Policies against baselines on the same streams: rows of means, differences and Holm's tests.

Every seed is a point of its own, so that it is kept and gone on with like any other. Points of one
seed see the same jobs, so that differences are taken seed by seed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

import zerowait as zw
from zerowait.experiment.comparisons.comparison import holm
from zerowait.experiment.statistics.intervals import LEVEL
from zerowait.experiment.statistics.samples import NOTHING, Estimate
from zerowait.experiment.sweeps.store import DONE
from zerowait.paper.settings import Settings

if TYPE_CHECKING:
    import polars

WARMUP = 0.2  # of every run: the same jobs count under all policies
PRICE = "preemption_cost"
FREE = "0"
# What the caption says of a point, taken from its first seed.
KEPT = ("sweep", "workload", "servers", "load", "arrivals", "warmup", "seed", "version",
        "results_version", "point")  # fmt: skip
Row = dict[str, Any]
Cell = tuple[str, str]  # policy and price of its pauses


def seeded(one: zw.Sweep, settings: Settings) -> zw.Sweep:
    """Give each replication a seed, and so a point of its own."""
    seeds = range(settings.seed, settings.seed + settings.n_replications)
    return replace(one, seeds=list(seeds), replications=1, warmup=WARMUP)


def paired_rows(outcome: zw.SweepOutcome, baselines: Sequence[str]) -> "polars.DataFrame":
    """Return one row per system, class, policy, price and baseline.

    `p_value` is Holm's over all rows of one kind: those of all jobs together, or those of classes.
    """
    import polars

    frame = outcome.table().filter(status=DONE)
    if PRICE not in frame.columns:
        frame = frame.with_columns(polars.lit(FREE).alias(PRICE))
    frame = frame.with_columns(polars.col(PRICE).fill_null(FREE))
    rows: list[Row] = []
    for _, system in frame.group_by("servers", "job_class", maintain_order=True):
        rows += _system_rows(system, baselines)
    rows.sort(key=lambda row: (row["servers"], row["job_class"] != "all"))
    _adjust([row for row in rows if row["job_class"] == "all"])
    _adjust([row for row in rows if row["job_class"] != "all"])
    found = polars.DataFrame(rows, infer_schema_length=None)
    return found.rename({"sweep": "panel"})


def _system_rows(system: "polars.DataFrame", baselines: Sequence[str]) -> list[Row]:
    """Compare every policy with every baseline but itself, for one class in one system.

    A seed that failed under one policy is left out of all.
    """
    found: dict[Cell, dict[int, Row]] = {}
    for row in system.to_dicts():
        found.setdefault((row["policy"], row[PRICE]), {})[row["seed"]] = row
    seeds = sorted(set.intersection(*map(set, found.values())))
    if not seeds:
        return []
    cells = {cell: [own[seed] for seed in seeds] for cell, own in found.items()}
    waits = {cell: _estimate(own, "wait") for cell, own in cells.items()}
    rows = []
    for cell, own in cells.items():
        for baseline in baselines:
            other = waits.get((baseline, FREE), NOTHING)
            is_own = cell[0] == baseline
            rows.append(_row(own) | _against(waits[cell], other, baseline, is_own))
    return rows


def _row(own: Sequence[Row]) -> Row:
    row = {name: own[0][name] for name in KEPT} | {
        "policy": own[0]["policy"],
        PRICE: own[0][PRICE],
        "job_class": own[0]["job_class"],
        "need": own[0].get("need"),
        "replications": len(own),
        "diverging": any(one["diverging"] for one in own),
        "notes": "",  # of the noise the seeds tell, not the single runs
    }
    for measure in ("wait", "response", "p_wait", "preemptions", "lost"):
        row |= _interval(measure, _estimate(own, measure))
    return row


def _against(own: Estimate, other: Estimate, baseline: str, is_own: bool) -> Row:
    if is_own:
        own = other = NOTHING
    change, ratio = own - other, own / other
    return {
        "against": baseline,
        **_interval("difference", change),
        **_interval("ratio", ratio),
        "p_value": _known(change.p_value),
    }


def _estimate(own: Sequence[Row], measure: str) -> Estimate:
    """Estimate a mean over the seeds; there is none where one of them diverges."""
    values = np.array([row[measure] for row in own], dtype=np.float64)
    if any(row["diverging"] for row in own) or not np.isfinite(values).all():
        return NOTHING
    mean = float(values.mean())
    return Estimate(mean, values - mean, len(values) - 1.0, None)


def _interval(name: str, estimate: Estimate) -> Row:
    found = estimate.interval(LEVEL)
    return {name: _known(found.mean), f"{name}_half_width": _known(found.half_width)}


def _known(value: float) -> float | None:
    return None if value != value else float(value)


def _adjust(rows: Iterable[Row]) -> None:
    """Adjust the p-values of all that were tested."""
    tested = [row for row in rows if row["p_value"] is not None]
    for row, p in zip(tested, holm([row["p_value"] for row in tested]), strict=True):
        row["p_value"] = float(p)
