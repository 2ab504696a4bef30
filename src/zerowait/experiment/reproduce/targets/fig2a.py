"""Figure 2a: mean response in heavy traffic."""

from zerowait.experiment.reproduce.models import FIGURE1, figure1_sweep, figure_rows
from zerowait.experiment.reproduce.settings import Settings, Target
from zerowait.experiment.sweeps.sweep import Sweep

QUICK_LOADS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
FULL_LOADS = (0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.925, 0.95, 0.97, 0.98, 0.99)


def sweeps(settings: Settings) -> list[Sweep]:
    name = f"{settings.servers} servers"
    return [
        figure1_sweep(settings, settings.policies, name, settings.servers, load)
        for load in (FULL_LOADS if settings.full else QUICK_LOADS)
    ]


def says(settings: Settings) -> str:
    return (
        f"Mean response time against the load on k = {settings.servers} servers (heavy traffic). "
        f"{FIGURE1}"
    )


TARGET = Target("fig2a", "Figure 2a: heavy traffic", says, figure_rows, sweeps)
