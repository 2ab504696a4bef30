"""A scheduler's cycle as a change of the jobs, against a scheduler that really waits for ticks."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerowait as zw
from zerowait.experiment.schedules.scheduler_cycle import (
    SchedulerDelays,
    at_decisions,
    draw_jobs,
    predicted_starts,
    with_flaw,
)
from zerowait.model import InputError

JOBS = zw.Jobs([0, 10, 10, 61], [1, 2, 1, 1], [30, 60, 5, 1], estimate=[60, 60, 60, 60])


def naive_fcfs(jobs: zw.Jobs, servers: int, cycle: float, phase: float, hand_over: float) -> list:
    """First come, first served, decided at ticks only: the definition, tick by tick."""
    waiting = list(range(len(jobs)))
    starts: dict[int, float] = {}
    tick = phase
    while waiting:
        busy = sum(
            int(jobs.need[one])
            for one, start in starts.items()
            if start + float(jobs.service[one]) + hand_over > tick + 1e-9
        )
        while waiting and float(jobs.arrival[waiting[0]]) <= tick + 1e-9:
            if busy + int(jobs.need[waiting[0]]) > servers:
                break
            one = waiting.pop(0)
            starts[one] = tick
            busy += int(jobs.need[one])
        tick += cycle
    return [starts[one] for one in range(len(jobs))]


jobs_in_seconds = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 4), st.integers(0, 50)), min_size=1, max_size=25
)


@settings(deadline=None, max_examples=60)
@given(jobs_in_seconds, st.integers(1, 20), st.integers(0, 19), st.integers(0, 15))
def test_fcfs_at_ticks_is_a_replay_of_the_changed_jobs(
    rows: list[tuple[int, int, int]], cycle: int, phase: int, hand_over: int
) -> None:
    gaps, need, service = (list(column) for column in zip(*rows, strict=True))
    jobs = zw.Jobs(np.cumsum(gaps), need, service)
    phase %= cycle
    expected = naive_fcfs(jobs, 4, cycle, phase, hand_over)
    changed = at_decisions(jobs, cycle, phase, float(hand_over))
    rows_of = zw.replay(changed, 4, "fcfs", jobs=True, jit=False).jobs
    assert rows_of is not None
    # A job of no time holds its servers for a cycle: it is seen to end at the next decision.
    if min(service) + hand_over > 0:
        assert rows_of["start"].to_list() == pytest.approx(expected)


def test_times_are_rounded_up_to_decisions() -> None:
    changed = at_decisions(JOBS, 30.0, 5.0, 10.0)
    assert list(changed.arrival) == [5, 35, 35, 65]
    assert list(changed.service) == [60, 90, 30, 30]
    assert list(changed.estimate) == [60, 60, 60, 60]
    assert list(at_decisions(JOBS, 1.0, 0.0, 0.0).service) == list(JOBS.service)


def test_a_very_short_cycle_changes_nothing() -> None:
    tiny = SchedulerDelays((1e-3, 1e-3))
    starts = predicted_starts(JOBS, 2, "easy", tiny, draws=3)
    plain = zw.replay(JOBS, 2, "easy", jobs=True).jobs
    assert plain is not None
    assert np.abs(starts - plain["start"].to_numpy()).max() < 0.01


def test_draws_depend_on_the_seed_alone() -> None:
    delays = SchedulerDelays((10.0, 30.0), (1.0, 5.0, 9.0), (1.0, 2.0), (20.0, 30.0))
    one, same, other = (
        predicted_starts(JOBS, 2, "fcfs", delays, draws=4, seed=seed) for seed in (1, 1, 2)
    )
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
    assert len(np.unique(one, axis=0)) == 4


def test_hand_overs_grow_with_the_need() -> None:
    delays = SchedulerDelays((1.0, 1.0), (5.0,), (10.0, 10.0), (110.0, 110.0))
    jobs = zw.Jobs([0, 0, 0], [1, 6, 11], [100, 100, 100])
    changed = draw_jobs(jobs, 11, delays, np.random.default_rng(1))
    assert list(changed.service) == [115, 165, 215]


def test_the_flaw_is_for_policies_that_reserve() -> None:
    assert with_flaw("easy", 0).spec == "easy"
    assert with_flaw("fcfs", 1).spec == "fcfs"
    assert with_flaw("first-fit", 1).spec == "first-fit"


@pytest.mark.parametrize(
    ("idle", "spare", "starting"),
    [(2, 2, [1]), (2, 4, [1]), (3, 4, [1, 2]), (1, 3, [])],
)
def test_one_idle_server_too_many_is_reserved(idle: int, spare: int, starting: list[int]) -> None:
    """Long jobs of 1, 2, ... servers behind a head that leaves `spare` of eight over, `idle` of
    them idle now: as seen on Slurm 22.05.8."""
    found = []
    for need in range(1, idle + 1):
        jobs = zw.Jobs([0, 1, 2], [8 - idle, 8 - spare, need], [100, 10, 500])
        delays = SchedulerDelays((1e-3, 1e-3), over_reserve=1)
        starts = predicted_starts(jobs, 8, "easy", delays, draws=1)[0]
        if starts[2] < 3:
            found.append(need)
    assert found == starting


@pytest.mark.parametrize(
    "wrong",
    [{"cycle": (0.0, 1.0)}, {"cycle": (2.0, 1.0)}, {"cycle": (1.0, math.inf)},
     {"cycle": (1.0, 1.0), "start_up": (-1.0,)}, {"cycle": (1.0, 1.0), "start_up": ()},
     {"cycle": (1.0, 1.0), "release_all": (3.0, 2.0)},
     {"cycle": (1.0, 1.0), "over_reserve": -1}],
)  # fmt: skip
def test_delays_that_cannot_be(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        SchedulerDelays(**wrong)  # type: ignore[arg-type]
