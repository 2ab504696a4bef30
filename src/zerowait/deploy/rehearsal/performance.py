"""Jobs submitted to a real Slurm as a log has them, and what became of each."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from zerowait.deploy.cluster.cluster import PAUSE_S, Cluster, SlurmError
from zerowait.deploy.cluster.jobs import SlurmJob
from zerowait.experiment.schedules.scheduler_cycle import Range
from zerowait.model import Jobs
from zerowait.model.quantities import Floats

LEAD_S = 1.0  # real time before the first job comes
STALLED_S = 120.0  # real time without a start or an end, beyond what the longest job takes


@dataclass(frozen=True)
class Performance:
    """Per job, in the controller's seconds since the first one was to come."""

    submit: Floats
    start: Floats
    end: Floats
    closed: tuple[Range, ...]  # when nobody could start: the controller was restarted
    took_s: float  # real time
    jobcomp: str  # Slurm's own record of these jobs


def perform(
    cluster: Cluster,
    jobs: Jobs,
    partition: str,
    *,
    restart_after: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Performance:
    """Submit each job when it is due, wait for all of them; the controller is restarted after so
    many submissions, if asked to. Estimates are time limits, in whole minutes."""
    begun, begin = time.monotonic(), cluster.clock.now() + LEAD_S * cluster.setup.speed
    written = len(_record(cluster))  # of jobs that were timed before
    numbers: list[int] = []
    closed: list[Range] = []
    for number, arrival in enumerate(np.asarray(jobs.arrival).tolist()):
        _sleep_until(cluster, begin + arrival)
        if number == restart_after:
            closed.append(_restart(cluster, begin))
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
    return Performance(submit, start, end, tuple(closed), took, _record(cluster)[written:])


def _restart(cluster: Cluster, begin: float) -> Range:
    """With care: from when to when nobody could start."""
    shut, opened = cluster.restart_with_care()
    return shut - begin, opened - begin


def _record(cluster: Cluster) -> str:
    path = cluster.folder / "jobcomp.txt"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _sleep_until(cluster: Cluster, moment: float) -> None:
    """Of the controller's clock."""
    left = (moment - cluster.clock.now()) / cluster.setup.speed
    if left > 0:
        time.sleep(left)


def _submit(cluster: Cluster, jobs: Jobs, number: int, partition: str) -> int:
    assert jobs.estimate is not None
    real_s = float(jobs.service[number]) / cluster.setup.speed
    answer = cluster.call(
        "sbatch", "--parsable", f"--nodes={int(jobs.need[number])}", f"--partition={partition}",
        f"--time={max(1, round(float(jobs.estimate[number]) / 60))}", f"--job-name=job{number}",
        "--output=/dev/null", "--chdir=/", f"--wrap=exec sleep {real_s:.4f}",
    )  # fmt: skip
    return int(answer.strip().partition(";")[0])


def _until_ended(
    cluster: Cluster, numbers: list[int], patience_s: float, progress: Callable[[int], None]
) -> dict[int, SlurmJob]:
    """Every job's last state; none may be lost, and something must happen every so often."""
    told, changed = 0, time.monotonic()
    before: tuple[int, int] = (0, 0)
    while True:
        jobs = cluster.jobs()
        lost = [one for one in numbers if one not in jobs]
        if lost:
            raise SlurmError(f"the controller has lost job {lost[0]}")
        n_ended = sum(jobs[one].has_ended for one in numbers)
        progress(n_ended - told)
        told = n_ended
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
