"""The register of what can be reproduced: figures, tables and theorems of the paper."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zerowait.experiment.reproduce.settings import Settings
from zerowait.experiment.sweeps.run import SweepOutcome
from zerowait.experiment.sweeps.sweep import Sweep
from zerowait.model import InputError

if TYPE_CHECKING:
    import polars

Sweeps = Callable[[Settings], list[Sweep]]
Rows = Callable[[Settings, SweepOutcome | None], "polars.DataFrame"]

ALL = "all"
TARGETS: dict[str, "Target"] = {}


def no_sweeps(settings: Settings) -> list[Sweep]:
    """Of a table, for which nothing is simulated."""
    return []


@dataclass(frozen=True)
class Target:
    """One thing in the paper: what is simulated for it, and the rows that come of it.

    Each sweep is named after the panel of the figure that shows it. `says` is what the caption
    tells of the model, as the paper's own does.
    """

    name: str
    title: str
    says: Callable[[Settings], str]
    rows: Rows
    sweeps: Sweeps = no_sweeps


def register(target: Target) -> Target:
    if target.name in TARGETS:
        raise InputError(f"target {target.name!r}: is known already; choose another name")
    TARGETS[target.name] = target
    return target


def find_targets(names: Iterable[str]) -> list[Target]:
    """Targets by name, each once; `all` stands for all of them."""
    found: dict[str, Target] = {}
    for name in names:
        if name == ALL:
            found |= TARGETS
        elif name in TARGETS:
            found[name] = TARGETS[name]
        else:
            known = ", ".join([ALL, *TARGETS])
            raise InputError(f"target {name!r}: is not known; give {known}")
    return list(found.values())
