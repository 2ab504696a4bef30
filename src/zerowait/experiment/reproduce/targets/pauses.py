"""At which cost per pause preemptive policies stop beating those that pause nobody."""

from dataclasses import replace
from typing import TYPE_CHECKING

from zerowait.experiment.reproduce.models import FIGURE1
from zerowait.experiment.reproduce.paired_rows import PRICE, paired_rows, seeded
from zerowait.experiment.reproduce.settings import Settings, Target
from zerowait.experiment.sweeps.run import SweepOutcome
from zerowait.experiment.sweeps.sweep import Sweep
from zerowait.model import Workload
from zerowait.model.workloads import CLASSES, figure1

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
    """Times as `preemption_cost` is spelled, and the shares that they are."""
    mean = Workload(CLASSES).mean_service
    shares = FULL_SHARES if settings.full else QUICK_SHARES
    return {f"{share * mean:.{DIGITS}g}": share for share in shares}


def sweeps(settings: Settings) -> list[Sweep]:
    """One for each price; those that pause nobody are run once."""
    one = Sweep(
        name="pauses are free",
        workloads="figure1",
        servers=settings.servers,
        loads=LOAD,
        policies=(*BASELINES, *PREEMPTIVE),
        **settings.runs(figure1(settings.servers), settings.servers, LOAD),
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


def rows(settings: Settings, outcome: SweepOutcome | None) -> "polars.DataFrame":
    import polars

    assert outcome is not None
    found = paired_rows(outcome, BASELINES)
    share = polars.col(PRICE).replace_strict(prices(settings), return_dtype=polars.Float64)
    return found.with_columns(price_share=share).sort(
        "job_class", "policy", "price_share", maintain_order=True
    )


def says(settings: Settings) -> str:
    return (
        "Mean waits of preemptive policies against what a pause costs, as a share of the mean "
        "service time, beside policies that pause nobody; differences are paired, `p_value` is "
        f"Holm's. {settings.servers} servers, load {LOAD}. {FIGURE1}"
    )


TARGET = Target("pauses", "What a pause may cost", says, rows, sweeps)
