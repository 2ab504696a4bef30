"""A sorted line and its tree against a plain list."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.engine.structures.seated import seated
from tests.unit.engine.structures.test_queues import members
from zerowait.engine.structures.queues import NONE, empty_queues
from zerowait.engine.structures.trees import Trees, attach, empty_trees, following, take_out

N_SEATS = 12


def in_order(trees: Trees, tree: int) -> list[int]:
    """The jobs of a tree from left to right; parents and heights are as they must be."""

    def walk(node: int, above: int) -> list[int]:
        if node == NONE:
            return []
        assert trees.parent[node] == above
        assert above == NONE or trees.height[above] >= trees.height[node]
        left, right = int(trees.left[node]), int(trees.right[node])
        return [*walk(left, node), node, *walk(right, node)]

    return walk(int(trees.root[tree]), NONE)


@given(
    st.lists(
        st.tuples(st.integers(0, N_SEATS - 1), st.integers(0, 1), st.integers(0, N_SEATS)),
        max_size=80,
    )
)
def test_is_a_list_with_insertion_anywhere(steps: list[tuple[int, int, int]]) -> None:
    """A seat that is in a line leaves it; another is put at the place that is drawn."""
    jobs = seated(N_SEATS)
    trees, queues = empty_trees(2, N_SEATS), empty_queues(2, N_SEATS)
    expected: list[list[int]] = [[], []]
    for job, line, place in steps:
        inside = next((one for one in (0, 1) if job in expected[one]), None)
        if inside is not None:
            take_out(trees, queues, inside, job)
            expected[inside].remove(job)
        else:
            place = min(place, len(expected[line]))
            older = expected[line][place - 1] if place else NONE
            attach(trees, queues, line, jobs, job, older)
            expected[line].insert(place, job)
        for one in (0, 1):
            assert in_order(trees, one) == members(queues, one) == expected[one]
            for job, after in pairwise([*expected[one], NONE]):
                assert following(trees, job) == after


def depth(trees: Trees, node: int) -> int:
    if node == NONE:
        return 0
    return 1 + max(depth(trees, trees.left[node]), depth(trees, trees.right[node]))


@pytest.mark.parametrize("behind", [True, False])
def test_trees_are_shallow_whatever_the_order_of_coming(behind: bool) -> None:
    """A thousand jobs, each put behind or before all others: depth some logarithms of that."""
    n_jobs = 1000
    jobs = seated(n_jobs)
    jobs.order[:] = range(n_jobs)
    trees, queues = empty_trees(1, n_jobs), empty_queues(1, n_jobs)
    for job in range(n_jobs):
        attach(trees, queues, 0, jobs, job, int(queues.tail[0]) if behind else NONE)
    assert depth(trees, int(trees.root[0])) < 40
