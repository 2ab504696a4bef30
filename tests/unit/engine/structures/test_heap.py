import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from zerowait.engine.structures.heap import empty_heap, enter_heap, pop, push, remove_from_heap


@given(st.lists(st.one_of(st.integers(0, 5), st.none()), max_size=80))
def test_pops_the_earliest(steps: list[int | None]) -> None:
    """Push the numbers, pop at each None: the same as a sorted list, whatever the ties."""
    heap = empty_heap(max(len(steps), 1))
    size, held = 0, []
    for job, time in enumerate(steps):
        if time is not None:
            size = push(heap.times, heap.jobs, size, float(time), job)
            held.append((float(time), job))
        elif held:
            first = (heap.times[0], heap.jobs[0])
            assert first[0] == min(held)[0]
            held.remove(first)
            size = pop(heap.times, heap.jobs, size)
        assert size == len(held)
        assert sorted(zip(heap.times[:size], heap.jobs[:size], strict=True)) == sorted(held)
    assert np.isfinite(heap.times).all()


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5)), max_size=80))
def test_gives_any_job_back(steps: list[tuple[int, int]]) -> None:
    """A job that is in the heap is taken out, another enters at the time that is drawn."""
    heap = empty_heap(10)
    size, held = 0, dict[int, float]()
    for job, time in steps:
        if job in held:
            size = remove_from_heap(heap, size, job)
            del held[job]
        else:
            size = enter_heap(heap, size, float(time), job)
            held[job] = float(time)
        assert dict(zip(heap.jobs[:size].tolist(), heap.times[:size], strict=True)) == held
        if held:
            assert heap.times[0] == min(held.values())
        assert all(heap.jobs[heap.place[job]] == job for job in held)
