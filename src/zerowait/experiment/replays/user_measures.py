"""The measures of a replay for each user."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zerowait.experiment.statistics.bootstrap import job_measures

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class UserMeasures:
    """Means over the counted jobs of one user."""

    user: str
    jobs: int
    work: float  # share of the work
    response: float
    wait: float
    slowdown: float
    bounded_slowdown: float | None  # where it is measured
    p_wait: float


def user_measures(
    jobs: "polars.DataFrame", user: NDArray[Any], bound: float
) -> tuple[UserMeasures, ...]:
    """One row per user, the biggest by work first; `user` has one entry per row of `jobs`."""
    names, which, counts = np.unique(user, return_inverse=True, return_counts=True)
    work = np.bincount(which, (jobs["need"] * jobs["service"]).to_numpy())
    total = float(work.sum()) or 1.0
    means = {
        name: np.bincount(which, values) / counts
        for name, values in job_measures(jobs, bound).items()
    }
    unknown: dict[str, Any] = {"bounded_slowdown": None}
    return tuple(
        UserMeasures(
            user=str(names[i]),
            jobs=int(counts[i]),
            work=float(work[i] / total),
            **unknown | {name: float(values[i]) for name, values in means.items()},
        )
        for i in np.argsort(-work, kind="stable")
    )
