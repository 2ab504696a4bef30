"""Figure 2b: mean response at a fixed load as servers are added."""

from zerowait.experiment.reproduce.models import FIGURE1, figure_rows, subcritical_sweeps
from zerowait.experiment.reproduce.settings import Settings, Target
from zerowait.experiment.sweeps.sweep import Sweep


def sweeps(settings: Settings) -> list[Sweep]:
    return subcritical_sweeps(settings, settings.policies)


def says(settings: Settings) -> str:
    return (
        "Mean response time against the number of servers in the subcritical regime: the load is "
        f"{settings.load:g} throughout. {FIGURE1}"
    )


TARGET = Target("fig2b", "Figure 2b: subcritical load", says, figure_rows, sweeps)
