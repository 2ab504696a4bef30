"""Fronts: who is on them, and where they bend."""

import numpy as np

from zerowait.experiment.optimisation.optimise import knee, spread, undominated


def test_a_front_is_who_nobody_betters_in_both() -> None:
    rng = np.random.default_rng(1)
    points = [tuple(one) for one in rng.integers(0, 30, (200, 2))]
    kept = undominated(points)

    def bettered(at: int) -> bool:
        return any(
            other[0] <= points[at][0] and other[1] <= points[at][1] and other != points[at]
            for other in points
        )

    assert {points[at] for at in kept} == {points[at] for at in range(200) if not bettered(at)}
    assert [points[at][0] for at in kept] == sorted({points[at][0] for at in kept})


def test_a_front_is_thinned_evenly_and_keeps_its_ends() -> None:
    points = [(x / 100, 1 - x / 100) for x in range(101)]
    kept = spread(points, 11)
    assert kept == list(range(0, 101, 10))


def test_the_knee_is_where_the_front_bends() -> None:
    assert knee([(0, 10), (1, 2), (8, 1), (10, 0)]) == 1
    assert knee([(0, 10), (5, 5), (10, 0)]) is None
    assert knee([(0, 10), (10, 0)]) is None
