"""Boundaries in lines, and the differences that a plan makes, against plain lists."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.engine.structures.seated import seated
from tests.unit.engine.structures.test_queues import members
from zerowait.engine.structures.lines import (
    empty_lines,
    first_outside,
    leave_line,
    next_pause,
    next_planned,
    plan_count,
)
from zerowait.engine.structures.queues import NONE, join

N_SEATS = 10
NEEDS = np.array([1, 3])


@given(
    st.lists(
        st.tuples(
            st.lists(st.integers(0, N_SEATS - 1), max_size=4),
            st.lists(st.integers(0, 5), min_size=2, max_size=2),
        ),
        max_size=20,
    )
)
def test_a_plan_starts_and_pauses_just_the_difference(
    decisions: list[tuple[list[int], list[int]]],
) -> None:
    """Seats come and go; then so many of each line are planned, and the plan is carried out."""
    jobs = seated(N_SEATS)
    jobs.running[:] = 0
    lines = empty_lines(NEEDS, N_SEATS)
    expected: list[list[int]] = [[], []]
    for moved, counts in decisions:
        for job in moved:
            line = job % 2
            if job in expected[line]:
                leave_line(lines, line, job)
                expected[line].remove(job)
                jobs.running[job] = 0
            else:
                join(lines.queues, line, job)
                expected[line].append(job)
        served: set[int] = set()
        for line, count in enumerate(counts):
            planned = min(count, len(expected[line]))
            plan_count(lines, line, planned)
            served |= set(expected[line][:planned])
            assert members(lines.queues, line) == expected[line]
            rest = expected[line][planned:]
            assert first_outside(lines.plan, lines.queues, line) == next(iter(rest), NONE)
        assert lines.plan.total[0] == sum(NEEDS[job % 2] for job in served)
        before = {job for job in range(N_SEATS) if jobs.running[job]}
        paused, started = [], []
        while (job := next_pause(lines, jobs)) != NONE:
            paused.append(job)
            jobs.running[job] = 0
        while (job := next_planned(lines, jobs)) != NONE:
            started.append(job)
            jobs.running[job] = 1
        assert sorted(paused) == sorted(before - served)
        assert sorted(started) == sorted(served - before)
