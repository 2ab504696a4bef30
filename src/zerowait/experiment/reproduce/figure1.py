"""Figure 1: mean response in the critical many-server regime."""

from zerowait.experiment.reproduce.points_table import point_rows
from zerowait.experiment.reproduce.settings import Settings
from zerowait.experiment.reproduce.target import Target, register
from zerowait.experiment.sweeps.sweep import Sweep

PANEL = "Critical load"
MODEL = (
    "Small jobs (share 0.95) have need f_k and mean service time 1; large jobs have (2 f_k, 40), "
    "(4 f_k, 20) or (8 f_k, 10), each with share 0.05 / 3; f_k = floor((k / 32)^(2/3)) for k "
    "servers. Exponential service times, Poisson arrivals."
)


def critical_sweep(settings: Settings, policies: tuple[str, ...]) -> Sweep:
    """The load is the workload's own: it follows from the servers."""
    return Sweep(
        name=PANEL,
        workloads="figure1",
        servers=settings.sizes,
        policies=policies,
        **settings.lengths(),
    )


def _sweeps(settings: Settings) -> list[Sweep]:
    return [critical_sweep(settings, settings.policies)]


def _says(settings: Settings) -> str:
    return (
        "Mean response time against the number of servers in the critically loaded (Halfin-Whitt) "
        f"regime: the load is 1 - 0.7 / sqrt(k / f_k). {MODEL}"
    )


register(Target("fig1", "Figure 1: critical load", _says, point_rows, _sweeps))
