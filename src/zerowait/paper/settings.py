"""What can be reproduced, and what a reproduction may be told."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

import zerowait as zw
from zerowait.experiment.options import SMALLEST, ReproductionOptions
from zerowait.experiment.simulation.run_length import enough_arrivals
from zerowait.model.quantities import refuse

if TYPE_CHECKING:
    import polars

# Those of the paper's figures, then those it left out; spelled as results spell them.
PAPER = (
    "fcfs",
    "most-servers-first",
    "server-filling",
    "server-filling-srpt",
    "first-fit-srpt",
    "balanced-splitting:fcfs",
)
MORE = (
    "first-fit",
    "easy",
    "least-servers-first",
    "maxweight",
    "balanced-splitting:first-fit",
    "modified-balanced-splitting:fcfs",
)
LENGTHS = {  # arrivals and replications
    "quick": (200_000, 4),
    "full": (1_000_000, 10),
}
# In full, runs are this much longer than those that are called short: policies end before load one.
AMPLE = 4


@dataclass(frozen=True, kw_only=True)
class Settings(ReproductionOptions):
    """Everything a target may depend on."""

    full: bool = False
    policies: tuple[str, ...] = PAPER + MORE
    columns: tuple[tuple[str, str], ...] = ()  # of logs that are tables: ours and theirs

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.law == "resample" and self.sdsc_log is None and self.kit_log is None:
            raise refuse("law", self.law, "draws from a log; name it with --sdsc-log or --kit-log")
        if self.logs is not None and not self.logs.is_dir():
            raise refuse("logs", str(self.logs), "is no folder; name the one that holds your logs")

    @property
    def scale(self) -> str:
        return "full" if self.full else "quick"

    @property
    def sizes(self) -> list[int]:
        """Numbers of servers: powers of two, when quick only those whose needs are, too."""
        step = 2 if self.full else 8
        sizes = [SMALLEST]
        while sizes[-1] * step <= self.largest:
            sizes.append(sizes[-1] * step)
        return sizes

    @property
    def n_replications(self) -> int:
        return self.replications or LENGTHS[self.scale][1]

    def runs(self, workload: zw.Workload, servers: int, load: float) -> dict[str, Any]:
        """Return seed and lengths for one place in a figure, the same for all policies there."""
        return {
            "seeds": self.seed_at(workload, servers, load),
            "arrivals": self.arrivals or self._enough(workload, load),
            "replications": self.n_replications,
        }

    def seed_at(self, workload: zw.Workload, servers: int, load: float) -> int:
        """Return another seed for each place, so that a light stream is not in all of them.

        It follows from what stands there, so that places which two targets share are run once.
        """
        what = [(one.need, one.share, one.service) for one in workload.classes]
        place = [crc32(repr(what).encode()), servers, round(load * 1e6)]
        return int(np.random.SeedSequence([self.seed, *place]).generate_state(1)[0])

    def _enough(self, workload: zw.Workload, load: float) -> int:
        """Return the arrivals of a run; in full more where the load makes it remember for long."""
        usual = LENGTHS[self.scale][0]
        if not self.full:
            return usual
        return max(usual, 100_000 * math.ceil(AMPLE * enough_arrivals(workload, load) / 100_000))


def chosen_policies(given: Iterable[str]) -> tuple[str, ...]:
    """Spell policies as results do, each once; take all of ours where none is given."""
    return tuple(dict.fromkeys(zw.parse_policy(one).spec for one in given)) or PAPER + MORE


Sweeps = Callable[[Settings], list[zw.Sweep]]
Drawing = Callable[["polars.DataFrame"], Mapping[str, Any]]  # figures by what ends their names
Rows = Callable[[Settings, zw.SweepOutcome | None], "polars.DataFrame"]


def no_sweeps(settings: Settings) -> list[zw.Sweep]:
    """Simulate nothing, as for a table."""
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
    draw: Drawing | None = None
