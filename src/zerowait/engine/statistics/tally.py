"""The sums of finished runs: what replications add up to and results are computed from."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zerowait.engine.arrays import Floats, Ints

MAXIMUM = 2  # after sum and sum of squares


@dataclass(frozen=True)
class Tally:
    """Per class: counts, moments, histograms and time integrals over `window`."""

    counts: Ints  # class x column of statistics.COUNT, ...
    moments: Floats  # class x measure x (sum, sum of squares, maximum), about the pivots
    pivots: Floats  # class x measure
    response_histogram: Ints  # class x bucket
    wait_histogram: Ints  # class x bucket
    origin: int  # of the histograms
    in_system_area: Floats  # per class
    busy_area: Floats  # per class
    window: float


def merge(tallies: Sequence[Tally]) -> Tally:
    """The tally of all runs together; they must share classes, pivots and origin."""
    moments = np.sum([t.moments for t in tallies], axis=0)
    moments[:, :, MAXIMUM] = np.max([t.moments[:, :, MAXIMUM] for t in tallies], axis=0)
    return Tally(
        np.sum([t.counts for t in tallies], axis=0),
        moments,
        tallies[0].pivots,
        np.sum([t.response_histogram for t in tallies], axis=0),
        np.sum([t.wait_histogram for t in tallies], axis=0),
        tallies[0].origin,
        np.sum([t.in_system_area for t in tallies], axis=0),
        np.sum([t.busy_area for t in tallies], axis=0),
        sum(t.window for t in tallies),
    )
