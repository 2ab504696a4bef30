"""With a price of preemption the engine equals the naive simulator, and no work is lost unseen."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.draws import draws

from .naive import classes_of
from .preemptive import (
    Outcome,
    empirical_mean_residual,
    empirical_rank,
    naive_preemptive,
    services_of,
)
from .replaying import columns, replay
from .strategies import Case, plain_cases
from .test_preemptive import (
    LONG,
    PREEMPTIVE,
    REFILL,
    SPLIT,
    cases_of,
    long_case,
    split_cases_of,
    uses_ages,
)

pytestmark = pytest.mark.slow

Cost = str | float

# Whole seconds, which are full of ties, stay whole under these. Under others rounding would break
# the ties (a price of 3.6 s at a Unix time is a multiple of 2^-22 s), and no two simulators agree.
# Ranks, too, are exact at whole ages only.
WHOLE_COSTS: list[Cost] = [1, 3.0, "2", "1min", "100%", "200%"]
COSTS: list[Cost] = [*WHOLE_COSTS, 0.5, 0.1, "0.05min", "0.001h", "10%", "50%", "12.5%"]

exactly = draws(400)
fewer = draws(160)


@st.composite
def priced(draw: st.DrawFn, cases: st.SearchStrategy[Case]) -> tuple[Case, Cost]:
    """Cases, and a price that leaves whole seconds whole."""
    case = draw(cases)
    is_whole = all(
        arrival.is_integer() and service.is_integer() for arrival, _, service in case.jobs
    )
    return case, draw(st.sampled_from(WHOLE_COSTS if is_whole else COSTS))


def expect(policy: str, case: Case, cost: Cost) -> list[Outcome]:
    services = services_of(case.jobs, case.job_class)
    ranks = [empirical_rank(s) for s in services] if "gittins" in policy else []
    residuals = [empirical_mean_residual(s) for s in services]
    return naive_preemptive(
        policy, *case[:4], rank=ranks, mean_residual=residuals, preemption_cost=cost
    )


def mean_lost(outcomes: list[Outcome]) -> float:
    return math.fsum(o.lost for o in outcomes) / len(outcomes)


def assert_same(result: Any, case: Case, expected: list[Outcome]) -> None:
    actual = columns(result, ("start", "end", "helpers", "preemptions"))
    assert actual == [(o.start, o.end, o.helpers, o.preemptions) for o in expected]
    assert math.isclose(result.overall.lost, mean_lost(expected), rel_tol=1e-9)
    classes = classes_of(case.jobs, case.job_class)
    for number, measures in enumerate(result.classes):
        own = [o for o, c in zip(expected, classes, strict=True) if c == number]
        assert math.isclose(measures.lost, mean_lost(own), rel_tol=1e-9)


def check(policy: str, case: Case, cost: Cost) -> None:
    result = replay(policy, case, preemption_cost=cost)
    assert_same(result, case, expect(policy, case, cost))


# -- job by job -----------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", PREEMPTIVE)
@given(data=st.data())
@exactly
def test_jobs(policy: str, data: st.DataObject) -> None:
    check(policy, *data.draw(priced(cases_of(policy))))


@pytest.mark.parametrize("policy", ["sf-gittins", "df-gittins"])
def test_an_arrival_finds_its_place_beside_a_job_that_has_paid(policy: str) -> None:
    """It has aged since the last event; the line of those that wait is sorted by ranks of then."""
    # Class, arrival, need, service.
    rows = [
        (2, 0.0, 2, 2.0), (0, 0.0, 8, 3.0), (0, 5.0, 8, 1.0), (0, 5.0, 2, 0.0), (1, 5.0, 2, 3.0),
        (1, 5.0, 2, 1.0), (0, 5.0, 2, 1.0), (0, 6.0, 2, 0.0), (0, 6.0, 2, 1.0), (0, 7.0, 4, 3.0),
        (2, 8.0, 2, 1.0), (0, 8.0, 2, 4.0), (0, 9.0, 2, 4.0), (0, 16.0, 2, 2.0), (1, 16.0, 2, 1.0),
        (0, 18.0, 2, 4.0), (2, 19.0, 2, 7.0), (0, 19.0, 2, 5.0), (1, 25.0, 2, 0.0),
    ]  # fmt: skip
    classes = [job_class for job_class, *_ in rows]
    check(policy, Case([(*row,) for _, *row in rows], 8, classes), 3.0)


@pytest.mark.parametrize("policy", SPLIT + REFILL)
@given(data=st.data())
@fewer
def test_jobs_of_a_split(policy: str, data: st.DataObject) -> None:
    check(policy, *data.draw(priced(split_cases_of(policy))))


@pytest.mark.parametrize("policy", PREEMPTIVE)
@given(data=st.data())
@fewer
def test_a_price_of_zero_changes_nothing(policy: str, data: st.DataObject) -> None:
    case = data.draw(cases_of(policy))
    cost = data.draw(st.sampled_from([0, 0.0, "0min", "0%"]))
    names = ("start", "end", "helpers", "preemptions")
    result = replay(policy, case, preemption_cost=cost)
    assert columns(result, names) == columns(replay(policy, case), names)
    assert result.overall.lost == 0


@pytest.mark.parametrize("policy", ["fcfs", "first-fit", "easy", "maxweight-myopic"])
@given(case=plain_cases(), cost=st.sampled_from(COSTS))
@fewer
def test_nonpreemptive_policies_pay_no_price(policy: str, case: Case, cost: Cost) -> None:
    result = replay(policy, case, preemption_cost=cost)
    assert columns(result, ("start", "end")) == columns(replay(policy, case), ("start", "end"))
    assert result.overall.lost == 0


# -- long, loaded runs ----------------------------------------------------------------------------


def long_cost(policy: str, share: bool) -> Cost:
    return ("100%" if uses_ages(policy) else "15%") if share else 2


@pytest.mark.parametrize("share", [False, True], ids=["time", "share"])
@pytest.mark.parametrize("policy", [*PREEMPTIVE, "bs:msf", "bs:sf-srpt", "mbs:ff-srpt"])
def test_long_runs(policy: str, share: bool) -> None:
    case = long_case(policy, seed=7, whole_seconds=uses_ages(policy), binned=False)
    cost = long_cost(policy, share)
    expected = expect(policy, case, cost)
    assert sum(o.preemptions for o in expected) > LONG / 20  # or it would prove little
    result = replay(policy, case, preemption_cost=cost)
    assert_same(result, case, expected)

    # Conservation: servers are busy with the work of the jobs, and with what was lost.
    arrival = case.jobs[0][0]
    horizon = max(o.end for o in expected) - arrival
    work = math.fsum(need * service for _, need, service in case.jobs)
    lost = math.fsum(o.lost for o in expected)
    busy = result.overall.utilisation * case.servers * horizon
    assert math.isclose(busy, work + lost, rel_tol=1e-9)

    # A wait is all that the job's own service does not account for.
    waits = [o.end - a - s for o, (a, _, s) in zip(expected, case.jobs, strict=True)]
    assert math.isclose(result.overall.wait.mean, math.fsum(waits) / len(waits), rel_tol=1e-9)
