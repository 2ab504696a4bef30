"""Control variates: what the stream of a run was, against what it is on average.

The work that came per server and unit of time, and the mean service time, are known on average,
whatever the policy. Where a measure moves with them, the part of its error that they explain is
taken off (Lavenberg and Welch, Management Science 27, 1981).

Slopes fitted to the very runs that they correct bias the mean: in heavy traffic a run with more
work than usual also has a steeper slope. So each replication is corrected with slopes from the
others (the splitting of Avramidis and Wilson, Management Science 39, 1993). They come from batches,
ten of each replication, so that even four replications are enough for two slopes. The batches of a
single run have no others to learn from that are independent: no controls there.
"""

from dataclasses import dataclass

import numpy as np

from zerowait.engine.arrays import Floats, Ints
from zerowait.experiment.statistics.intervals import ratios, residuals, serial_factor
from zerowait.experiment.statistics.samples import Samples
from zerowait.model import FixedTimes, Workload

PARTS = 10  # batches of a replication
FEWEST_BATCHES = 20
HELPFUL = 0.15  # share of the variance between batches that must be foreseen


@dataclass(frozen=True)
class Controls:
    """The controls of common streams: relative excess of offered load and of mean service."""

    replications: Floats  # control x replication x row: excess
    batches: Floats  # control x batch x row: excess about its mean over the batches
    runs: Ints  # per batch: its replication


def controls_of(workload: Workload, replications: Samples, batches: Samples) -> Controls | None:
    """None where the controls are not known, or batches are too few for slopes."""
    if isinstance(workload.arrivals, FixedTimes) or batches.runs is None:
        return None
    if replications.n_groups < 3 or batches.n_groups < FEWEST_BATCHES:
        return None
    mean, off = _excess(workload, replications)
    return Controls(mean[:, None, :] + off, _excess(workload, batches)[1], batches.runs)


def _excess(workload: Workload, samples: Samples) -> tuple[Floats, Floats]:
    """Per control the excess of the mean (per row), and the residuals (group x row)."""
    jobs = samples.denominators["response"]
    service = samples.numerators["response"] - samples.numerators["wait"]
    work = (service[:, :-1] * workload.needs).sum(axis=1, keepdims=True)
    time, everybody = samples.denominators["in_system"][:, -1:], jobs[:, -1:]
    mean_work = float(workload.shares @ (workload.needs * workload.mean_services))
    rate = workload.arrivals.rate
    assert rate is not None  # a setup has decided it
    own = np.append(workload.mean_services, workload.mean_service)
    load = ratios(work, everybody) / mean_work - ratios(time, everybody) * rate
    load_residuals = residuals(work, everybody) / mean_work - residuals(time, everybody) * rate
    n_rows = jobs.shape[1]
    mean = np.array([np.repeat(load, n_rows), ratios(service, jobs) / own - 1])
    every = np.array([np.repeat(load_residuals, n_rows, axis=1), residuals(service, jobs) / own])
    return np.nan_to_num(mean), np.nan_to_num(every)


@dataclass(frozen=True)
class Correction:
    """What to take off each replication, and the share of the batches' noise that it foresees."""

    replications: Floats
    foreseen: float
    df_left: float  # share of the degrees of freedom that the slopes leave


def correction(controls: Controls, off: Floats, row: int) -> Correction:
    """For one row of a measure, of which `off` are the residuals in the batches (batch x row)."""
    x, y = controls.batches[:, :, row].T, off[:, row]
    corrections = np.zeros(controls.replications.shape[1])
    total = float(y @ y)
    if not np.isfinite(total) or total <= 0:
        return Correction(corrections, 0.0, 1.0)
    left = np.zeros(len(y))
    for run in range(len(corrections)):
        own = controls.runs == run
        slope: Floats = np.linalg.lstsq(x[~own], y[~own], rcond=None)[0].astype(np.float64)
        left[own] = y[own] - x[own] @ slope
        corrections[run] = controls.replications[:, run, row] @ slope
    return Correction(corrections, 1 - float(left @ left) / total, _df_left(left, controls))


def _df_left(left: Floats, controls: Controls) -> float:
    """Each slope takes one of the degrees of freedom of the batches that it is fitted to: of so
    many that are independent as their correlation makes of those of the other replications."""
    n_controls, n_runs, _ = controls.replications.shape
    others = len(left) * (1 - 1 / n_runs)
    independent = others / float(serial_factor(left[:, None], controls.runs)[0])
    return float(max(1.0 - n_controls / max(independent - 1.0, n_controls), 0.5))
