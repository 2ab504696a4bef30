"""Figure 2: mean response in heavy traffic (a), and at a fixed load as servers are added (b)."""

from zerowait.experiment.reproduce.figure1 import MODEL
from zerowait.experiment.reproduce.points_table import point_rows
from zerowait.experiment.reproduce.settings import Settings
from zerowait.experiment.reproduce.target import Target, register
from zerowait.experiment.sweeps.sweep import Sweep

QUICK_LOADS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
FULL_LOADS = (0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.925, 0.95, 0.97, 0.98, 0.99)


def _heavy(settings: Settings) -> list[Sweep]:
    return [
        Sweep(
            name=f"{settings.servers} servers",
            workloads="figure1",
            servers=settings.servers,
            loads=FULL_LOADS if settings.full else QUICK_LOADS,
            policies=settings.policies,
            **settings.lengths(),
        )
    ]


def subcritical_sweep(settings: Settings, policies: tuple[str, ...]) -> Sweep:
    return Sweep(
        name=f"Load {settings.load:g}",
        workloads="figure1",
        servers=settings.sizes,
        loads=settings.load,
        policies=policies,
        **settings.lengths(),
    )


def _subcritical(settings: Settings) -> list[Sweep]:
    return [subcritical_sweep(settings, settings.policies)]


def _says_heavy(settings: Settings) -> str:
    return (
        f"Mean response time against the load on k = {settings.servers} servers (heavy traffic). "
        f"{MODEL}"
    )


def _says_subcritical(settings: Settings) -> str:
    return (
        "Mean response time against the number of servers in the subcritical regime: the load is "
        f"{settings.load:g} throughout. {MODEL}"
    )


register(Target("fig2a", "Figure 2a: heavy traffic", _says_heavy, point_rows, _heavy))
register(
    Target("fig2b", "Figure 2b: subcritical load", _says_subcritical, point_rows, _subcritical)
)
