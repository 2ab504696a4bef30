"""The waits that a log recorded, beside those of a replay: does the policy explain them?"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from zerowait.engine.arrays import Floats
from zerowait.experiment.statistics.bootstrap import week_numbers

WELL, FAIRLY = 0.3, 0.6  # errors; a correlation falls as short of 1 by as much

Grade = Literal["well", "fairly", "poorly", "not known"]


@dataclass(frozen=True)
class Match:
    """How far the waits of a replay are from the recorded ones, week by week; NaN: not known."""

    error: float  # sum over weeks of |replayed - recorded| waiting time, by the recorded
    correlation: float  # of the ranks of weekly mean waits; NaN below three weeks, or if all alike

    @property
    def grade(self) -> Grade:
        """By the worse of both: waits as long as the recorded ones, but in other weeks, are long
        for another reason."""
        if math.isnan(self.error):
            return "not known"
        short = 0.0 if math.isnan(self.correlation) else 1 - self.correlation
        worse = max(self.error, short)
        return "well" if worse <= WELL else "fairly" if worse <= FAIRLY else "poorly"


def match(arrival: Floats, wait: Floats, recorded: Floats) -> Match:
    """Single jobs depend on what nobody recorded (nodes that were down, holds, dependencies);
    weeks tell whether queues were as long, and at the same times."""
    known = np.isfinite(recorded)
    if not known.any() or not recorded[known].any():
        return Match(math.nan, math.nan)
    week = week_numbers(arrival)[known]
    replayed, was = (np.bincount(week, one[known]) for one in (wait, recorded))
    error = float(np.abs(replayed - was).sum() / was.sum())
    counts = np.bincount(week)
    some = counts > 0
    means = np.asarray([one[some] / counts[some] for one in (replayed, was)])
    varies = some.sum() > 2 and (np.ptp(means, axis=1) > 0).all()
    return Match(error, _rank_correlation(*means) if varies else math.nan)


def _rank_correlation(one: Floats, other: Floats) -> float:
    """Spearman's: the waits of one bad week must not decide it."""
    return float(np.corrcoef(_ranks(one), _ranks(other))[0, 1])


def _ranks(values: Floats) -> Floats:
    """Equal values share the middle of their places."""
    ordered = np.sort(values)
    places = [np.searchsorted(ordered, values, side=side) for side in ("left", "right")]
    return np.asarray(np.add(*places) / 2)
