"""Guesses: near the truth where it is smooth, and away from what was dropped."""

import numpy as np
import pytest
from scipy.stats.qmc import Halton

from zerowait.experiment.optimisation.problem import Judgement
from zerowait.experiment.optimisation.search import WEIGHTS, Surrogate
from zerowait.model.quantities import Floats


def bowl(point: Floats) -> Judgement:
    """Smallest at (0.7, 0.2, 0.5), where the only constraint, x <= 0.6, is broken."""
    x, y, z = point
    value = np.exp((x - 0.7) ** 2 + 2 * (y - 0.2) ** 2 + (z - 0.5) ** 2)
    return Judgement((float(value),), (float(x - 0.6),))


def test_the_best_guess_is_near_the_best_that_is_allowed() -> None:
    points = Halton(3, seed=1).random(40)
    judged = [bowl(one) for one in points]
    guess = Surrogate(points, judged, judged)
    pool = guess.pool(points[:4], np.random.default_rng(1))
    assert ((pool >= 0) & (pool <= 1)).all()
    ranked = guess.ranked(pool, (1.0,))
    assert len(ranked) == len(WEIGHTS)
    best = ranked[0][0]
    assert np.linalg.norm(best - [0.6, 0.2, 0.5]) < 0.15
    assert bowl(best).margins[0] < 0.02
    # The less a guess counts, the farther its choice lies from all that was run.
    distance = [np.linalg.norm(points - one[0], axis=1).min() for one in ranked]
    assert distance == sorted(distance)


def test_short_runs_count_with_what_long_ones_differ_by() -> None:
    points = Halton(3, seed=2).random(60)
    long = [bowl(one) for one in points]
    short = [Judgement((2 * one.objectives[0],), (one.margins[0] - 0.1,)) for one in long]
    known = [one if number % 2 else None for number, one in enumerate(long)]
    guess = Surrogate(points, short, known)
    found = guess.merits(points[::2], (1.0,))
    price = [10 * max(one.margins[0], 0) for one in long[::2]]
    true = [one.objectives[0] * (1 + p) for one, p in zip(long[::2], price, strict=True)]
    assert found == pytest.approx(true, rel=0.05)


def test_two_objectives_are_weighed_as_those_that_were_run() -> None:
    points = Halton(2, seed=3).random(30)
    judged = [Judgement((1 + x, 2 - x + y), ()) for x, y in points.tolist()]
    guess = Surrogate(points, judged, judged)
    for weights in ((1.0, 0.02), (1.0, 1.0)):
        found = guess.merits(points, weights)
        a, b = (w * np.array([one.objectives[i] for one in judged]) for i, w in enumerate(weights))
        assert found == pytest.approx(np.maximum(a, b) + 0.05 * (a + b), rel=0.01)
