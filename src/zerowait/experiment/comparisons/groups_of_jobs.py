"""Groups that every job of a log falls into, whatever classes policies see: who wins, who loses."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from zerowait.experiment.statistics.bootstrap import Mask
from zerowait.model import Jobs
from zerowait.traces.classes import group

Kind = Literal["need", "estimate"]
HOUR_S = 3600.0
# Upper ends, in seconds: what fits into a coffee break, a working day, and what does not.
LENGTHS = (
    (HOUR_S, "short (up to 1 h)"),
    (8 * HOUR_S, "medium (1 to 8 h)"),
    (np.inf, "long (over 8 h)"),
)


@dataclass(frozen=True, eq=False)
class JobGroup:
    """Jobs that have something in common."""

    kind: Kind
    name: str
    jobs: int
    work: float  # share of all work
    mask: Mask  # per counted job


def groups_of(jobs: Jobs) -> tuple[JobGroup, ...]:
    """By need, in few bins, then by what they asked for; groups without jobs are left out."""
    needs = group(jobs, "auto")
    ends = [end for end, _ in LENGTHS]
    length = np.searchsorted(ends, np.asarray(jobs.estimate))
    work = np.asarray(jobs.need) * np.asarray(jobs.service)
    return (
        *_groups("need", needs.index, needs.names, work),
        *_groups("estimate", length, [name for _, name in LENGTHS], work),
    )


def _groups(
    kind: Kind, index: NDArray[np.int64], names: list[str], work: NDArray[np.float64]
) -> Iterator[JobGroup]:
    total = float(work.sum()) or 1.0
    for number, name in enumerate(names):
        mask: Mask = index == number
        if mask.any():
            yield JobGroup(kind, name, int(mask.sum()), float(work[mask].sum()) / total, mask)
