"""The jobs of a log as Slurm takes them: time limits in whole minutes, within the cluster."""

from dataclasses import replace

import numpy as np

from zerowait.experiment.replays.log_jobs import keep_jobs, too_large
from zerowait.model import Jobs


def fitting(jobs: Jobs, servers: int) -> tuple[Jobs, int]:
    """The jobs that can run, and how many cannot."""
    large = too_large(jobs, servers)
    return (keep_jobs(jobs, ~large), int(large.sum())) if large.any() else (jobs, 0)


def with_limits(jobs: Jobs) -> Jobs:
    """Estimates rounded up to minutes, and raised to what the job runs: Slurm would kill it."""
    longest = np.maximum(np.asarray(jobs.estimate), np.asarray(jobs.service))
    return replace(jobs, estimate=np.maximum(np.ceil(longest / 60), 1) * 60)
