"""How well users foresee the run times of their jobs."""

from dataclasses import dataclass

import numpy as np

from zerowait.traces.log import Log

EXACT = 0.01  # within 1% counts as foreseen
N_COMMONEST = 20  # Tsafrir et al. 2005: a few round values make up most estimates
N_BINS = 20


@dataclass(frozen=True)
class EstimateAccuracy:
    """Accuracy is service / estimate; above 1 the job ran longer than it was asked for."""

    jobs: int  # with an estimate
    share: float  # of all jobs
    mean_accuracy: float
    median_accuracy: float
    exact: float  # share within 1% of the estimate
    too_short: float  # share that ran longer than estimated
    below_tenth: float  # share that used less than a tenth of its estimate
    mean_overestimate: float  # total estimated time over total service time
    distinct: int
    commonest: float  # share of the jobs that have one of the 20 commonest estimates
    histogram: tuple[int, ...]  # jobs per twentieth of accuracy from 0 to 1, then those above


def estimate_accuracy(log: Log) -> EstimateAccuracy | None:
    """None where the log has no estimates."""
    if log.has_estimate is None or not log.has_estimate.any():
        return None
    has = log.has_estimate
    estimate, service = np.asarray(log.jobs.estimate)[has], np.asarray(log.jobs.service)[has]
    accuracy = service / estimate
    values, counts = np.unique(estimate, return_counts=True)
    inside, _ = np.histogram(accuracy, bins=N_BINS, range=(0.0, 1.0))
    total = float(service.sum())
    return EstimateAccuracy(
        jobs=len(service),
        share=float(has.mean()),
        mean_accuracy=float(accuracy.mean()),
        median_accuracy=float(np.median(accuracy)),
        exact=float((np.abs(accuracy - 1) <= EXACT).mean()),
        too_short=float((accuracy > 1).mean()),
        below_tenth=float((accuracy < 0.1).mean()),
        mean_overestimate=float(estimate.sum() / total) if total > 0 else float("nan"),
        distinct=len(values),
        commonest=float(np.sort(counts)[::-1][:N_COMMONEST].sum() / len(service)),
        histogram=(*map(int, inside), int((accuracy > 1).sum())),
    )
