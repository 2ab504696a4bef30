"""How long a scheduler takes to give the servers of one job to the next, measured on the spot."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from zerowait.deploy.cluster.cluster import Cluster
from zerowait.deploy.rehearsal.performance import Performance
from zerowait.experiment.schedules.scheduler_cycle import Range, SchedulerDelays
from zerowait.model import Jobs

N_JOBS = 8
REAL_S = 0.2  # of each job
LIMIT_MIN = 60 * 24


@dataclass(frozen=True)
class Release:
    """Controller's seconds from the end of a job until the next one starts on its servers."""

    one: Range
    all: Range


def measured_release(cluster: Cluster) -> Release:
    """Of jobs of one server and of all, each waiting for the one before."""
    servers = len(cluster.setup.nodes)
    whole = _chain(cluster, servers, [])
    fillers = [_submit(cluster, servers - 1, 600.0)] if servers > 1 else []
    return Release(_chain(cluster, 1, fillers), whole)


def delays_of(
    release: Release, done: Performance, jobs: Jobs, pause: float, over_reserve: int
) -> SchedulerDelays:
    """What a prediction draws from. Decisions come at once where nothing is reserved, and else
    after a pause or two; start-ups are those of the rehearsal itself."""
    start_up = np.maximum(done.end - done.start - np.asarray(jobs.service), 0.0)
    return SchedulerDelays(
        (1.0, max(1.0, 2 * pause)), tuple(start_up.tolist()), release.one, release.all,
        over_reserve,
    )  # fmt: skip


def _chain(cluster: Cluster, nodes: int, fillers: list[int]) -> Range:
    def have_started() -> bool:
        jobs = cluster.jobs()
        return all(jobs[one].has_started for one in fillers)

    cluster.wait(have_started, "a filler to start")
    numbers = [_submit(cluster, nodes, REAL_S) for _ in range(N_JOBS)]

    def have_ended() -> bool:
        jobs = cluster.jobs()
        return all(jobs[one].has_ended for one in numbers)

    cluster.wait(have_ended, "jobs to be timed")
    jobs = [cluster.jobs()[one] for one in numbers]
    gaps = [
        max(0.0, (later.start or 0.0) - (before.end or 0.0)) for before, later in pairwise(jobs)
    ]
    if fillers:
        cluster.call("scancel", *map(str, fillers))
    cluster.wait(cluster.is_idle, "the nodes to be idle")
    return min(gaps), max(gaps)


def _submit(cluster: Cluster, nodes: int, real_s: float) -> int:
    answer = cluster.call(
        "sbatch", "--parsable", f"--nodes={nodes}", f"--time={LIMIT_MIN}", "--output=/dev/null",
        "--chdir=/", f"--wrap=sleep {real_s}",
    )  # fmt: skip
    return int(answer.strip().partition(";")[0])
