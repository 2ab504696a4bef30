"""`backfill` equals its naive twin, is what it is said to be, and keeps what it promises."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerowait as zw
from tests.draws import draws

from . import backfill  # noqa: F401 (registers the twin)
from .guarantees import (
    Run,
    check_equals_go_in_order,
    check_every_job_starts,
    check_overtaking,
    check_promises,
    run_of,
    stream_of_small_jobs,
)
from .naive import naive
from .overruns import RULES
from .replaying import columns, replay
from .strategies import Case, guessed, plain_cases, split_cases
from .strategies_backfill import KINDS, crowds, spelled_cases
from .strategies_preemptive import whole
from .test_oracle import LONG_SERVERS, long_case, long_jobs

pytestmark = pytest.mark.slow

SPLITS = ["bs", "mbs"]

exactly = draws(300)
fewer = draws(100)


def check_jobs(policy: str, case: Case) -> None:
    expected = [(o.start, o.end, o.helpers) for o in naive(policy, *case)]
    assert columns(replay(policy, case), ("start", "end", "helpers")) == expected


# -- job by job -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@exactly
def test_jobs(kind: str, data: st.DataObject) -> None:
    check_jobs(*data.draw(spelled_cases(kind)))


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@fewer
def test_jobs_of_a_split(kind: str, split: str, data: st.DataObject) -> None:
    check_jobs(*data.draw(spelled_cases(kind, split)))


# -- long, loaded runs ----------------------------------------------------------------------------

LENGTH = 300
FOUR_DUE = "order=due,allowance=0/1min/-20/40/-0.5min"  # by need
LONG = {
    "arrival": "reserve_after=20",
    "need": "order=need,reserve_after=0.5min",
    "estimate": "order=estimate",
    "area": "order=area,reserve_after=100",
    "table": f"{FOUR_DUE},reserve_after=10",
    "formula": "order=due,patience=0.5min,need_weight=2,time_weight=0.5,reserve_after=30",
    "by class": "order=due,patience=1min,by=class,reserve_after=5",
    "never": "order=due,patience=30,reserve_after=never",
}


def wild_case(split: bool, rule: str) -> Case:
    """Estimates up to four times too long or three times too short, in classes by need."""
    case = long_case(seed=7, whole=False, binned=False, load=0.95)
    rng = random.Random(11)
    jobs = case.jobs[:LENGTH]
    estimates = [service * rng.choice([0.3, 1.0, 1.0, 4.0]) for _, _, service in jobs]
    return Case(jobs, case.servers, None, case.slots if split else None, estimates, rule)


@pytest.mark.parametrize("split", ["", "bs:", "mbs:"])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("order", LONG)
def test_longer_runs(order: str, rule: str, split: str) -> None:
    case = wild_case(bool(split), rule)
    check_jobs(f"{split}backfill,{LONG[order]}", whole(case) if order == "by class" else case)


@pytest.mark.parametrize("order", LONG)
def test_longer_runs_prove_something(order: str) -> None:
    """Jobs wait, and not as under another order: without an engine."""
    case = wild_case(split=False, rule="extend")
    outcomes = naive(f"backfill,{LONG[order]}", *case)
    waits = sum(o.start > arrival for o, (arrival, _, _) in zip(outcomes, case.jobs, strict=True))
    assert waits > LENGTH / 5
    for other in (name for name in LONG if name != order):
        assert naive(f"backfill,{LONG[other]}", *case) != outcomes


# -- points of the family, bit for bit ------------------------------------------------------------

POINTS = {
    "backfill": "easy",
    "backfill,order=arrival,reserve_after=0": "easy",
    "backfill,order=due,patience=0": "easy",
    "backfill,reserve_after=never": "first-fit",
    "backfill,order=area,reserve_after=never": "smallest-area-first",
    # Whoever comes after a job that does not fit needs as much or more: none is held back.
    "backfill,order=need,reserve_after=0": "backfill,order=need,reserve_after=never",
}
ALL = ("arrival", "need", "service", "job_class", "start", "end", "helpers")


@pytest.mark.parametrize("split", ["", "bs:", "mbs:"])
@pytest.mark.parametrize("policy", POINTS)
@given(data=st.data())
@fewer
def test_points(policy: str, split: str, data: st.DataObject) -> None:
    case = data.draw(guessed(split_cases(modified=split == "mbs:") if split else plain_cases()))
    ours, theirs = replay(split + policy, case), replay(split + POINTS[policy], case)
    assert columns(ours, ALL) == columns(theirs, ALL)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("policy", POINTS)
def test_points_in_long_runs(policy: str, rule: str) -> None:
    jobs = long_jobs(seed=3, whole=False, load=0.97)
    rng = random.Random(5)
    estimates = [service * rng.choice([0.5, 1.0, 3.0]) for _, _, service in jobs]
    case = Case(jobs, LONG_SERVERS, estimates=estimates, overruns=rule)
    ours, theirs = replay(policy, case), replay(POINTS[policy], case)
    assert columns(ours, ALL) == columns(theirs, ALL)
    assert ours.overall == theirs.overall


@pytest.mark.parametrize("policy", POINTS)
def test_points_in_simulations(policy: str) -> None:
    workload = zw.workloads.figure1(servers=256)
    ours, theirs = (
        zw.simulate(
            workload, servers=256, load=0.9, policy=p, arrivals=30_000, seed=1, replications=1
        )
        for p in (policy, POINTS[policy])
    )
    assert ours.overall == theirs.overall
    assert ours.classes == theirs.classes


# -- what is promised -----------------------------------------------------------------------------


def run(policy: str, case: Case) -> Run:
    result: Any = replay(policy, case)
    return run_of(policy, case, list(result.jobs["start"]), list(result.jobs["end"]))


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@fewer
def test_promises(kind: str, data: st.DataObject) -> None:
    policy, case = data.draw(spelled_cases(kind))
    outcome = run(policy, case)
    check_equals_go_in_order(outcome)
    if outcome.options.order in ("arrival", "due"):
        check_overtaking(outcome)
    if case.overruns != "as-recorded":
        check_promises(outcome)


BOUNDED = ["order=arrival", "order=due,allowance=0/9", "order=due,patience=1min"]
FINITE = ["0", "3", "10", "0.5min"]


@pytest.mark.parametrize("order", BOUNDED)
@given(case=crowds(), reserve_after=st.sampled_from(FINITE))
@fewer
def test_with_a_reservation_every_job_starts(order: str, case: Case, reserve_after: str) -> None:
    outcome = run(f"backfill,{order},reserve_after={reserve_after}", case)
    check_every_job_starts(outcome)
    check_promises(outcome)


@pytest.mark.parametrize("reserve_after", FINITE)
@pytest.mark.parametrize("order", ["order=arrival", FOUR_DUE, "order=due,patience=1min"])
@pytest.mark.parametrize("load", [0.99, 1.2])
def test_promises_at_high_load(load: float, order: str, reserve_after: str) -> None:
    jobs = [(a, n, s + 1) for a, n, s in long_jobs(seed=5, whole=True, load=load)]
    outcome = run(f"backfill,{order},reserve_after={reserve_after}", Case(jobs, LONG_SERVERS))
    check_promises(outcome)
    check_every_job_starts(outcome)


@pytest.mark.parametrize("n", [10, 10_000])
def test_without_a_reservation_a_large_job_waits_for_the_whole_stream(n: int) -> None:
    case = Case(stream_of_small_jobs(n), 2)
    large = {
        policy: replay(f"backfill,{policy}", case).jobs["start"][1]
        for policy in ("reserve_after=0", "reserve_after=10", "reserve_after=never", "order=need")
    }
    assert large == {
        "reserve_after=0": 3,
        "reserve_after=10": 13,
        "reserve_after=never": 2 * n + 1,
        "order=need": 2 * n + 1,
    }
