"""How many times their service times users announce, as a law of each class."""

import numpy as np
from numpy.typing import NDArray

from zerowait.model import Empirical, Jobs, Law
from zerowait.traces.fitting.families.empirical import thinned

# Percentiles tell the users of a class well enough, and every class of a file repeats them.
MOST_RATIOS = 100
DIGITS = 4

Floats = NDArray[np.float64]


def overestimates(jobs: Jobs, estimated: NDArray[np.bool_] | None) -> Floats | None:
    """Per job estimate / service, NaN where there is none; None where all estimates are exact.

    Jobs that outran their estimates have them raised, as a replay does.
    """
    service, estimate = np.asarray(jobs.service), np.asarray(jobs.estimate)
    known = (service > 0) & (True if estimated is None else estimated)
    ratio = np.full(len(service), np.nan)
    np.divide(np.maximum(estimate, service), service, out=ratio, where=known)
    return ratio if (ratio > 1).any() else None


def law_of(ratios: Floats, spare: Floats) -> Law | None:
    """The ratios again, those of a need's own jobs, or of its whole class where these are few."""
    own, others = ratios[np.isfinite(ratios)], spare[np.isfinite(spare)]
    taken = own if len(own) >= MOST_RATIOS else others
    if not (taken > 1).any():
        return None
    return Empirical([float(f"{ratio:.{DIGITS}g}") for ratio in thinned(taken, MOST_RATIOS)])
