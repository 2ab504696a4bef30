"""Audits of schedules: nothing against the rules in a replay, everything in a broken one."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerowait as zw
from zerowait.experiment.schedules.order_audit import Schedule, SchedulerRules, passings

ROWS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 5), st.integers(1, 60), st.integers(0, 90)),
    min_size=1,
    max_size=30,
)
SERVERS = 5
POLICIES = {
    "easy": SchedulerRules(),
    "first-fit": SchedulerRules(reserve_after=math.inf),
    "fcfs": SchedulerRules(backfills=False),
}


def schedule_of(jobs: zw.Jobs, policy: str, by: str = "arrival") -> Schedule:
    rows = zw.replay(jobs, SERVERS, policy, jobs=True, jit=False).jobs
    assert rows is not None
    arrival, need, estimate = (
        np.asarray(column) for column in (jobs.arrival, jobs.need, jobs.estimate)
    )
    base = arrival if by == "arrival" else need * estimate
    # Equal keys by arrival: whole seconds leave room for the order of the stream.
    key = base + np.arange(len(jobs)) / 1000
    start, end = rows["start"].to_numpy(), rows["end"].to_numpy()
    return Schedule(SERVERS, arrival, need, estimate, key, start, end, end)


def jobs_of(rows: list[tuple[int, int, int, int]]) -> zw.Jobs:
    gaps, need, service, more = (np.array(column) for column in zip(*rows, strict=True))
    return zw.Jobs(np.cumsum(gaps), need, service, estimate=service + more)


@settings(deadline=None, max_examples=60)
@given(ROWS, st.sampled_from(sorted(POLICIES)))
def test_replays_break_no_rule(rows: list[tuple[int, int, int, int]], policy: str) -> None:
    found = passings(schedule_of(jobs_of(rows), policy), POLICIES[policy])
    assert [one for one in found if not one.allowed] == []


@settings(deadline=None, max_examples=40)
@given(ROWS)
def test_replays_by_area_break_no_rule(rows: list[tuple[int, int, int, int]]) -> None:
    schedule = schedule_of(jobs_of(rows), "smallest-area-first", by="area")
    found = passings(schedule, SchedulerRules(reserve_after=math.inf))
    assert [one for one in found if not one.allowed] == []


def made(rows: list[tuple[float, int, float, float, float]]) -> Schedule:
    """Arrival, need, estimate, start, end; keys are arrivals."""
    columns = [np.array(column, float) for column in zip(*rows, strict=True)]
    arrival, need, estimate, start, end = columns
    return Schedule(SERVERS, arrival, need.astype(int), estimate, arrival, start, end, end)


BLOCKER = (0.0, 4, 100.0, 0.0, 100.0)  # one server stays idle until 100


@pytest.mark.parametrize(
    ("rows", "rules", "expected"),
    [
        # A later job passes one that does not fit.
        ([BLOCKER, (1, 5, 50, 100, 150), (2, 1, 50, 10, 60)], SchedulerRules(), [(2, 1, True)]),
        # It passes one that fits.
        ([BLOCKER, (1, 1, 50, 60, 110), (2, 1, 50, 10, 60)], SchedulerRules(), [(2, 1, False)]),
        # It fits, but delays the one with the reservation, which starts at 210 instead of 100.
        ([BLOCKER, (1, 5, 50, 210, 260), (2, 1, 200, 10, 210)], SchedulerRules(), [(2, 1, False)]),
        # The same before a reservation is due.
        ([BLOCKER, (1, 5, 50, 210, 260), (2, 1, 200, 10, 210)], SchedulerRules(reserve_after=1000),
         [(2, 1, True)]),
        # A long job is held back by the reservation, a short one behind it is not.
        ([BLOCKER, (1, 5, 50, 100, 150), (2, 1, 200, 150, 350), (3, 1, 50, 10, 60)],
         SchedulerRules(), [(3, 1, True), (3, 2, True)]),
        # First come, first served: nobody passes.
        ([BLOCKER, (1, 5, 50, 100, 150), (2, 1, 50, 10, 60)], SchedulerRules(backfills=False),
         [(2, 1, False)]),
        # Within the scheduler's cycle two starts are at once.
        ([BLOCKER, (1, 1, 50, 15, 65), (2, 1, 50, 10, 15)], SchedulerRules(tolerance=5), []),
    ],
)  # fmt: skip
def test_passings_by_hand(
    rows: list[tuple[float, int, float, float, float]],
    rules: SchedulerRules,
    expected: list[tuple[int, int, bool]],
) -> None:
    found = [(one.job, one.passed, one.allowed) for one in passings(made(rows), rules)]
    assert found == expected


@pytest.mark.parametrize(
    ("played", "n_least"), [("easy", 0), ("first-fit", 3), ("smallest-area-first", 3)]
)
def test_schedules_of_other_policies_break_the_rules(played: str, n_least: int) -> None:
    """Of EASY, although what happens within a tenth of a mean service counts as at once."""
    rng = np.random.default_rng(7)
    service = rng.exponential(100, 300)
    jobs = zw.Jobs(
        np.cumsum(rng.exponential(60, 300)), rng.integers(1, SERVERS + 1, 300), service,
        estimate=service * rng.uniform(1, 3, 300),
    )  # fmt: skip
    found = passings(schedule_of(jobs, played), SchedulerRules(tolerance=10.0))
    broken = [one for one in found if not one.allowed]
    assert len(broken) >= n_least
    assert bool(broken) == bool(n_least)


@pytest.mark.parametrize(
    ("head", "passed", "is_allowed"), [(3, 2, [False, True]), (4, 1, [False, False])]
)
def test_an_idle_server_may_be_reserved_without_need(
    head: int, passed: int, is_allowed: list[bool]
) -> None:
    """Two servers are idle, three busy. A head of three needs no idle one and has one all the
    same: a long job of two waits while a short one starts. A head of four needs the one it has."""
    rows = [(0.0, 3, 100.0, 0.0, 100.0), (1, head, 50, 100, 150), (2, passed, 200, 100, 300),
            (3, 1, 50, 10, 60)]  # fmt: skip
    found = [
        one.allowed
        for n in (0, 1)
        for one in passings(made(rows), SchedulerRules(over_reserve=n))
        if one.passed == 2
    ]
    assert found == is_allowed


def test_the_server_too_many_is_an_idle_one() -> None:
    """By the time of the reservation four servers are left over, but one alone is idle now."""
    rows = [(0.0, 4, 100.0, 0.0, 100.0), (1, 2, 50, 100, 150), (2, 1, 200, 100, 300),
            (3, 1, 50, 10, 60)]  # fmt: skip
    found = passings(made(rows), SchedulerRules(over_reserve=1))
    assert [(one.passed, one.allowed) for one in found] == [(1, True), (2, True)]


DELAYING = (2.0, 1, 200.0, 10.0, 210.0)


@pytest.mark.parametrize(
    "rows",
    [
        # Whoever delays it starts on servers whose job ended less than a cycle before.
        [(0, 3, 100, 0, 100), (0, 1, 300, 0, 8), (1, 4, 50, 100, 150), DELAYING],
        # Another, which goes before them both, started less than a cycle before: it is late now.
        [(0, 2, 100, 0, 100), (1, 5, 50, 308, 358), (0.5, 2, 300, 8, 308), DELAYING],
        # Less than a cycle after the time of the reservation there are servers for both.
        [(0, 2, 100, 0, 100), (0, 2, 103, 0, 103), (1, 3, 50, 103, 153), DELAYING],
    ],
)
def test_doubtful_starts_break_no_rule(
    rows: list[tuple[float, int, float, float, float]],
) -> None:
    assert all(one.allowed for one in passings(made(rows), SchedulerRules(tolerance=5.0)))
    late = [BLOCKER, (1, 5, 50, 250, 300), (2, 1, 200, 30, 230)]
    assert not all(one.allowed for one in passings(made(late), SchedulerRules(tolerance=5.0)))


def test_a_job_that_may_delay_the_reservation_is_rightly_held_back() -> None:
    """If the second has ended, three servers are idle by 50, none to spare, and the long third has
    to wait; if it has not, four are by 100, one to spare."""
    for end, is_allowed in ((8, True), (60, False)):
        rows = [(0, 1, 50, 0, 50), (0, 1, 300, 0, end), (0, 2, 100, 0, 100), (1, 3, 50, 60, 110),
                (2, 1, 500, 100, 600), (3, 1, 30, 10, 40)]  # fmt: skip
        found = passings(made(rows), SchedulerRules(tolerance=5.0))
        assert {one.passed: one.allowed for one in found} == {3: True, 4: is_allowed}


def test_several_jobs_may_hold_the_reservation() -> None:
    """The second goes first, and is as old as it takes within the tolerance; the last delays the
    other alone."""
    schedule = made([BLOCKER, (20, 2, 50, 100, 150), (0, 5, 50, 230, 280), (25, 1, 200, 30, 230)])
    schedule = Schedule(**vars(schedule) | {"key": np.array([0.0, 1.0, 2.0, 3.0])})
    doubtful, certain = (
        passings(schedule, SchedulerRules(reserve_after=12.0, tolerance=slack))
        for slack in (5.0, 0.5)
    )
    assert all(one.allowed for one in doubtful)
    assert [(one.job, one.passed) for one in certain if not one.allowed] == [(3, 2)]


def test_lines_of_their_own_do_not_pass_each_other() -> None:
    rows = [BLOCKER, (1, 1, 50, 60, 110), (2, 1, 50, 10, 60)]
    schedule = made(rows)
    apart = Schedule(**vars(schedule) | {"line": np.array([0, 0, 1])})
    assert passings(apart, SchedulerRules(backfills=False)) == []
    assert len(passings(schedule, SchedulerRules(backfills=False))) == 1
