"""Lines with a boundary equal lists of which the first few are served."""

from dataclasses import dataclass, field

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from zerowait.engine.seats import RUNNING, WAITING, Seats, empty_seats
from zerowait.engine.structures.queues import (
    NONE,
    Lines,
    Queues,
    empty_lines,
    first_outside,
    join,
    join_boundary,
    join_inside,
    leave_line,
    next_pause,
    next_planned,
    plan_count,
    plan_fewer,
    plan_more,
    touch,
)

NEEDS = np.array([1, 3])
N_SEATS = 5


@dataclass
class Naive:
    """Who stands in each line, how many of them are to be served, and who is in service."""

    members: list[list[int]] = field(default_factory=lambda: [[] for _ in NEEDS])
    counts: list[int] = field(default_factory=lambda: [0 for _ in NEEDS])
    running: set[int] = field(default_factory=set)

    @property
    def planned(self) -> set[int]:
        return {
            job
            for line, count in zip(self.members, self.counts, strict=True)
            for job in line[:count]
        }

    def line_of(self, job: int) -> int | None:
        return next((line for line, jobs in enumerate(self.members) if job in jobs), None)


def put(queues: Queues, line: int, job: int, members: list[int], place: int) -> None:
    """Link `job` into a line at this place, as an order by remaining time does."""
    if place == len(members):
        join(queues, line, job)
        return
    newer = members[place]
    older = queues.before[newer]
    queues.before[job], queues.after[job], queues.before[newer] = older, newer, job
    if older == NONE:
        queues.head[line] = job
    else:
        queues.after[older] = job


def arrive(lines: Lines, naive: Naive, line: int, job: int, place: int, inside: bool) -> None:
    """A newcomer among the served is served; one behind them may be taken in, if it is next."""
    members, count = naive.members[line], naive.counts[line]
    place = min(place, len(members))
    put(lines.queues, line, job, members, place)
    members.insert(place, job)
    if inside and place <= count:
        join_inside(lines.plan, lines.queues, line, job)
        joined = True
    else:
        joined = join_boundary(lines.plan, lines.queues, line, job)
        assert joined == (place < count)
    if joined:
        naive.counts[line] += 1
        touch(lines, job)


def depart(lines: Lines, jobs: Seats, naive: Naive, line: int, job: int) -> None:
    naive.counts[line] -= naive.members[line].index(job) < naive.counts[line]
    naive.members[line].remove(job)
    naive.running.discard(job)
    leave_line(lines, line, job)
    jobs.phase[job] = WAITING


def plan(lines: Lines, naive: Naive, line: int, count: int) -> None:
    """One job more or fewer has functions of its own."""
    step = count - naive.counts[line]
    if step == 1:
        plan_more(lines, line)
    elif step == -1:
        plan_fewer(lines, line)
    else:
        plan_count(lines, line, count)
    naive.counts[line] = count


def decide(lines: Lines, jobs: Seats, naive: Naive) -> None:
    """The loop's part: pause whom the plan has dropped, then start whom it has added."""
    paused, started = [], []
    while (job := next_pause(lines, jobs)) != NONE:
        jobs.phase[job] = WAITING
        paused.append(job)
    while (job := next_planned(lines, jobs)) != NONE:
        jobs.phase[job] = RUNNING
        started.append(job)
    assert sorted(paused) == sorted(naive.running - naive.planned)
    assert sorted(started) == sorted(naive.planned - naive.running)
    naive.running = naive.planned
    assert not lines.is_touched.any()


def assert_same(lines: Lines, naive: Naive) -> None:
    boundary = lines.plan
    assert set(np.flatnonzero(boundary.inside).tolist()) == naive.planned
    assert boundary.n_inside.tolist() == naive.counts
    assert boundary.total[0] == sum(naive.counts * NEEDS)
    for line, members in enumerate(naive.members):
        count = naive.counts[line]
        assert boundary.last[line] == (members[count - 1] if count else NONE)
        following = members[count] if count < len(members) else NONE
        assert first_outside(boundary, lines.queues, line) == following


@given(
    st.lists(
        st.one_of(
            st.tuples(
                st.just("come or go"),
                st.integers(0, N_SEATS - 1),  # job
                st.integers(0, 1),  # line
                st.integers(0, N_SEATS),  # place in it
                st.booleans(),  # inside, if it may be
            ),
            st.tuples(st.just("plan"), st.integers(0, 1), st.integers(0, N_SEATS)),
            st.tuples(st.just("decide")),
        ),
        min_size=20,  # steps that change nothing stand for shorter lists
        max_size=60,
    )
)
def test_are_lists_of_which_the_first_few_are_served(steps: list[tuple]) -> None:  # type: ignore[type-arg]
    """A seat that is in a line leaves it, another joins; boundaries move; the loop follows."""
    lines, jobs, naive = empty_lines(NEEDS, N_SEATS), empty_seats(N_SEATS), Naive()
    jobs.phase[:] = WAITING
    for what, *drawn in steps:
        if what == "decide":
            decide(lines, jobs, naive)
        elif what == "plan":
            line, count = drawn
            plan(lines, naive, line, min(count, len(naive.members[line])))
        else:
            job, line, place, inside = drawn
            stands_in = naive.line_of(job)
            if stands_in is None:
                arrive(lines, naive, line, job, place, inside)
            else:
                depart(lines, jobs, naive, stands_in, job)
        assert_same(lines, naive)
    decide(lines, jobs, naive)
    assert set(np.flatnonzero(jobs.phase == RUNNING).tolist()) == naive.planned
