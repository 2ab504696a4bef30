"""Every job of a rehearsal in one row per policy: what became of it, and what was predicted."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from zerowait.deploy.rehearsal.performance import Performance
from zerowait.experiment.schedules.twin_run import BAND, TwinRun
from zerowait.model import Jobs

if TYPE_CHECKING:
    import polars


def job_rows(
    jobs: Jobs, names: Sequence[object], runs: list[tuple[TwinRun, Performance]]
) -> "polars.DataFrame":
    """Times are seconds since the first job was to come; `predicted` is the middle draw. `job` is
    the number in Slurm's own record and in all that is told of order, `log_job` the log's name."""
    import polars

    return polars.concat([_rows(jobs, names, *one) for one in runs])


def _rows(
    jobs: Jobs, names: Sequence[object], twin: TwinRun, done: Performance
) -> "polars.DataFrame":
    import polars

    low, middle, high = np.quantile(twin.predicted, (BAND[0], 0.5, BAND[1]), axis=0)
    return polars.DataFrame({
        "policy": [twin.policy] * len(jobs),
        "job": np.arange(len(jobs)),
        "log_job": [str(name) for name in names],
        "arrival": np.asarray(jobs.arrival),
        "need": np.asarray(jobs.need),
        "service": np.asarray(jobs.service),
        "estimate": np.asarray(jobs.estimate),
        "submit": done.submit,
        "start": done.start,
        "end": done.end,
        "predicted": middle,
        "predicted_low": low,
        "predicted_high": high,
        "without_delays": twin.ideal,
    })  # fmt: skip
