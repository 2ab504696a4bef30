"""Jobs of a log submitted to a real Slurm, and the delays of that Slurm."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from zerowait.deploy.cluster.answers import SlurmJob
from zerowait.deploy.cluster.cluster import PAUSE_S, SlurmCluster, SlurmError
from zerowait.experiment.schedules.scheduler_cycle import Range, SchedulerDelays
from zerowait.model import Jobs
from zerowait.model.quantities import Floats

LEAD_S = 1.0  # real time before the first job comes
STALLED_S = 120.0  # real time without a start or an end, beyond what the longest job takes


@dataclass(frozen=True)
class ClusterRun:
    """Times of each job, in the controller's seconds since the first one was to come."""

    submit: Floats
    start: Floats
    end: Floats
    closed: tuple[Range, ...]  # when nobody could start: the controller was restarted
    took_s: float  # real time
    jobcomp: str  # Slurm's own record of these jobs


def run_on_cluster(
    cluster: SlurmCluster,
    jobs: Jobs,
    partition: str,
    *,
    restart_after: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> ClusterRun:
    """Submit each job when it is due, and wait until all have ended.

    Estimates are time limits, in whole minutes. With `restart_after`, the controller is restarted
    after so many submissions.
    """
    begun, begin = time.monotonic(), cluster.clock.now() + LEAD_S * cluster.setup.speed
    written = len(_record(cluster))  # of jobs that were timed before
    numbers: list[int] = []
    closed: list[Range] = []
    for number, arrival in enumerate(np.asarray(jobs.arrival).tolist()):
        _sleep_until(cluster, begin + arrival)
        if number == restart_after:
            shut, opened = cluster.restart_with_care()
            closed.append((shut - begin, opened - begin))
        numbers.append(_submit(cluster, jobs, number, partition))
        progress(1)
    # Nothing needs happen while the longest job runs.
    longest = float(np.max(np.asarray(jobs.service))) / cluster.setup.speed
    ended = _until_ended(cluster, numbers, longest + STALLED_S, progress)
    took = time.monotonic() - begun
    submit, start, end = (
        np.array([(getattr(ended[one], name) or 0.0) - begin for one in numbers])
        for name in ("submit", "start", "end")
    )
    return ClusterRun(submit, start, end, tuple(closed), took, _record(cluster)[written:])


def _record(cluster: SlurmCluster) -> str:
    path = cluster.folder / "jobcomp.txt"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _sleep_until(cluster: SlurmCluster, moment: float) -> None:
    """Sleep until the controller's clock shows a moment."""
    left = (moment - cluster.clock.now()) / cluster.setup.speed
    if left > 0:
        time.sleep(left)


def _submit(cluster: SlurmCluster, jobs: Jobs, number: int, partition: str) -> int:
    assert jobs.estimate is not None
    real_s = float(jobs.service[number]) / cluster.setup.speed
    return cluster.submit(
        f"exec sleep {real_s:.4f}", f"--nodes={int(jobs.need[number])}",
        f"--partition={partition}", f"--job-name=job{number}",
        f"--time={max(1, round(float(jobs.estimate[number]) / 60))}",
    )  # fmt: skip


def _until_ended(
    cluster: SlurmCluster, numbers: list[int], patience_s: float, progress: Callable[[int], None]
) -> dict[int, SlurmJob]:
    """Wait for the end of every job; none may be lost, and something must happen every so often."""
    n_told, changed = 0, time.monotonic()
    before: tuple[int, int] = (0, 0)
    while True:
        jobs = cluster.jobs()
        lost = [one for one in numbers if one not in jobs]
        if lost:
            raise SlurmError(f"the controller has lost job {lost[0]}")
        n_ended = sum(jobs[one].has_ended for one in numbers)
        progress(n_ended - n_told)
        n_told = n_ended
        if n_ended == len(numbers):
            return jobs
        state = (n_ended, sum(jobs[one].has_started for one in numbers))
        if state != before:
            before, changed = state, time.monotonic()
        if time.monotonic() - changed > patience_s:
            waiting = [jobs[one] for one in numbers if jobs[one].waits]
            reason = waiting[0].reason if waiting else "a job does not end"
            raise SlurmError(f"nothing has happened for {patience_s:.0f} s: {reason}")
        time.sleep(10 * PAUSE_S)


N_JOBS = 8
REAL_S = 0.2  # of each job
LIMIT_MIN = 60 * 24


@dataclass(frozen=True)
class ReleaseTimes:
    """Controller's seconds from the end of a job until the next one starts on its servers."""

    one: Range
    all: Range


def measure_release(cluster: SlurmCluster) -> ReleaseTimes:
    """Time jobs of one server and of all, each waiting for the one before."""
    servers = len(cluster.setup.nodes)
    whole = _chain(cluster, servers, [])
    fillers = [_submit_timed(cluster, servers - 1, 600.0)] if servers > 1 else []
    return ReleaseTimes(_chain(cluster, 1, fillers), whole)


def scheduler_delays(
    release: ReleaseTimes, done: ClusterRun, jobs: Jobs, pause: float, over_reserve: int
) -> SchedulerDelays:
    """Return the delays that a prediction draws from; start-ups are those of the run itself.

    Decisions come at once where nothing is reserved, and else after a pause or two.
    """
    start_up = np.maximum(done.end - done.start - np.asarray(jobs.service), 0.0)
    return SchedulerDelays(
        (1.0, max(1.0, 2 * pause)), tuple(start_up.tolist()), release.one, release.all,
        over_reserve,
    )  # fmt: skip


def _chain(cluster: SlurmCluster, nodes: int, fillers: list[int]) -> Range:
    """Run jobs one after another beside the fillers; return the shortest and longest gap."""
    cluster.wait_for_start(fillers)
    numbers = [_submit_timed(cluster, nodes, REAL_S) for _ in range(N_JOBS)]
    cluster.wait_for_end(numbers)
    jobs = [cluster.jobs()[one] for one in numbers]
    gaps = [
        max(0.0, (later.start or 0.0) - (before.end or 0.0)) for before, later in pairwise(jobs)
    ]
    if fillers:
        cluster.call("scancel", *map(str, fillers))
    cluster.wait(cluster.is_idle, "the nodes to be idle")
    return min(gaps), max(gaps)


def _submit_timed(cluster: SlurmCluster, nodes: int, real_s: float) -> int:
    return cluster.submit(f"sleep {real_s}", f"--nodes={nodes}", f"--time={LIMIT_MIN}")
