"""The jobs of a log as Slurm takes them: time limits in whole minutes, within the cluster."""

from dataclasses import replace

import numpy as np

from zerowait.model import Jobs


def fitting(jobs: Jobs, servers: int) -> tuple[Jobs, int]:
    """The jobs that can run, and how many cannot."""
    fits = np.asarray(jobs.need) <= servers
    return (jobs, 0) if fits.all() else (jobs.select(fits), int((~fits).sum()))


def with_limits(jobs: Jobs) -> Jobs:
    """Estimates rounded up to minutes, and raised to what the job runs: Slurm would kill it."""
    longest = np.maximum(np.asarray(jobs.estimate), np.asarray(jobs.service))
    return replace(jobs, estimate=np.maximum(np.ceil(longest / 60), 1) * 60)
