"""The systems of Figures 1 and 2, which the theorems are about as well."""

from zerowait.experiment.reproduce.settings import Settings
from zerowait.experiment.sweeps.sweep import Sweep

FIGURE1 = (
    "Small jobs (share 0.95) have need f_k and mean service time 1; large jobs have (2 f_k, 40), "
    "(4 f_k, 20) or (8 f_k, 10), each with share 0.05 / 3; f_k = floor((k / 32)^(2/3)) for k "
    "servers. Exponential service times, Poisson arrivals."
)


def critical_sweep(settings: Settings, policies: tuple[str, ...]) -> Sweep:
    """The load is the workload's own: it follows from the servers."""
    return Sweep(
        name="Critical load",
        workloads="figure1",
        servers=settings.sizes,
        policies=policies,
        **settings.lengths(),
    )


def subcritical_sweep(settings: Settings, policies: tuple[str, ...]) -> Sweep:
    return Sweep(
        name=f"Load {settings.load:g}",
        workloads="figure1",
        servers=settings.sizes,
        loads=settings.load,
        policies=policies,
        **settings.lengths(),
    )
