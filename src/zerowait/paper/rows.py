"""The systems of Figures 1 and 2, their rows, and who is better where.

All policies at one place of a figure see the same jobs, replication by replication. So the
differences of their replications are tested, not whether two intervals overlap: these are wide with
noise that both policies share.
"""

import math
from typing import TYPE_CHECKING, Any

import zerowait as zw
from zerowait.experiment.measures import HALF_WIDTH, needs_steady_state
from zerowait.experiment.simulation.run_length import SHORT
from zerowait.experiment.sweeps.store import DONE
from zerowait.experiment.sweeps.verdicts import paired_verdicts
from zerowait.paper.settings import Settings

if TYPE_CHECKING:
    import polars

FIGURE1 = (
    "Small jobs (share 0.95) have need f_k and mean service time 1; large jobs have (2 f_k, 40), "
    "(4 f_k, 20) or (8 f_k, 10), each with share 0.05 / 3; f_k = floor((k / 32)^(2/3)) for k "
    "servers. Exponential service times, Poisson arrivals."
)


def critical_sweeps(settings: Settings, policies: tuple[str, ...]) -> list[zw.Sweep]:
    """Make a sweep per size at the workload's own load, which follows from the servers."""
    return [
        zw.Sweep(
            name="Critical load",
            workloads="figure1",
            servers=servers,
            policies=policies,
            **settings.runs(
                zw.workloads.figure1(servers), servers, zw.workloads.figure1(servers).load(servers)
            ),
        )
        for servers in settings.sizes
    ]


def subcritical_sweeps(settings: Settings, policies: tuple[str, ...]) -> list[zw.Sweep]:
    name = f"Load {settings.load:g}"
    return [
        figure1_sweep(settings, policies, name, servers, settings.load)
        for servers in settings.sizes
    ]


def figure1_sweep(
    settings: Settings, policies: tuple[str, ...], name: str, servers: int, load: float
) -> zw.Sweep:
    """Make the sweep of one place: a number of servers at a load."""
    return zw.Sweep(
        name=name,
        workloads="figure1",
        servers=servers,
        loads=load,
        policies=policies,
        **settings.runs(zw.workloads.figure1(servers), servers, load),
    )


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
AFTER = ("arrivals", "replications", "warmup", "seed", "notes", "response_replicates", "version",
         "results_version", "point", "command")  # fmt: skip


def class_rows(outcome: zw.SweepOutcome) -> "polars.DataFrame":
    """Return every stored row for a page, the panel in place of the workload's name."""
    import polars

    frame = outcome.table().filter(polars.col("status") == DONE)
    return frame.with_columns(workload=polars.col("sweep")).drop("sweep")


def figure_rows(settings: Settings, outcome: zw.SweepOutcome | None) -> "polars.DataFrame":
    """Return the rows of a figure, with what the paired differences to bs:fcfs say."""
    return with_verdicts(point_rows(settings, outcome))


def point_rows(settings: Settings, outcome: zw.SweepOutcome | None) -> "polars.DataFrame":
    """Return measures with their half-widths (95%), a row per point.

    Diverging runs have no means, short ones no half-widths: they are known not to hold. `ideal` is
    the mean service time, the response where nobody waits.
    """
    import polars

    assert outcome is not None
    known = [
        {
            "point": key,
            **_of_workload(point.workload),
        }
        for key, point in outcome.agenda.points.items()
    ]
    frame = outcome.table().filter(status=DONE, job_class="all")
    frame = frame.join(polars.DataFrame(known), on="point", maintain_order="left")
    frame = frame.rename({"sweep": "panel"})
    missing = [name for name in AFTER if name not in frame.columns]
    frame = frame.with_columns(polars.lit(None).alias(name) for name in missing)
    columns = [*BEFORE]
    for name in SHOWN:
        half = name + HALF_WIDTH
        columns += [name, half] if half in frame.columns else [name]
    lost = [name for name in columns if needs_steady_state(name)]
    frame = frame.select(*columns, *AFTER).with_columns(
        polars.when(~polars.col("diverging")).then(polars.col(name)).alias(name) for name in lost
    )
    short = polars.col("notes").fill_null("").str.contains(SHORT, literal=True)
    frame = frame.with_columns(
        polars.when(~short).then(polars.col(name)).alias(name)
        for name in columns
        if name.endswith(HALF_WIDTH)
    )
    places = {policy: number for number, policy in enumerate(settings.policies)}
    order = polars.col("policy").replace_strict(places, default=len(places))
    panels = frame["panel"].unique(maintain_order=True).to_list()
    panel = polars.col("panel").replace_strict(panels, range(len(panels)), default=0)
    return frame.sort(panel, order, "servers", "load", maintain_order=True)


def _of_workload(workload: Any) -> dict[str, float | int | None]:
    """Return facts of a workload; none of a log, whose mean depends on which of its jobs fit."""
    if not isinstance(workload, zw.Workload):
        return {"ideal": None, "need_scale": None}
    needs = (one.need for one in workload.classes)
    return {"ideal": workload.mean_service, "need_scale": math.gcd(*needs)}


BASELINE = "balanced-splitting:fcfs"
PLACE = ("panel", "servers", "load")


def with_verdicts(frame: "polars.DataFrame", baseline: str = BASELINE) -> "polars.DataFrame":
    """Add what the paired differences to the baseline at the same place say."""
    import polars

    schema = {
        "difference": polars.Float64, "difference_half_width": polars.Float64,
        "p_value": polars.Float64, "verdict": polars.String,
    }  # fmt: skip
    found = paired_verdicts(frame.to_dicts(), baseline, PLACE)
    return polars.concat([frame, polars.DataFrame(found, schema=schema)], how="horizontal")
