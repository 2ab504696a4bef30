"""Splits for a log: own servers for classes by need and by estimate, helpers for the rest."""

from dataclasses import dataclass, replace

import numpy as np

from zerowait.experiment.optimisation.arms import Narrowing, arms_of
from zerowait.experiment.optimisation.candidate import Candidate, Cut
from zerowait.experiment.optimisation.log_parts import LogJobs
from zerowait.experiment.optimisation.samples import Sample
from zerowait.experiment.optimisation.space import Arm, Ground

MOST = 0.5  # of the servers: the largest job that leaves room for servers of anybody's own


def can_split(known: LogJobs, servers: int) -> str:
    """Why the servers cannot be split; empty where they can.

    Helpers must be able to run the largest job, and be there besides all own servers.
    """
    need = np.asarray(known.jobs.need)
    largest = int(need.max())
    if largest <= MOST * servers:
        return ""
    n = int((need > MOST * servers).sum())
    return (
        f"{n:,} jobs need more than half of the {servers} servers, up to {largest}: the helpers "
        "of a split must be able to run them, which leaves too few for anybody's own"
    )


@dataclass(frozen=True)
class SplitSearch:
    """Splits of two bins of needs, each cut by estimate, around an order that was chosen."""

    known: LogJobs
    sample: Sample
    servers: int

    @property
    def bins(self) -> tuple[int, ...]:
        """Needs that do half of the work, and the others."""
        need = np.asarray(self.known.jobs.need)
        work = need * np.asarray(self.known.jobs.service)
        order = np.argsort(need, kind="stable")
        half = np.searchsorted(np.cumsum(work[order]), work.sum() / 2)
        middle, largest = int(need[order][min(half, len(need) - 1)]), int(need.max())
        return (middle, largest) if middle < largest else (largest,)

    def arms(self, chosen: Candidate) -> list[Arm]:
        spelling = chosen.policy.spec.partition(",")
        family = f"bs:{spelling[0]}{spelling[1]}{spelling[2]}"
        return arms_of(family, len(self.bins), Narrowing(), cut=True)

    def ground(self, cut: Cut | None) -> Ground:
        if cut is not None:
            return self.sample.ground(self.servers, cut)
        whole = self.sample.ground(self.servers, Cut((0.0,) * len(self.bins), self.bins))
        # Cut at zero, all jobs are in the second half of their bin.
        return replace(
            whole,
            class_needs=whole.class_needs[1::2],
            class_demands=whole.class_demands[1::2],
            class_services=whole.class_services[1::2],
            need_bins=self.bins,
        )
