"""The profile of free servers equals a list of changes that is looked through from the start."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from zerowait.engine.structures.profile import (
    Profile,
    begin_profile,
    empty_profile,
    occupy,
    pass_time,
    release,
)

Changes = list[tuple[float, int]]  # from this time on, so many servers more
# Whole seconds make steps coincide; the others have sums that are rounded.
DURATIONS = st.one_of(st.integers(0, 6).map(float), st.floats(0.0, 6.0))
JOBS = st.lists(st.tuples(st.integers(1, 8), DURATIONS), max_size=12)


def free_at(changes: Changes, time: float) -> int:
    return sum(more for change, more in changes if change <= time)


def earliest(changes: Changes, now: float, need: int, duration: float) -> float:
    """The first time, now or later, from which `need` servers are free for so long."""
    times = sorted(time for time, _ in changes if time >= now)
    return next(
        begin
        for begin in [now, *times]
        if all(
            free_at(changes, time) >= need
            for time in [begin, *times]
            if time == begin or begin < time < begin + duration
        )
    )


def assert_same(profile: Profile, changes: Changes, now: float) -> None:
    steps = slice(profile.first[0], profile.end[0])
    times, free = profile.times[steps], profile.free[steps]
    assert times[0] == now
    assert (np.diff(times) > 0).all()
    assert free.tolist() == [free_at(changes, time) for time in times]
    # No change was lost either: between steps the number of free servers stays.
    for time, _ in changes:
        if time > now:
            step = np.searchsorted(times, time, side="right") - 1
            assert free[step] == free_at(changes, time)


@given(
    idle=st.integers(0, 8),
    running=JOBS,
    waiting=st.lists(st.tuples(DURATIONS, st.integers(1, 8), DURATIONS), max_size=24),
)
def test_reservations_are_where_a_search_through_all_changes_puts_them(
    idle: int, running: list[tuple[int, float]], waiting: list[tuple[float, int, float]]
) -> None:
    """Jobs in service end; then others come, each after a pause, and are given a place."""
    profile = empty_profile(len(running) + len(waiting), 8)
    now = 3.0
    changes: Changes = [(now, idle)]
    begin_profile(profile, now, idle)
    for need, left in sorted(running, key=lambda job: job[1]):
        release(profile, now + left, need)
        changes.append((now + left, need))
    assert_same(profile, changes, now)
    servers = idle + sum(need for need, _ in running)
    for pause, need, duration in waiting:
        now += pause
        pass_time(profile, now)
        assert_same(profile, changes, now)
        if need > servers:
            continue
        begin = occupy(profile, need - 1, need, duration)
        assert begin == earliest(changes, now, need, duration)
        changes += [(begin, -need), (begin + duration, need)]
        assert_same(profile, changes, now)
        assert min(free_at(changes, time) for time, _ in changes) >= 0


def test_a_job_goes_where_its_whole_duration_fits() -> None:
    """Two of four servers are free now, all from 10 on: a gap of ten seconds is for short jobs."""
    profile = empty_profile(5, 3)
    begin_profile(profile, 0.0, 2)
    release(profile, 10.0, 2)
    assert occupy(profile, 0, 4, 5.0) == 10.0
    assert occupy(profile, 1, 2, 11.0) == 15.0  # into the wall of the first it does not fit
    assert occupy(profile, 1, 2, 10.0) == 0.0
    assert occupy(profile, 2, 1, 0.0) == 15.0  # for no time at all, but servers must be idle
    assert occupy(profile, 1, 2, 3.0) == 15.0
