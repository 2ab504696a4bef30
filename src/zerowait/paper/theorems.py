"""Theorems 1 and 2: shares of jobs that reach the helpers, simulated and bounded."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import zerowait as zw
from zerowait.analysis.limits import (
    ConvergenceRow,
    critical_table,
    subcritical_table,
    theorem_1,
    theorem_2,
)
from zerowait.experiment.measures import MEASURES
from zerowait.experiment.statistics.samples import over_seeds
from zerowait.model.workloads import CLASSES
from zerowait.paper.drawing import draw_responses, servers_axis
from zerowait.paper.rows import FIGURE1, critical_sweeps, point_rows, subcritical_sweeps
from zerowait.paper.settings import Settings, Target
from zerowait.report.figures.canvas import SOFT, canvas
from zerowait.report.figures.drawing import LINE, title_pad
from zerowait.report.figures.labels import Label, write_labels
from zerowait.report.palette import look_of, short_name
from zerowait.report.panels import Panel

if TYPE_CHECKING:
    import polars

BALANCED = "balanced-splitting:fcfs"
MODIFIED = "modified-balanced-splitting:fcfs"
# What each shows of Corollary 1.
SHOWN = {BALANCED: "served_by_helpers", MODIFIED: "routed_to_helpers"}
BOUND = "Corollary 1"
WARMUP = 0.2


def base_workload() -> zw.Workload:
    """Return the classes of Figure 1 at need scale one."""
    return zw.Workload(CLASSES)


def split_sweeps(settings: Settings, sweeps: Callable[..., list[zw.Sweep]]) -> list[zw.Sweep]:
    """Sweep Balanced Splitting as in the figure, ModifiedBS with a seed for each replication.

    Under ModifiedBS the helpers may be overloaded while the own servers are the loss system that
    the corollary is about. A run that diverges has neither a warm-up that its own queue could tell
    nor intervals, so that its seeds must tell how far the share is known.
    """

    def with_seeds(one: zw.Sweep) -> zw.Sweep:
        assert isinstance(one.seeds, int)
        seeds = range(one.seeds, one.seeds + settings.n_replications)
        return replace(one, seeds=list(seeds), replications=1, warmup=WARMUP)

    loss = map(with_seeds, sweeps(settings, (MODIFIED,)))
    return [*sweeps(settings, (BALANCED,)), *loss]


def helper_rows(
    settings: Settings,
    outcome: zw.SweepOutcome | None,
    table: Sequence[ConvergenceRow],
    scale: Callable[[ConvergenceRow], float],
    more: dict[str, Any],
) -> "polars.DataFrame":
    """Return one row per system and kind of number; `scaled` has the limit of the theorem."""
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


def _theorem1_sweeps(settings: Settings) -> list[zw.Sweep]:
    """Take the points of Figure 2b, so far as they are the same."""
    return split_sweeps(settings, subcritical_sweeps)


def _theorem1_rows(settings: Settings, outcome: zw.SweepOutcome | None) -> "polars.DataFrame":
    base = base_workload()
    table = subcritical_table(base, settings.load, settings.sizes)
    limit = theorem_1(base, settings.load)
    more: dict[str, Any] = {"limit": limit.bound, "response_limit": limit.response}
    return helper_rows(settings, outcome, table, lambda row: 1.0, more)


def _theorem1_says(settings: Settings) -> str:
    return (
        f"Theorem 1 at load {settings.load:g}: the share of jobs that the helpers serve vanishes "
        "as k grows, and the mean response tends to the mean service time, so that nobody waits. "
        "Corollary 1 (Erlang B) bounds that share under Balanced Splitting, and is exactly the "
        f"share sent to the helpers under ModifiedBS. {FIGURE1}"
    )


SLACK = 0.7
BEYOND = 2**30  # servers up to which the bound is computed, where nothing is simulated


def _theorem2_sweeps(settings: Settings) -> list[zw.Sweep]:
    """Take the points of Figure 1, so far as they are the same."""
    return split_sweeps(settings, critical_sweeps)


def _theorem2_rows(settings: Settings, outcome: zw.SweepOutcome | None) -> "polars.DataFrame":
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


def _theorem2_says(settings: Settings) -> str:
    return (
        f"Theorem 2 at the critical load of slack {SLACK:g}: sqrt(k / f_k) times the share of jobs "
        "that the helpers serve, against the constant that its bound tends to. Corollary 1 (Erlang "
        "B) bounds that share under Balanced Splitting, and is exactly the share sent to the "
        "helpers under ModifiedBS, which does not depend on whether the helpers keep up. "
        f"{FIGURE1}"
    )


def _draw_shares(axes: Any, frame: "polars.DataFrame", value: str) -> list[Label]:
    """Draw lines of `share` or `scaled` with their intervals; return the names beside them."""
    bound = frame.filter(kind=BOUND).sort("servers")
    axes.plot(bound["servers"], bound[value], color=SOFT, linewidth=1.2, linestyle="dashed")
    labels = [Label(f"{BOUND} (bound)", SOFT, bound["servers"][-1], bound[value][-1])]
    for policy, measure in SHOWN.items():
        rows = frame.filter(policy=policy).sort("servers")
        if not len(rows):
            continue
        look = look_of(policy)
        # A loss system's share is the bound itself: points on its line, no line of their own.
        on_bound = measure == "routed_to_helpers"
        axes.errorbar(
            rows["servers"], rows[value], rows[f"{value}_half_width"].fill_null(math.nan),
            color=look.colour, marker=look.matplotlib_marker, capsize=2, elinewidth=1,
            linestyle="none" if on_bound else look.dash, **LINE,
        )  # fmt: skip
        name = f"{short_name(policy)}, {MEASURES[measure].label}"
        labels.append(Label(name, look.colour, rows["servers"][-1], rows[value][-1]))
    return labels


def _draw_theorem1(frame: "polars.DataFrame") -> dict[str, Any]:
    figure = canvas(2, 4.0)
    left, right = figure.subplots(1, 2)
    sizes = frame["servers"].to_list()
    servers_axis(left, sizes)
    left.set_yscale("log")
    labels = _draw_shares(left, frame, "share")
    left.set_ylabel("share of jobs")
    left.set_ylim(left.get_ylim())
    write_labels(left, labels)
    rows = frame.filter(frame["policy"].is_not_null()).to_dicts()
    responses = Panel("Mean response", "servers", tuple(rows))
    above = draw_responses(right, responses, lambda axes: servers_axis(axes, sizes))
    left.set_title("What reaches the helpers", pad=title_pad(above))
    return {"": figure}


def _draw_theorem2(frame: "polars.DataFrame") -> dict[str, Any]:
    figure = canvas(1, 4.0)
    axes = figure.add_subplot()
    sizes = frame["servers"].to_list()
    servers_axis(axes, sizes)
    labels = _draw_shares(axes, frame, "scaled")
    limit = frame["limit"][0]
    axes.axhline(limit, color=SOFT, linewidth=0.8, linestyle=(0, (1, 2)))
    labels.append(Label(f"its limit: {limit:.4g}", SOFT, max(sizes), limit))
    axes.set_ylim(0, None)
    axes.set_ylabel(r"$\sqrt{k / f_k}$ × share of jobs")
    axes.set_title("What reaches the helpers at critical load")
    write_labels(axes, labels)
    return {"": figure}


TARGETS = (
    Target(
        "theorem1",
        "Theorem 1: zero wait at a fixed load",
        _theorem1_says,
        _theorem1_rows,
        _theorem1_sweeps,
        _draw_theorem1,
    ),
    Target(
        "theorem2",
        "Theorem 2: the critical constant",
        _theorem2_says,
        _theorem2_rows,
        _theorem2_sweeps,
        _draw_theorem2,
    ),
)
