"""Control variates: what the stream of a run was, against what it is on average.

The work that came per server and unit of time, and the mean service time, are known on average,
whatever the policy. Where a measure moves with them, the part of its error that they explain is
taken off (Lavenberg and Welch, Management Science 27, 1981). The slopes come from batches, ten of
each replication: there are enough of them for two slopes, and replications keep their degrees of
freedom.
"""

from dataclasses import dataclass

import numpy as np

from zerowait.engine.arrays import Floats
from zerowait.experiment.intervals import ratios, residuals
from zerowait.experiment.samples import Samples
from zerowait.model import FixedTimes, Workload

PARTS = 10  # batches of a replication
FEWEST_BATCHES = 20
HELPFUL = 0.15  # share of the variance between batches that must be explained, adjusted for chance


@dataclass(frozen=True)
class Controls:
    """The controls of common streams: relative excess of offered load and of mean service."""

    excess: Floats  # control x row
    groups: Floats  # control x group x row: residuals
    batches: Floats  # control x batch x row: residuals

    @property
    def costs_freedom(self) -> bool:
        """Are the slopes fitted to the very groups that the error is read off?"""
        return self.groups.shape == self.batches.shape


def controls_of(workload: Workload, groups: Samples, batches: Samples) -> Controls | None:
    """None where the controls are not known, or batches are too few for slopes."""
    if isinstance(workload.arrivals, FixedTimes) or batches.n_groups < FEWEST_BATCHES:
        return None
    means, coarse = _deviations(workload, groups)
    return Controls(means, coarse, _deviations(workload, batches)[1])


def _deviations(workload: Workload, samples: Samples) -> tuple[Floats, Floats]:
    """Per control the deviation of the mean (per row), and the residuals (group x row)."""
    jobs = samples.denominators["response"]
    service = samples.numerators["response"] - samples.numerators["wait"]
    work = (service[:, :-1] * workload.needs).sum(axis=1, keepdims=True)
    time, everybody = samples.denominators["in_system"][:, -1:], jobs[:, -1:]
    mean_work = float(workload.shares @ (workload.needs * workload.mean_services))
    rate = workload.arrivals.rate
    assert rate is not None  # a plan has decided it
    gap = 1 / rate
    own = np.append(workload.mean_services, workload.mean_service)
    load = ratios(work, everybody) / mean_work - ratios(time, everybody) / gap
    load_residuals = residuals(work, everybody) / mean_work - residuals(time, everybody) / gap
    n_rows = jobs.shape[1]
    deviation = np.array([np.repeat(load, n_rows), ratios(service, jobs) / own - 1])
    every = np.array([np.repeat(load_residuals, n_rows, axis=1), residuals(service, jobs) / own])
    return np.nan_to_num(deviation), np.nan_to_num(every)


def slopes(controls: Controls, off: Floats, row: int) -> tuple[Floats, float]:
    """Least squares of a measure's residuals in the batches on the controls' in one row, and the
    share of their variance that is explained, adjusted for the number of slopes."""
    x, y = controls.batches[:, :, row].T, off[:, row]
    total = float(y @ y)
    if not np.isfinite(total) or total <= 0:
        return np.zeros(x.shape[1]), 0.0
    slope: Floats = np.linalg.lstsq(x, y, rcond=None)[0].astype(np.float64)
    left = float(((y - x @ slope) ** 2).sum())
    n, q = x.shape
    return slope, 1 - left / total * (n - 1) / (n - 1 - q)
