"""The knapsack equals brute force, ties included."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.draws import draws
from tests.oracle.backfilling import packing as brute_force
from zerowait.engine.structures.packing import empty_packing, pack


@pytest.mark.slow
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
@draws(1500)
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


@pytest.mark.slow
@given(
    first=st.integers(1, 3),
    steps=st.lists(
        st.tuples(st.integers(2, 4), st.integers(0, 5), st.integers(1, 6)), min_size=1, max_size=4
    ),
    room=st.integers(0, 150),
)
@draws(1500)
def test_packing_of_needs_that_divide_each_other_equals_brute_force(
    first: int, steps: list[tuple[int, int, int]], room: int
) -> None:
    ratios, limits, weights = (list(column) for column in zip(*steps, strict=True))
    needs = [first * int(np.prod(ratios[1 : place + 1])) for place in range(len(ratios))]
    packing = empty_packing(np.array(needs), room)
    packing.limits[:] = limits
    packing.weights[:] = weights
    pack(packing, room)
    assert packing.is_chain[0]
    assert packing.counts.tolist() == brute_force(weights, limits, needs, room)


@pytest.mark.slow
def test_bundles_and_dynamic_program_agree_on_long_chains() -> None:
    """Also that the runs of bundles never outgrow their room."""
    rng = np.random.default_rng(4)
    for _ in range(300):
        n_needs = int(rng.integers(1, 13))
        needs = np.cumprod(np.append(1, rng.integers(2, 4, n_needs - 1)))
        servers = int(rng.integers(1, 3 * needs[-1] + 1))
        both = [empty_packing(needs, servers) for _ in range(2)]
        both[1].is_chain[0] = 0
        limits = rng.integers(0, 40, n_needs)
        weights = rng.integers(1, 1 + 10 ** int(rng.integers(1, 6)), n_needs)
        for packing in both:
            packing.limits[:] = limits
            packing.weights[:] = weights
            pack(packing, servers)
        assert both[0].counts.tolist() == both[1].counts.tolist()


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
