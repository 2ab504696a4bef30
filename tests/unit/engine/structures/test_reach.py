"""Totals in reach equal those of all subsets."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.draws import draws
from zerowait.engine.structures.packing import empty_reach, most_reached, reaches

pytestmark = pytest.mark.slow


@given(
    items=st.lists(
        st.tuples(st.integers(1, 12), st.integers(0, 3)),
        min_size=1,
        max_size=4,
        unique_by=lambda item: item[0],
    ),
    scale=st.sampled_from([1, 1, 3]),
    servers=st.integers(0, 40),
)
@draws(1500)
def test_totals_equal_those_of_all_subsets(
    items: list[tuple[int, int]], scale: int, servers: int
) -> None:
    needs, left = (list(column) for column in zip(*sorted(items), strict=True))
    needs = [need * scale for need in needs]
    reach = empty_reach(np.array(needs), servers)
    reach.left[:] = left
    counts = itertools.product(*(range(most + 1) for most in left))
    totals = {sum(n * c for n, c in zip(needs, count, strict=True)) for count in counts}
    assert most_reached(reach, servers) == max(total for total in totals if total <= servers)
    assert [reaches(reach, total) for total in range(servers + 1)] == [
        total in totals for total in range(servers + 1)
    ]
    assert not reaches(reach, -scale)
