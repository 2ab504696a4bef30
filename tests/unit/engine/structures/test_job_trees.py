"""Trees by key, and what they know of their jobs, against sorted lists."""

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from tests.unit.engine.structures.seated import seated
from tests.unit.engine.structures.test_sorted_lines import in_order
from zerowait.engine.structures.queues import NONE
from zerowait.engine.structures.trees import (
    empty_job_trees,
    first_in_time,
    first_to_free,
    insert,
    need_up_to,
    remove,
)

N_SEATS = 10
KEYS = [0.0, 1.0, 1.5, 2.0, 7.0]


@given(
    needs=st.lists(st.integers(1, 6), min_size=N_SEATS, max_size=N_SEATS),
    estimates=st.lists(st.sampled_from([0.0, 1.0, 2.0, 5.0]), min_size=N_SEATS, max_size=N_SEATS),
    steps=st.lists(
        st.tuples(st.integers(0, N_SEATS - 1), st.integers(0, 1), st.sampled_from(KEYS)),
        max_size=60,
    ),
    wanted=st.integers(1, 30),
)
def test_are_lists_sorted_by_key_and_arrival(
    needs: list[int],
    estimates: list[float],
    steps: list[tuple[int, int, float]],
    wanted: int,
) -> None:
    jobs = seated(N_SEATS, needs, estimates)
    by_key = empty_job_trees(2, N_SEATS)
    expected: list[list[int]] = [[], []]
    for job, tree, key in steps:
        inside = next((one for one in (0, 1) if job in expected[one]), None)
        if inside is not None:
            remove(by_key, inside, jobs, job)
            expected[inside].remove(job)
        else:
            insert(by_key, tree, jobs, job, key)
            expected[tree].append(job)
            expected[tree].sort(key=lambda one: (by_key.key[one], jobs.order[one]))
    for tree, line in enumerate(expected):
        assert in_order(by_key.trees, tree) == line
        assert by_key.first[tree] == next(iter(line), NONE)
        freed = accumulate(needs[job] for job in line)
        enough = (job for job, total in zip(line, freed, strict=True) if total >= wanted)
        assert first_to_free(by_key, tree, jobs, wanted) == next(enough, NONE)
        for key in KEYS:
            until = sum(needs[job] for job in line if by_key.key[job] <= key)
            assert need_up_to(by_key, tree, jobs, key) == until
        for end in (3.0, 4.0, 5.0, 8.0):
            soon = (job for job in line if 3.0 + estimates[job] <= end)
            assert first_in_time(by_key, tree, jobs, 3.0, end) == next(soon, NONE)
