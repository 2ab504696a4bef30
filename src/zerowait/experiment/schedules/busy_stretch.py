"""Busy stretches of a log: consecutive jobs, chosen by how long today's policy lets them wait."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from zerowait.experiment.replays.replay import replay
from zerowait.model import InputError, Jobs
from zerowait.model.quantities import whole
from zerowait.policies import Policy


@dataclass(frozen=True)
class Stretch:
    """Jobs from one place of a log; arrivals count from the first of them."""

    first: int  # its place in the log
    jobs: Jobs
    wait: float  # mean, under the policy that it was chosen by


def busy_stretch(
    jobs: Jobs,
    servers: int,
    policy: str | Policy,
    *,
    n_jobs: int,
    rank: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Stretch:
    """Of all stretches of `n_jobs` jobs that follow each other, the one with the `rank`th longest
    mean wait under the policy, each from an empty cluster. Other policies are not looked at."""
    n_stretches = len(jobs) // whole("n_jobs", n_jobs)
    if not 1 <= whole("rank", rank) <= n_stretches:
        raise InputError(
            f"stretch = {rank}: the log has {n_stretches} stretches of {n_jobs} jobs; "
            "ask for fewer --jobs, or for an earlier --stretch"
        )
    waits = []
    for number in range(n_stretches):
        result = replay(cut(jobs, number * n_jobs, n_jobs), servers, policy, resamples=0)
        waits.append(result.overall.wait.mean)
        if progress is not None:
            progress(1)
    # Of equal waits the earlier stretch: a sort that is stable.
    chosen = int(np.argsort(-np.array(waits), kind="stable")[rank - 1])
    first = chosen * n_jobs
    return Stretch(first, cut(jobs, first, n_jobs), waits[chosen])


def cut(jobs: Jobs, first: int, n_jobs: int) -> Jobs:
    keep = np.zeros(len(jobs), dtype=bool)
    keep[first : first + n_jobs] = True
    part = jobs.select(keep)
    arrival = np.asarray(part.arrival)
    return replace(part, arrival=arrival - arrival[0])
