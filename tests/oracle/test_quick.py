"""Every policy equals its naive twin on a loaded list of jobs: the oracle's part of `make check`.

In plain Python, so that a change to the engine waits for no compiler. A policy that has a twin in
one of the tables is here by itself. The other files draw many small lists, and compile.
"""

from typing import Any

import pytest

import zerowait as zw

from . import naive, preemptive
from .backfilling import PLAIN as GAP_FILLERS
from .measures import naive_measures
from .naive import classes_of
from .overruns import RULES
from .replaying import columns, jobs_of
from .strategies import Case
from .test_backfill_family import LONG, wild_case
from .test_oracle import assert_same_measures
from .test_preemptive import REFILL, SPLIT, clocks_of, long_case
from .test_priced_preemption import assert_same, expect

N_JOBS = 150
FAMILY = [f"backfill,{options}" for options in LONG.values()]
NONPREEMPTIVE = [*naive.SERVE, *naive.TIMED, *FAMILY]
PREEMPTIVE = [name for name in preemptive.SERVE if name not in naive.SERVE]


def guessed_case(policy: str, rule: str) -> Case:
    """Jobs with estimates too short and too long."""
    case = wild_case(split=":" in policy, rule=rule)
    assert case.estimates is not None
    return case._replace(jobs=case.jobs[:N_JOBS], estimates=case.estimates[:N_JOBS])


def replay(policy: str, case: Case, **options: Any) -> Any:
    slots = "" if case.slots is None else f",slots={'/'.join(map(str, case.slots))}"
    return zw.replay(
        jobs_of(case),
        servers=case.servers,
        policy=policy + slots,
        overruns=case.overruns,
        jobs=True,
        jit=False,
        **options,
    )


@pytest.mark.parametrize("split", ["", "bs:", "mbs:"])
@pytest.mark.parametrize("policy", NONPREEMPTIVE)
def test_policies_that_never_pause(policy: str, split: str) -> None:
    case = guessed_case(split + policy, "extend")
    expected = [(o.start, o.end, o.helpers) for o in naive.naive(split + policy, *case)]
    assert columns(replay(split + policy, case), ("start", "end", "helpers")) == expected


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("policy", GAP_FILLERS)
def test_estimates_that_are_too_short(policy: str, rule: str) -> None:
    case = guessed_case(policy, rule)
    expected = [(o.start, o.end) for o in naive.naive(policy, *case)]
    assert columns(replay(policy, case), ("start", "end")) == expected


@pytest.mark.parametrize("cost", [0, 2])
@pytest.mark.parametrize(("policy", "whole_seconds"), clocks_of(PREEMPTIVE))
def test_policies_that_pause(policy: str, whole_seconds: bool, cost: float) -> None:
    check_pauses(policy, whole_seconds, cost)


@pytest.mark.parametrize(("policy", "whole_seconds"), clocks_of(SPLIT + REFILL))
def test_splits_with_auxiliaries_that_pause(policy: str, whole_seconds: bool) -> None:
    check_pauses(policy, whole_seconds, 0)


def check_pauses(policy: str, whole_seconds: bool, cost: float) -> None:
    n_jobs = N_JOBS // 2 if "gittins" in policy else N_JOBS  # ranks take long in plain Python
    case = long_case(policy, 3, whole_seconds, binned=False)
    case = case._replace(jobs=case.jobs[:n_jobs])
    assert_same(replay(policy, case, preemption_cost=cost), case, expect(policy, case, cost))


@pytest.mark.parametrize("policy", ["first-fit", "bs:first-fit"])
def test_measures(policy: str) -> None:
    case = guessed_case(policy, "extend")
    outcomes = naive.naive(policy, *case)
    overall, per_class = naive_measures(case.jobs, outcomes, case.servers)
    result = replay(policy, case)
    longest = max(service for _, _, service in case.jobs)
    assert len(result.classes) == max(classes_of(case.jobs, None)) + 1
    for actual, expected in zip(
        [result.overall, *result.classes], [overall, *per_class], strict=True
    ):
        assert_same_measures(actual, expected, longest)
