"""At which cost per pause preemptive policies stop beating those that pause nobody."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import zerowait as zw
from zerowait.model.workloads import CLASSES
from zerowait.paper.drawing import draw_panel
from zerowait.paper.paired_rows import PRICE, paired_rows, seeded
from zerowait.paper.rows import FIGURE1
from zerowait.paper.settings import Settings, Target
from zerowait.report.panels import Panel

if TYPE_CHECKING:
    import polars

BASELINES = (
    "first-fit",
    "backfill,order=need",
    "balanced-splitting:fcfs",
)
PREEMPTIVE = ("maxweight", "server-filling-srpt", "first-fit-srpt")
LOAD = 0.94
# Prices of a pause as shares of the mean service time.
QUICK_SHARES = (0.0, 0.001, 0.003, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2)
FULL_SHARES = (0.0, 0.001, 0.002, 0.003, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 0.2)
DIGITS = 6


def prices(settings: Settings) -> dict[str, float]:
    """Return times as `preemption_cost` is spelled, and the shares that they are."""
    mean = zw.Workload(CLASSES).mean_service
    shares = FULL_SHARES if settings.full else QUICK_SHARES
    return {f"{share * mean:.{DIGITS}g}": share for share in shares}


def _pauses_sweeps(settings: Settings) -> list[zw.Sweep]:
    """Make a sweep for each price; policies that pause nobody are run once."""
    one = zw.Sweep(
        name="pauses are free",
        workloads="figure1",
        servers=settings.servers,
        loads=LOAD,
        policies=(*BASELINES, *PREEMPTIVE),
        **settings.runs(zw.workloads.figure1(settings.servers), settings.servers, LOAD),
    )
    priced = [
        replace(
            one,
            name=f"a pause costs {100 * share:g}% of the mean service",
            policies=PREEMPTIVE,
            preemption_cost=price,
        )
        for price, share in prices(settings).items()
        if share > 0
    ]
    return [seeded(each, settings) for each in (one, *priced)]


def _pauses_rows(settings: Settings, outcome: zw.SweepOutcome | None) -> "polars.DataFrame":
    import polars

    assert outcome is not None
    found = paired_rows(outcome, BASELINES)
    share = polars.col(PRICE).replace_strict(prices(settings), return_dtype=polars.Float64)
    return found.with_columns(price_share=share).sort(
        "job_class", "policy", "price_share", maintain_order=True
    )


def _pauses_says(settings: Settings) -> str:
    return (
        "Mean waits of preemptive policies against what a pause costs, as a share of the mean "
        "service time, beside policies that pause nobody; differences are paired, `p_value` is "
        f"Holm's. {settings.servers} servers, load {LOAD}. {FIGURE1}"
    )


LINEAR = 0.0005  # of the mean service time: below it the axis is linear, so that it has a zero


def _draw_pauses(frame: "polars.DataFrame") -> dict[str, Any]:
    found = frame.filter(job_class="all").unique(["policy", "price_share"], maintain_order=True)
    shares = found["price_share"].unique().sort().to_list()
    rows = found.to_dicts()
    priced = {row["policy"] for row in rows if row["price_share"] > 0}
    # Who pauses nobody has the same response at every price.
    rows += [
        row | {"price_share": share}
        for row in rows
        if row["policy"] not in priced
        for share in shares[1:]
    ]
    rows.sort(key=lambda row: row["price_share"])
    panel = Panel(f"{rows[0]['servers']} servers", "price_share", tuple(rows))
    return {"": draw_panel(panel, lambda axes: _price_axis(axes, shares))}


def _price_axis(axes: Any, shares: list[float]) -> None:
    """Make an axis logarithmic, with a zero."""
    axes.set_xscale("symlog", linthresh=LINEAR, linscale=0.3)
    axes.set_xlim(-LINEAR / 5, shares[-1] * 1.3)
    axes.set_xticks(shares, [f"{100 * share:g}%" for share in shares], rotation=45)
    axes.minorticks_off()
    axes.set_xlabel("cost of a pause, as a share of the mean service time")


TARGETS = (
    Target(
        "pauses", "What a pause may cost", _pauses_says, _pauses_rows, _pauses_sweeps, _draw_pauses
    ),
)
