from hypothesis import given
from hypothesis import strategies as st

from zerowait.engine.structures.queues import NONE, Queues, empty_queues, join, leave

N_SEATS = 6


def members(queues: Queues, queue: int) -> list[int]:
    found, job, last = [], int(queues.head[queue]), NONE
    while job != NONE:
        assert queues.before[job] == last
        found.append(job)
        last, job = job, int(queues.after[job])
    assert queues.tail[queue] == last
    return found


@given(st.lists(st.tuples(st.integers(0, N_SEATS - 1), st.integers(0, 1)), max_size=60))
def test_is_a_list_that_can_be_left_anywhere(steps: list[tuple[int, int]]) -> None:
    """A seat that is in a queue leaves it, another joins the queue that is drawn."""
    queues = empty_queues(2, N_SEATS)
    expected: list[list[int]] = [[], []]
    for job, queue in steps:
        inside = next((q for q in (0, 1) if job in expected[q]), None)
        if inside is None:
            join(queues, queue, job)
            expected[queue].append(job)
        else:
            leave(queues, inside, job)
            expected[inside].remove(job)
        assert [members(queues, 0), members(queues, 1)] == expected
