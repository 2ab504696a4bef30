"""The knapsack equals brute force, ties included."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle.backfilling import packing as brute_force
from zerowait.engine.packing import empty_packing, pack


@given(
    items=st.lists(
        st.tuples(st.integers(1, 12), st.integers(0, 4), st.integers(1, 6)),
        min_size=1,
        max_size=4,
        unique_by=lambda item: item[0],
    ),
    scale=st.sampled_from([1, 1, 3]),
    room=st.integers(0, 40),
    spare=st.integers(0, 5),
)
@settings(max_examples=1500, deadline=None)
def test_packing_equals_brute_force(
    items: list[tuple[int, int, int]], scale: int, room: int, spare: int
) -> None:
    needs, limits, weights = (list(column) for column in zip(*sorted(items), strict=True))
    needs = [need * scale for need in needs]
    packing = empty_packing(np.array(needs), room + spare)
    packing.limits[:] = limits
    packing.weights[:] = weights
    pack(packing, room)
    assert packing.counts.tolist() == brute_force(weights, limits, needs, room)


def test_needs_that_divide_each_other_are_solved_for_few_capacities() -> None:
    packing = empty_packing(np.array([16, 32, 64, 128]), 2048)
    assert len(packing.best) == 128 // 2 + 1 + 128 // 4 + 1 + 128 // 8 + 1


def test_a_large_packing_is_feasible_and_maximal() -> None:
    needs = np.array([3, 7, 11, 20, 64])
    packing = empty_packing(needs, 5000)
    rng = np.random.default_rng(3)
    for _ in range(20):
        packing.limits[:] = rng.integers(0, 120, 5)
        packing.weights[:] = np.maximum(packing.limits, 1)
        servers = int(rng.integers(0, 5001))
        pack(packing, servers)
        left = servers - int(packing.counts @ needs)
        assert left >= 0
        assert (packing.counts <= packing.limits).all()
        assert ((packing.counts == packing.limits) | (needs > left)).all()
