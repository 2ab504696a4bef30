"""Run targets: their sweeps into one store, and the rows that come of them."""

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerowait.experiment.reproduce.settings import Settings, Target
from zerowait.experiment.reproduce.targets import TARGETS
from zerowait.experiment.sweeps.points import SweepPoint
from zerowait.experiment.sweeps.run import Agenda, SweepOutcome, make_agenda, sweep
from zerowait.model import InputError

if TYPE_CHECKING:
    import polars

ALL = "all"
POINTS = "points"  # folder of the store, beside tables and figures


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


@dataclass(frozen=True)
class Finished:
    """A target with its rows; a table has no sweep."""

    target: Target
    rows: "polars.DataFrame"
    outcome: SweepOutcome | None


@dataclass(frozen=True)
class Work:
    """Targets to reproduce in a folder. A point that several of them show is run once."""

    targets: tuple[Target, ...]
    settings: Settings
    folder: Path
    keep_stale: bool = False

    @property
    def agenda(self) -> Agenda:
        """Of all targets together."""
        sweeps = [one for target in self.targets for one in target.sweeps(self.settings)]
        return self._agenda(sweeps)

    def simulates(self, target: Target) -> bool:
        return bool(target.sweeps(self.settings))

    def agenda_of(self, target: Target) -> Agenda:
        return self._agenda(target.sweeps(self.settings))

    def _agenda(self, sweeps: list[Any]) -> Agenda:
        return make_agenda(sweeps, self.folder / POINTS, self.keep_stale)

    def finish(
        self,
        target: Target,
        executor: Executor,
        on_point: Callable[[SweepPoint], Any] | None = None,
    ) -> Finished:
        """Run what is missing of a target, and gather its rows."""
        agenda = self.agenda_of(target)
        if not agenda.named:
            return Finished(target, target.rows(self.settings, None), None)
        outcome = sweep(agenda, executor=executor, on_point=on_point)
        return Finished(target, target.rows(self.settings, outcome), outcome)
