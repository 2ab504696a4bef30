"""The naive price of a preemption against examples worked by hand from the definition."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.draws import draws

from .fills import Job
from .naive import JobRow
from .preemptive import (
    SERVE,
    Age,
    Outcome,
    empirical_mean_residual,
    empirical_rank,
    naive_preemptive,
    services_of,
)
from .spellings import price_of
from .strategies import Case, plain_cases
from .strategies_preemptive import power_cases, tight_split_cases, whole

Row = tuple[float, float, int, float]  # start, end, preemptions, lost


def rows(policy: str, jobs: list[JobRow], servers: int, cost: str | float) -> list[Row]:
    outcomes = naive_preemptive(policy, jobs, servers, preemption_cost=cost)
    return [(o.start, o.end, o.preemptions, o.lost) for o in outcomes]


def test_prices() -> None:
    prices = {0: 0.0, 1.5: 1.5, "3": 3.0, "2min": 120.0, "50%": 4.0, "150%": 12.0}
    assert {cost: price_of(cost)(8.0) for cost in prices} == prices


# Job 0 is paused at 2 by job 1, goes on at 5, is paused by job 2 and goes on a second later.
TWICE = [(0.0, 1, 10.0), (2.0, 1, 3.0), (8.0, 1, 1.0)]


def test_a_time() -> None:
    # 2: 8 left and 2 to pay. 8: three seconds later 7 left, and 2 more. 9: 9 left.
    assert rows("ff-srpt", TWICE, 1, 2) == [(0, 18, 2, 4), (2, 5, 0, 0), (8, 9, 0, 0)]
    assert rows("ff-srpt", TWICE, 1, 0) == [(0, 14, 2, 0), (2, 5, 0, 0), (8, 9, 0, 0)]


def test_a_share_is_of_all_work_done_and_of_no_price_paid() -> None:
    # 2: 2 done, 8 left and 1 to pay. 8: of three seconds one was paid, so 4 are done, 6 left and 2
    # to pay. 9: 8 left.
    assert rows("ff-srpt", TWICE, 1, "50%") == [(0, 17, 2, 3), (2, 5, 0, 0), (8, 9, 0, 0)]


def test_who_is_paused_while_it_pays_owes_the_rest_and_the_new_price() -> None:
    jobs = [(0.0, 1, 10.0), (2.0, 1, 3.0), (6.0, 1, 1.0)]
    # 2: 8 left and 4 to pay. 6: 8 left, 3 and 4 to pay. 7: 15 left.
    assert rows("ff-srpt", jobs, 1, 4)[0] == (0, 22, 2, 8)
    # 2: 8 left and 2 to pay. 6: 2 are done still, so 8 left, 1 and 2 to pay. 7: 11 left.
    assert rows("ff-srpt", jobs, 1, "100%")[0] == (0, 18, 2, 4)


def test_lost_is_counted_in_servers() -> None:
    jobs = [(0.0, 3, 10.0), (2.0, 4, 3.0)]
    assert rows("msf", jobs, 4, 2) == [(0, 15, 1, 6), (2, 5, 0, 0)]


def test_orders_see_the_grown_remainder() -> None:
    # 2: job 1 (1) pauses job 0, which has 3 left. 3: job 2 has 4.
    jobs = [(0.0, 1, 5.0), (2.0, 1, 1.0), (2.5, 1, 4.0)]
    assert rows("ff-srpt", jobs, 1, 0) == [(0, 6, 1, 0), (2, 3, 0, 0), (6, 10, 0, 0)]
    assert rows("ff-srpt", jobs, 1, 1) == [(0, 7, 1, 1), (2, 3, 0, 0), (7, 11, 0, 0)]  # 4 and 4
    assert rows("ff-srpt", jobs, 1, 1.5) == [(0, 11.5, 1, 1.5), (2, 3, 0, 0), (3, 7, 0, 0)]
    for policy in ("ff-srpt,key=size", "greedy-srpt", "sf-srpt", "df-srpt"):
        assert rows(policy, jobs, 1, 1.5) == rows("ff-srpt", jobs, 1, 1.5)
    # Sizes, on three servers. 2: job 0 has 3 x 2 left and is paused by job 1 with 1 x 3. 3: with a
    # price of 0.5 it has 7, as job 2, against 7.5 of job 3; with a price of 1 it has 8.
    jobs = [(0.0, 2, 5.0), (2.0, 3, 1.0), (2.5, 1, 7.0), (2.5, 2, 3.75)]
    assert [r[:2] for r in rows("ff-srpt,key=size", jobs, 3, 0.5)][2:] == [(3, 10), (6.5, 10.25)]
    assert [r[:2] for r in rows("ff-srpt,key=size", jobs, 3, 1)][2:] == [(3, 10), (3, 6.75)]


def test_whoever_goes_on_pays_nothing() -> None:
    # At 3 job 0 has 7 left as has job 1, and goes on; the price would have made it 17.
    jobs = [(0.0, 1, 10.0), (3.0, 1, 7.0)]
    assert rows("ff-srpt", jobs, 1, 10) == [(0, 10, 0, 0), (10, 17, 0, 0)]


def test_a_pause_at_the_instant_of_the_start_has_the_price_of_any() -> None:
    jobs = [(0.0, 2, 2.0), (0.0, 1, 3.0)]
    assert rows("ff-srpt,key=size", jobs, 2, 1.5) == [(0, 6.5, 1, 3), (0, 3, 0, 0)]
    assert rows("ff-srpt,key=size", jobs, 2, "90%") == [(0, 5, 1, 0), (0, 3, 0, 0)]


def test_gittins_ranks_look_at_work_done() -> None:
    jobs = [(0.0, 1, 5.0), (1.0, 1, 1.0), (2.0, 1, 1.0)]
    rank: list[Age] = [lambda a: 2.0, lambda a: 1.0 + a]
    # 2: job 0 has rank 3 and is paused. 4: it pays until 6. Without a price it ends at 7.
    outcomes = naive_preemptive("sf-gittins", jobs, 1, [1, 0, 0], rank=rank, preemption_cost=2)
    assert [(o.start, o.end, o.lost) for o in outcomes] == [(0, 9, 2), (2, 3, 0), (3, 4, 0)]
    # At 5 it still pays and has the rank of 2 done, 3: job 3 of rank 2 pauses it again.
    jobs.append((5.0, 1, 1.0))
    outcomes = naive_preemptive("sf-gittins", jobs, 1, [1, 0, 0, 0], rank=rank, preemption_cost=2)
    assert outcomes[0] == Outcome(0, 12, False, False, 2, 4)


def test_own_servers_take_a_paused_job_with_what_it_owes() -> None:
    # Class 0: need 1, one slot. Class 1: need 2, no slot. Two helpers. 1: job 2 pauses job 1 (5 to
    # go, 3 to pay) on H. 2: A_0 takes it.
    jobs = [(0.0, 1, 2.0), (0.0, 1, 6.0), (1.0, 2, 2.0)]
    outcomes = naive_preemptive("bs:msf", jobs, 3, slots=[1, 0], preemption_cost=3)
    assert outcomes[1] == Outcome(0, 10, False, True, 1, 3)
    outcomes = naive_preemptive("mbs:msf", jobs, 3, slots=[1, 0], preemption_cost=3)
    assert outcomes[1] == Outcome(0, 11, True, True, 1, 3)


def test_refill_with_the_largest_counts_what_is_owed() -> None:
    # 1: job 2 pauses job 1 on H, with 5 left. 2: A_0 chooses between it and job 3 with 6.
    jobs = [(0.0, 1, 2.0), (0.0, 1, 6.0), (1.0, 2, 9.0), (1.5, 1, 6.0)]
    # Equal sizes: the oldest.
    for cost, (paused, waiting) in ((0, (8, 2)), (1, (2, 8)), (2, (2, 9))):
        outcomes = naive_preemptive(
            "bs:msf,refill=largest", jobs, 3, slots=[1, 0], preemption_cost=cost
        )
        resumed = outcomes[1].end - 5 - cost
        assert (resumed, outcomes[3].start) == (paused, waiting)


# -- properties -----------------------------------------------------------------------------------

COSTS = [0, 1, 3, "0.05min", "50%", "100%", "25%"]
several = draws(60)


def priced(policy: str, case: Case, cost: str | float) -> tuple[list[Outcome], float]:
    """The outcomes, and for how many server seconds servers were busy."""
    seen: list[tuple[float, int]] = []  # decision, servers busy from then on

    def served(present: list[Job], now: float) -> None:
        seen.append((now, sum(job.need for job in present if job.running)))

    services = services_of(case.jobs, case.job_class)
    outcomes = naive_preemptive(
        policy,
        *case[:4],
        rank=[empirical_rank(s) for s in services] if "gittins" in policy else [],
        mean_residual=[empirical_mean_residual(s) for s in services],
        served=served,
        preemption_cost=cost,
    )
    busy = (n * (then - now) for (now, n), (then, _) in itertools.pairwise(seen))
    return outcomes, math.fsum(busy)


def check_conservation(policy: str, case: Case, cost: str | float) -> None:
    outcomes, busy = priced(policy, case, cost)
    work = math.fsum(need * service for _, need, service in case.jobs)
    assert math.isclose(busy, work + math.fsum(o.lost for o in outcomes), rel_tol=1e-9)
    for (arrival, need, service), o in zip(case.jobs, outcomes, strict=True):
        assert o.end - arrival >= service + o.lost / need
        if "%" not in str(cost):
            assert o.lost == pytest.approx(o.preemptions * price_of(cost)(0.0) * need)


@pytest.mark.parametrize("policy", SERVE)
@given(case=st.one_of(plain_cases(), power_cases()), cost=st.sampled_from(COSTS))
@several
def test_work_is_conserved(policy: str, case: Case, cost: str | float) -> None:
    check_conservation(policy, whole(case), cost)


@pytest.mark.parametrize("split", ["bs", "mbs"])
@pytest.mark.parametrize("policy", ["msf", "ff-srpt", "sf-srpt", "sf-gittins", "maxweight", "df"])
@given(case=tight_split_cases(), cost=st.sampled_from(COSTS))
@several
def test_work_is_conserved_in_a_split(
    policy: str, split: str, case: Case, cost: str | float
) -> None:
    check_conservation(f"{split}:{policy}", whole(case), cost)
