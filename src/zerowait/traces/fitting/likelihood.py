"""How likely a sample is under a law."""

import numpy as np

from zerowait.model import Law
from zerowait.traces.fitting.sample import Sample

# The logarithm of the least probability a float can hold, about.
LEAST = -745.0


def log_likelihood(law: Law, sample: Sample) -> float:
    """Of times that were written down in units of the resolution: P(x - h/2 < X <= x + h/2).

    A value that the law excludes counts as one of the least probability a float can hold.
    """
    half = sample.resolution / 2
    above = np.asarray(law.survival(np.maximum(sample.values - half, 0.0)))
    beyond = np.asarray(law.survival(sample.values + half))
    with np.errstate(divide="ignore"):
        inside = np.maximum(np.log(above - beyond), LEAST)
    return float(np.dot(inside, sample.counts))
