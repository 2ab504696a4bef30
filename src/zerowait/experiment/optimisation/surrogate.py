"""A guess at candidates that were not run, from those that were, and where to look next.

Radial basis functions through the runs of an arm, one for every objective and constraint; looked at
are points around the best ones, near and far, and few of their numbers changed where
there are many (Regis and Shoemaker, INFORMS J. Computing 19, 2007; Eng. Optimization 45, 2013).
"""

from collections.abc import Sequence

import numpy as np

from zerowait.engine.arrays import Floats
from zerowait.experiment.optimisation.problem import Judgement

RADII = (0.3, 0.1, 0.03, 0.01)  # of an axis, in which new points lie around the best
AROUND = 4  # best points
POOL = 400  # points for every radius, of which a few are run
MOVED = 3.0  # numbers of a point that are changed, on average
SMOOTHING = (1e-4, 1e-2)  # of long runs and of short ones: how little to rely on each
PENALTY = 10.0  # of a constraint broken by as much as its limit, in objectives
SHARES = (1e-6, 1e6)  # of the baseline's: beyond, logarithms say nothing
WIDEST = 1.0  # margins beyond are far enough from their limit to be all alike
# What counts of a point: its guess, and the rest is its distance from all that were run.
WEIGHTS = (1.0, 0.95, 0.8, 0.5)


class Surrogate:
    """What the runs of an arm let us expect of long ones."""

    def __init__(
        self, points: Floats, short: Sequence[Judgement], long: Sequence[Judgement | None]
    ) -> None:
        from scipy.interpolate import RBFInterpolator

        self.points = points
        self.n_objectives = len(short[0].objectives)
        known, run = _vectors(short), np.array([one is not None for one in long])
        found = _vectors([one for one in long if one is not None])
        # Short runs are of a busier time, say: what long ones differ by on average is added.
        known[~run] += (found - known[run]).mean(axis=0)
        known[run] = found
        self._guess = RBFInterpolator(
            points, known, smoothing=np.where(run, *SMOOTHING), kernel="cubic"
        )

    def merits(self, points: Floats, weights: Sequence[float]) -> Floats:
        """Objectives, as those that are run are judged, with a price for broken constraints."""
        found = self._guess(points)
        objectives = np.exp(found[:, : self.n_objectives]) * np.asarray(weights)
        beyond = np.maximum(found[:, self.n_objectives :], 0).sum(axis=1)
        total = objectives.max(axis=1)
        if self.n_objectives > 1:
            total = total + 0.05 * objectives.sum(axis=1)
        return np.asarray(total * (1 + PENALTY * beyond))

    def pool(self, best: Floats, rng: np.random.Generator) -> Floats:
        """Points around the best ones, at every radius."""
        n_axes = self.points.shape[1]
        found = []
        for radius in RADII:
            from_ = best[rng.integers(len(best), size=POOL)]
            moved = rng.random((POOL, n_axes)) < MOVED / n_axes
            moved[np.arange(POOL), rng.integers(n_axes, size=POOL)] = True
            steps = radius * rng.standard_normal((POOL, n_axes))
            found.append(np.clip(from_ + np.where(moved, steps, 0.0), 0.0, 1.0))
        return np.concatenate([*found, rng.random((POOL, n_axes))])

    def ranked(self, pool: Floats, weights: Sequence[float]) -> list[Floats]:
        """The points of a pool, best first, once for every way to weigh guess and distance."""
        from scipy.spatial.distance import cdist

        merits = _scaled(self.merits(pool, weights))
        near = 1 - _scaled(cdist(pool, self.points).min(axis=1))
        return [pool[np.argsort(w * merits + (1 - w) * near, kind="stable")] for w in WEIGHTS]


def _vectors(judged: Sequence[Judgement]) -> Floats:
    """Logarithms of objectives, then margins."""
    objectives = np.array([one.objectives for one in judged])
    margins = np.array([one.margins for one in judged]).reshape(len(judged), -1)
    return np.hstack([np.log(np.clip(objectives, *SHARES)), np.clip(margins, -WIDEST, WIDEST)])


def _scaled(values: Floats) -> Floats:
    """From 0 to 1."""
    span = np.ptp(values)
    return np.asarray((values - values.min()) / (span if span > 0 else 1.0))
