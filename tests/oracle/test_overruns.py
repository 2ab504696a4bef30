"""Rules for jobs that outrun their estimates: the engine equals the naive twins under each."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerowait as zw
from tests.draws import draws

from .backfilling import PLAIN as GAP_FILLERS
from .measures import naive_measures
from .naive import naive
from .overruns import RULES, settle
from .preemptive import naive_preemptive
from .replaying import columns, jobs_of, replay
from .strategies import Case, guessed, plain_cases, split_cases
from .strategies_preemptive import tight_split_cases
from .test_backfill_family import LENGTH, wild_case

pytestmark = pytest.mark.slow

PLAIN = ["fcfs", "first-fit", *GAP_FILLERS]
SPLIT = [f"{split}:{auxiliary}" for split in ("bs", "mbs") for auxiliary in PLAIN]
PREEMPTIVE = ["msf", "lsf", "ff-srpt", "greedy-srpt", "maxweight", "sf", "sf-srpt"]

exactly = draws(150)
fewer = draws(60)


def check_jobs(policy: str, case: Case) -> None:
    """The reported service is the one that was had."""
    settled, _ = settle(case.overruns, case.jobs, case.estimates)
    services = [service for _, _, service in settled]
    outcomes = naive(policy, *case)
    expected = [(s, o.start, o.end, o.helpers) for s, o in zip(services, outcomes, strict=True)]
    assert columns(replay(policy, case), ("service", "start", "end", "helpers")) == expected


@pytest.mark.parametrize("policy", PLAIN)
@given(data=st.data())
@exactly
def test_jobs(policy: str, data: st.DataObject) -> None:
    check_jobs(policy, data.draw(guessed(plain_cases())))


@pytest.mark.parametrize("policy", SPLIT)
@given(data=st.data())
@fewer
def test_jobs_of_a_split(policy: str, data: st.DataObject) -> None:
    cases = st.one_of(split_cases(modified=policy.startswith("mbs")), tight_split_cases())
    check_jobs(policy, data.draw(guessed(cases)))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("policy", PLAIN + SPLIT)
def test_longer_runs(policy: str, rule: str) -> None:
    check_jobs(policy, wild_case(split=policy in SPLIT, rule=rule))


@pytest.mark.parametrize("policy", ["easy", "conservative", "smallest-area-first"])
def test_longer_runs_prove_something(policy: str) -> None:
    """Each rule makes another run of it: without an engine."""
    outcomes = [naive(policy, *wild_case(split=False, rule=rule)) for rule in RULES]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        differing = sum(a != b for a, b in zip(outcomes[one], outcomes[other], strict=True))
        assert differing > LENGTH / 20


@pytest.mark.parametrize("policy", PREEMPTIVE)
@given(case=guessed(plain_cases()))
@fewer
def test_preemptive_policies_have_services_cut_too(policy: str, case: Case) -> None:
    settled, _ = settle(case.overruns, case.jobs, case.estimates)
    outcomes = naive_preemptive(policy, settled, case.servers, case.job_class)
    expected = [(o.start, o.end, o.preemptions) for o in outcomes]
    assert columns(replay(policy, case), ("start", "end", "preemptions")) == expected


@pytest.mark.parametrize("rule", RULES)
def test_measures_are_of_the_service_that_was_had(rule: str) -> None:
    case = wild_case(split=False, rule=rule)
    settled, _ = settle(case.overruns, case.jobs, case.estimates)
    expected, _ = naive_measures(settled, naive("easy", *case), case.servers)
    actual = replay("easy", case).overall
    for name in ("response", "wait", "slowdown", "bounded_slowdown"):
        theirs, ours = getattr(actual, name), getattr(expected, name)
        assert math.isclose(theirs.mean, ours.mean, rel_tol=1e-9)
    assert math.isclose(actual.utilisation, expected.utilisation, rel_tol=1e-9)


@pytest.mark.parametrize("policy", ["easy", "conservative", "smallest-area-first"])
def test_extend_is_the_default(policy: str) -> None:
    case = wild_case(split=False, rule="extend")
    result = zw.replay(jobs_of(case), servers=case.servers, policy=policy, jobs=True)
    expected = [(o.start, o.end) for o in naive(policy, *case)]
    assert columns(result, ("start", "end")) == expected


def test_a_reservation_of_no_time_at_all_may_be_lost() -> None:
    """The job of no service (need 4) could start at 3, but holds no servers then: the last one
    takes one of them at 1. At 4 it is the turn of the job before it, at 5 its own."""
    jobs = [
        (0.0, 1, 3.0), (0.0, 4, 1.0), (0.0, 4, 3.0), (0.0, 5, 4.0), (1.0, 1, 0.0), (1.0, 4, 1.0),
        (1.0, 5, 1.0), (1.0, 4, 0.0), (1.0, 1, 3.0),
    ]  # fmt: skip
    case = Case(jobs, 13, [0] * len(jobs), None, None, "extend")
    check_jobs("conservative", case)
    assert columns(replay("conservative", case), ("start",))[7] == (5.0,)
