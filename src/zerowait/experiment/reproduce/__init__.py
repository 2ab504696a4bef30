"""The paper's figures, tables and theorems as experiments."""

from zerowait.experiment.reproduce.settings import Settings, Target
from zerowait.experiment.reproduce.targets import TARGETS

__all__ = ["TARGETS", "Settings", "Target"]
