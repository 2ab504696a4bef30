"""Estimates of several policies on common streams, with the noise that they share.

The work that came per server and unit of time, and the mean service time, are known on average,
whatever the policy. Where a measure moves with them, the part of its error that they explain is
taken off (Lavenberg and Welch, Management Science 27, 1981).

Slopes fitted to the very runs that they correct bias the mean: in heavy traffic a run with more
work than usual also has a steeper slope. So each replication is corrected with slopes from the
others (the splitting of Avramidis and Wilson, Management Science 39, 1993). They come from batches,
ten of each replication, so that even four replications are enough for two slopes. The batches of a
single run have no others to learn from that are independent: no controls there.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from zerowait.experiment.statistics.intervals import (
    ratios,
    residuals,
    serial_factor,
)
from zerowait.experiment.statistics.samples import NOTHING, Estimate, Samples
from zerowait.model import FixedTimes, Rhythm, Workload
from zerowait.model.quantities import Floats, Ints

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
    # What comes in part of a week has another mean than the whole.
    if isinstance(workload.arrivals, (FixedTimes, Rhythm)) or batches.runs is None:
        return None
    if replications.n_groups < 3 or batches.n_groups < FEWEST_BATCHES:
        return None
    mean, off = _excess(workload, replications)
    return Controls(mean[:, None, :] + off, _excess(workload, batches)[1], batches.runs)


def _excess(workload: Workload, samples: Samples) -> tuple[Floats, Floats]:
    """Return for each control the excess of the mean (per row), and residuals (group x row)."""
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
    """Return the share of the degrees of freedom that the slopes leave.

    Each slope takes one of the batches that it is fitted to: of so many that are independent as
    their correlation makes of those of the other replications.
    """
    n_controls, n_runs, _ = controls.replications.shape
    others = len(left) * (1 - 1 / n_runs)
    independent = others / float(serial_factor(left[:, None], controls.runs)[0])
    return float(max(1.0 - n_controls / max(independent - 1.0, n_controls), 0.5))


ALL = -1  # the row of all jobs


@dataclass(frozen=True)
class Paired:
    """Every policy's measures in the same groups of the same streams; None where it diverges."""

    groups: tuple[Samples | None, ...]
    batches: tuple[Samples | None, ...]  # that slopes of controls are fitted to
    controls: Controls | None
    whole: bool = False  # groups hold just the jobs that the results' own means are over
    # By policy, measure and row: every mean of a measure asks for those of all policies.
    _corrections: dict[tuple[int, str, int], Correction] = field(
        default_factory=dict, repr=False, compare=False
    )

    def estimate(self, policy: int, measure: str, row: int) -> Estimate:
        """The mean of a measure; with controls where they help."""
        samples = self.groups[policy]
        if samples is None:
            return NOTHING
        found = samples.estimate(measure, row)
        if measure in samples.points or self.controls is None or not self.helpful(measure):
            return found
        known = self._correction(policy, measure, row)
        values = found.mean + found.off - known.replications
        mean = float(values.mean())
        return replace(found, mean=mean, off=values - mean, df=found.df * known.df_left)

    def helpful(self, measure: str) -> bool:
        """Do controls foresee enough of the noise between batches, on average over the policies?

        All policies and classes use them or none does, so that differences of means are means of
        differences, classes add up to all jobs, and what cancels goes on cancelling.
        """
        steady = [number for number, one in enumerate(self.groups) if one is not None]
        if self.controls is None or not steady:
            return False
        foreseen = [self._correction(one, measure, ALL).foreseen for one in steady]
        return bool(np.mean(foreseen) > HELPFUL)

    def _correction(self, policy: int, measure: str, row: int) -> Correction:
        asked = (policy, measure, row)
        if asked not in self._corrections:
            self._corrections[asked] = self._found_correction(*asked)
        return self._corrections[asked]

    def _found_correction(self, policy: int, measure: str, row: int) -> Correction:
        batches = self.batches[policy]
        if self.controls is None or batches is None or measure not in batches.numerators:
            return Correction(np.zeros(0), 0.0, 1.0)
        off = residuals(batches.numerators[measure], batches.denominators[measure])
        return correction(self.controls, off, row)
