"""The profile of idle servers against a list of all seconds."""

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

SERVERS = 8
HORIZON = 200


def seconds(profile: Profile) -> list[int]:
    """Idle servers in each second from the start of the profile on."""
    n_steps = int(profile.n_steps[0])
    times = [int(time) for time in profile.times[:n_steps]]
    assert times == sorted(set(times))
    ends = [*times[1:], HORIZON]
    idle = [profile.free[i] for i in range(n_steps) for _ in range(times[i], ends[i])]
    return [int(one) for one in idle]


@given(
    running=st.lists(st.tuples(st.integers(1, 3), st.integers(1, 20)), max_size=4),
    asked=st.lists(st.tuples(st.integers(1, SERVERS), st.integers(0, 12)), max_size=8),
    passing=st.integers(0, 30),
)
def test_each_gets_the_earliest_gap(
    running: list[tuple[int, int]], asked: list[tuple[int, int]], passing: int
) -> None:
    running = sorted(running, key=lambda one: one[1])
    while sum(need for need, _ in running) > SERVERS:
        running.pop()
    profile = empty_profile(len(running) + len(asked))
    begin_profile(profile, 0.0, SERVERS - sum(need for need, _ in running))
    for need, end in running:
        release(profile, float(end), need)
    idle = [SERVERS - sum(need for need, end in running if end > t) for t in range(HORIZON)]
    assert seconds(profile) == idle
    for need, duration in asked:
        fits = (
            t
            for t in range(HORIZON)
            if all(idle[s] >= need for s in range(t, t + max(duration, 1)))
        )
        begin = next(fits)
        assert occupy(profile, need, float(duration)) == begin
        for second in range(begin, begin + duration):
            idle[second] -= need
        assert seconds(profile) == idle
    pass_time(profile, float(passing))
    assert seconds(profile) == idle[passing:]
