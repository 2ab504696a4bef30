"""The naive twin of `backfill` equals what it is said to equal, and keeps what it promises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.draws import draws

from . import backfilling  # noqa: F401 (registers the twins that `backfill` is compared with)
from .guarantees import (
    check_equals_go_in_order,
    check_every_job_starts,
    check_overtaking,
    check_promises,
    run_of,
)
from .naive import classes_of, naive
from .strategies import Case, guessed, plain_cases, split_cases
from .strategies_backfill import KINDS, crowds, spelled_cases
from .strategies_preemptive import whole
from .test_oracle import LONG_SERVERS, long_jobs

pytestmark = pytest.mark.slow

SPLITS = ["", "bs:", "mbs:"]
SAME = {
    "backfill": "easy",
    "backfill,order=arrival,reserve_after=0": "easy",
    "backfill,order=due,patience=0": "easy",
    "backfill,reserve_after=never": "first-fit",
    "backfill,order=area,reserve_after=never": "smallest-area-first",
}

often = draws(150)


def cases(split: str) -> st.SearchStrategy[Case]:
    return guessed(split_cases(modified=split == "mbs:") if split else plain_cases())


# -- points of the family -------------------------------------------------------------------------


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("policy", SAME)
@given(data=st.data())
@often
def test_points_of_the_family(policy: str, split: str, data: st.DataObject) -> None:
    case = data.draw(cases(split))
    assert naive(split + policy, *case) == naive(split + SAME[policy], *case)


@pytest.mark.parametrize("split", SPLITS)
@given(data=st.data())
@often
def test_by_need_a_reservation_holds_nobody_back(split: str, data: st.DataObject) -> None:
    # Whoever comes after a job that does not fit needs as much or more.
    case = data.draw(cases(split))
    expected = naive(f"{split}backfill,order=need,reserve_after=never", *case)
    assert naive(f"{split}backfill,order=need", *case) == expected


@given(case=cases(""))
@often
def test_equal_allowances_are_the_order_of_arrival(case: Case) -> None:
    n = max(classes_of(case.jobs, case.job_class)) + 1
    table = "/".join(["-7"] * n)
    whole_case = whole(case)
    expected = naive("easy", *whole_case)
    assert naive(f"backfill,order=due,allowance={table}", *whole_case) == expected


@pytest.mark.parametrize(("order", "other"), [("need", "time"), ("estimate", "need")])
@given(case=cases(""), reserve_after=st.sampled_from(["0", "4", "never"]))
@often
def test_great_patience_is_the_pure_priority(
    order: str, other: str, case: Case, reserve_after: str
) -> None:
    case = whole(case)
    patient = f"backfill,order=due,patience=20000d,{other}_weight=0,reserve_after={reserve_after}"
    pure = f"backfill,order={order},reserve_after={reserve_after}"
    assert naive(patient, *case) == naive(pure, *case)


# -- what is promised -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@often
def test_promises(kind: str, data: st.DataObject) -> None:
    policy, case = data.draw(spelled_cases(kind))
    outcomes = naive(policy, *case)
    run = run_of(policy, case, [o.start for o in outcomes], [o.end for o in outcomes])
    check_equals_go_in_order(run)
    if run.options.order in ("arrival", "due"):
        check_overtaking(run)
    if case.overruns != "as-recorded":
        check_promises(run)


FINITE = ["0", "3", "10", "0.5min"]
BOUNDED = ["order=arrival", "order=due,allowance=0/9", "order=due,allowance=0/-9"]


@pytest.mark.parametrize("order", [*BOUNDED, "order=due,patience=5", "order=due,patience=1min"])
@given(case=crowds(), reserve_after=st.sampled_from(FINITE))
@often
def test_with_a_reservation_every_job_starts(order: str, case: Case, reserve_after: str) -> None:
    policy = f"backfill,{order},reserve_after={reserve_after}"
    outcomes = naive(policy, *case)
    run = run_of(policy, case, [o.start for o in outcomes], [o.end for o in outcomes])
    check_every_job_starts(run)
    check_promises(run)


LENGTH = 400


@pytest.mark.parametrize("reserve_after", FINITE)
@pytest.mark.parametrize("order", ["order=arrival", "order=due,patience=1min"])
@pytest.mark.parametrize("load", [0.99, 1.2])
def test_promises_at_high_load(load: float, order: str, reserve_after: str) -> None:
    jobs = [(a, n, s + 1) for a, n, s in long_jobs(seed=5, whole=True, load=load)[:LENGTH]]
    policy, case = f"backfill,{order},reserve_after={reserve_after}", Case(jobs, LONG_SERVERS)
    outcomes = naive(policy, *case)
    assert sum(o.start > job[0] for o, job in zip(outcomes, jobs, strict=True)) > LENGTH / 4
    run = run_of(policy, case, [o.start for o in outcomes], [o.end for o in outcomes])
    check_promises(run)
    check_every_job_starts(run)


@pytest.mark.parametrize("policy", ["order=arrival,reserve_after=never", "order=need"])
@given(case=crowds())
@often
def test_without_one_or_behind_all_others_a_job_starts_last(policy: str, case: Case) -> None:
    outcomes = naive(f"backfill,{policy}", *case)
    assert outcomes[1].start == max(o.end for i, o in enumerate(outcomes) if i != 1)
