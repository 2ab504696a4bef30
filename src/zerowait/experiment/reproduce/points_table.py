"""The tidy table of a figure: one row per panel and point, for all jobs together."""

import math
from typing import TYPE_CHECKING

from zerowait.experiment.measures import HALF_WIDTH, needs_steady_state
from zerowait.experiment.reproduce.settings import Settings
from zerowait.experiment.sweeps.run import SweepOutcome
from zerowait.experiment.sweeps.store import DONE

if TYPE_CHECKING:
    import polars

SHOWN = (
    "response",
    "wait",
    "wait_p99",
    "slowdown",
    "p_wait",
    "utilisation",
    "routed_to_helpers",
    "served_by_helpers",
)
BEFORE = ("panel", "workload", "servers", "need_scale", "load", "policy", "diverging", "ideal")
AFTER = ("arrivals", "replications", "warmup", "seed", "notes", "version", "results_version",
         "point", "command")  # fmt: skip


def class_rows(outcome: SweepOutcome) -> "polars.DataFrame":
    """Every stored row, the panel in place of the workload's name: what pages are made of."""
    import polars

    frame = outcome.table().filter(polars.col("status") == DONE)
    return frame.with_columns(workload=polars.col("sweep")).drop("sweep")


def point_rows(settings: Settings, outcome: SweepOutcome | None) -> "polars.DataFrame":
    """Measures with their half-widths (95%); of diverging runs there are no means.

    `ideal` is the mean service time, the response where nobody waits.
    """
    import polars

    assert outcome is not None
    known = [
        {
            "point": key,
            "ideal": point.workload.mean_service,
            "need_scale": math.gcd(*(one.need for one in point.workload.classes)),
        }
        for key, point in outcome.agenda.points.items()
    ]
    frame = outcome.table().filter(status=DONE, job_class="all")
    frame = frame.join(polars.DataFrame(known), on="point", maintain_order="left")
    frame = frame.rename({"sweep": "panel"})
    columns = [*BEFORE]
    for name in SHOWN:
        half = name + HALF_WIDTH
        columns += [name, half] if half in frame.columns else [name]
    lost = [name for name in columns if needs_steady_state(name)]
    frame = frame.select(*columns, *AFTER).with_columns(
        polars.when(~polars.col("diverging")).then(polars.col(name)).alias(name) for name in lost
    )
    places = {policy: number for number, policy in enumerate(settings.policies)}
    order = polars.col("policy").replace_strict(places, default=len(places))
    panels = frame["panel"].unique(maintain_order=True).to_list()
    panel = polars.col("panel").replace_strict(panels, range(len(panels)), default=0)
    return frame.sort(panel, order, "servers", "load", maintain_order=True)
