"""The systems of Figures 1 and 2, which the theorems are about as well."""

from zerowait.experiment.reproduce.settings import Settings
from zerowait.experiment.sweeps.sweep import Sweep
from zerowait.model.workloads import figure1

FIGURE1 = (
    "Small jobs (share 0.95) have need f_k and mean service time 1; large jobs have (2 f_k, 40), "
    "(4 f_k, 20) or (8 f_k, 10), each with share 0.05 / 3; f_k = floor((k / 32)^(2/3)) for k "
    "servers. Exponential service times, Poisson arrivals."
)


def critical_sweeps(settings: Settings, policies: tuple[str, ...]) -> list[Sweep]:
    """The load is the workload's own: it follows from the servers."""
    return [
        Sweep(
            name="Critical load",
            workloads="figure1",
            servers=servers,
            policies=policies,
            **settings.runs(figure1(servers), servers, figure1(servers).load(servers)),
        )
        for servers in settings.sizes
    ]


def subcritical_sweeps(settings: Settings, policies: tuple[str, ...]) -> list[Sweep]:
    name = f"Load {settings.load:g}"
    return [
        figure1_sweep(settings, policies, name, servers, settings.load)
        for servers in settings.sizes
    ]


def figure1_sweep(
    settings: Settings, policies: tuple[str, ...], name: str, servers: int, load: float
) -> Sweep:
    """One place: a number of servers at a load."""
    return Sweep(
        name=name,
        workloads="figure1",
        servers=servers,
        loads=load,
        policies=policies,
        **settings.runs(figure1(servers), servers, load),
    )
