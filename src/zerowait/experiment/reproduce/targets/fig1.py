"""Figure 1: mean response in the critical many-server regime."""

from zerowait.experiment.reproduce.models import FIGURE1, critical_sweeps, figure_rows
from zerowait.experiment.reproduce.settings import Settings, Target
from zerowait.experiment.sweeps.sweep import Sweep


def sweeps(settings: Settings) -> list[Sweep]:
    return critical_sweeps(settings, settings.policies)


def says(settings: Settings) -> str:
    return (
        "Mean response time against the number of servers in the critically loaded (Halfin-Whitt) "
        f"regime: the load is 1 - 0.7 / sqrt(k / f_k). {FIGURE1}"
    )


TARGET = Target("fig1", "Figure 1: critical load", says, figure_rows, sweeps)
