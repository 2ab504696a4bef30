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
    bounded_slowdown: float | None
    p_wait: float


def user_measures(
    jobs: "polars.DataFrame", user: NDArray[Any], bound: float
) -> tuple[UserMeasures, ...]:
    """One row per user, the biggest by work first; `user` has one entry per row of `jobs`."""
    names, which, counts = np.unique(user, return_inverse=True, return_counts=True)
    work = _sums(which, (jobs["need"] * jobs["service"]).to_numpy(), len(names))
    total = float(work.sum()) or 1.0
    means = {
        name: _sums(which, values, len(names)) / counts
        for name, values in job_measures(jobs, bound).items()
    }
    return tuple(
        UserMeasures(
            user=str(names[i]),
            jobs=int(counts[i]),
            work=float(work[i] / total),
            response=float(means["response"][i]),
            wait=float(means["wait"][i]),
            slowdown=float(means["slowdown"][i]),
            bounded_slowdown=float(means["bounded_slowdown"][i]) if bound > 0 else None,
            p_wait=float(means["p_wait"][i]),
        )
        for i in np.argsort(-work, kind="stable")
    )


def _sums(which: NDArray[np.int64], values: NDArray[Any], n: int) -> NDArray[np.float64]:
    sums = np.zeros(n)
    np.add.at(sums, which, values.astype(np.float64))
    return sums
