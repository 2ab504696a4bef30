"""The engine equals the naive simulator, job by job and bit by bit."""

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerowait as zw
from tests.draws import draws

from .measures import Measures, naive_measures
from .naive import PLAIN, JobRow, Outcome, classes_of, largest_needs, naive, naive_split
from .strategies import Case, plain_cases, split_cases

pytestmark = pytest.mark.slow

SPLIT = [f"{split}:{auxiliary}" for split in ("bs", "mbs") for auxiliary in PLAIN]

exactly = draws(600)
roughly = draws(200)


def replay(policy: str, case: Case) -> Any:
    """The engine's answer; the slots, where the case has them, go into the policy's spelling."""
    arrival, need, service = zip(*case.jobs, strict=True)
    kwargs = {} if case.job_class is None else {"job_class": np.array(case.job_class)}
    jobs = zw.Jobs(np.array(arrival), np.array(need), np.array(service), **kwargs)
    spec = policy if case.slots is None else f"{policy},slots={'/'.join(map(str, case.slots))}"
    return zw.replay(jobs, servers=case.servers, policy=spec, jobs=True)


def assert_same_jobs(result: Any, case: Case, expected: Sequence[Outcome]) -> None:
    table = result.jobs
    assert list(zip(*(table[c] for c in ("arrival", "need", "service")), strict=True)) == case.jobs
    actual = list(zip(*(table[c] for c in ("start", "end", "helpers")), strict=True))
    assert actual == [(o.start, o.end, o.helpers) for o in expected]


def check_jobs(policy: str, case: Case) -> None:
    expected = naive(policy, case.jobs, case.servers, case.job_class, case.slots)
    assert_same_jobs(replay(policy, case), case, expected)


# -- job by job ----------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", PLAIN)
@given(case=plain_cases())
@exactly
def test_jobs(policy: str, case: Case) -> None:
    check_jobs(policy, case)


@pytest.mark.parametrize("policy", SPLIT)
@given(data=st.data())
@exactly
def test_jobs_of_a_split(policy: str, data: st.DataObject) -> None:
    check_jobs(policy, data.draw(split_cases(modified=policy.startswith("mbs"))))


# -- long, loaded runs ---------------------------------------------------------------------------

LONG = 2000
LONG_SERVERS = 40
LONG_NEEDS = {1: 0.5, 2: 0.2, 3: 0.15, 5: 0.1, 8: 0.05}  # need: share
LONG_MEAN_SERVICE = 20.0


def long_jobs(seed: int, whole: bool, load: float) -> list[JobRow]:
    """Poisson arrivals and exponential services, perhaps rounded down to whole seconds."""
    rng = random.Random(seed)
    mean_need = sum(need * share for need, share in LONG_NEEDS.items())
    rate = load * LONG_SERVERS / (mean_need * LONG_MEAN_SERVICE)
    now = 0.0
    jobs = []
    for _ in range(LONG):
        now += rng.expovariate(rate)
        need = rng.choices(list(LONG_NEEDS), weights=list(LONG_NEEDS.values()))[0]
        service = rng.expovariate(1 / LONG_MEAN_SERVICE)
        if whole:
            jobs.append((float(math.floor(now)), need, float(math.floor(service))))
        else:
            jobs.append((now, need, service))
    return jobs


def long_case(seed: int, whole: bool, binned: bool, load: float = 0.85) -> Case:
    """With slots by the naive split of the stream's own demand."""
    jobs = long_jobs(seed, whole, load)
    job_class = [0 if need <= 2 else 1 for _, need, _ in jobs] if binned else None
    classes = classes_of(jobs, job_class)
    largest = largest_needs(jobs, job_class)
    demands = [Fraction(0)] * len(largest)
    for (_, need, service), c in zip(jobs, classes, strict=True):
        demands[c] += need * Fraction(service)
    return Case(jobs, LONG_SERVERS, job_class, naive_split(largest, demands, LONG_SERVERS).slots)


@pytest.mark.parametrize("binned", [False, True], ids=["by need", "binned"])
@pytest.mark.parametrize("whole", [False, True], ids=["continuous", "whole"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("policy", PLAIN + SPLIT)
def test_long_runs(policy: str, seed: int, whole: bool, binned: bool) -> None:
    case = long_case(seed, whole, binned)
    expected = naive(policy, case.jobs, case.servers, case.job_class, case.slots)
    # A run in which nobody waits, or nobody is routed, would prove little.
    assert sum(o.start > job[0] for o, job in zip(expected, case.jobs, strict=True)) > LONG / 20
    if policy in SPLIT:
        assert 0 < sum(o.helpers for o in expected) < LONG
    else:
        case = case._replace(slots=None)
    assert_same_jobs(replay(policy, case), case, expected)


@pytest.mark.parametrize("binned", [False, True], ids=["by need", "binned"])
@pytest.mark.parametrize("policy", ["bs:fcfs", "mbs:first-fit"])
def test_slots_come_from_the_streams_own_demand_unless_given(policy: str, binned: bool) -> None:
    case = long_case(seed=9, whole=False, binned=binned)
    expected = naive(policy, case.jobs, case.servers, case.job_class, case.slots)
    assert_same_jobs(replay(policy, case._replace(slots=None)), case, expected)


# -- measures ------------------------------------------------------------------------------------


def assert_close(actual: float, expected: float, scale: float, name: str) -> None:
    """To 1e-9 of the value or of `scale`, the size of the numbers it is a difference of."""
    if math.isnan(expected):
        assert math.isnan(actual), f"{name}: {actual} is not NaN"
    else:
        assert math.isclose(actual, expected, rel_tol=1e-9, abs_tol=1e-9 * scale), (
            f"{name}: {actual} is not {expected}"
        )


def assert_same_measures(actual: Any, expected: Measures, longest: float) -> None:
    """`longest` is the longest service: sums of responses are kept about their mean service."""
    assert actual.count == expected.count
    for name in ("response", "wait", "slowdown", "bounded_slowdown"):
        ours, theirs = getattr(expected, name), getattr(actual, name)
        # A wait is a difference of responses and services, a deviation one of values and means.
        largest = expected.response.max if name == "wait" else ours.max
        scale = max(largest, longest) if math.isfinite(largest) else 0.0
        assert_close(theirs.mean, ours.mean, scale, f"{name}.mean")
        assert_close(theirs.std**2, ours.variance, scale * scale, f"variance of {name}")
        assert_close(theirs.max, ours.max, scale, f"{name}.max")
    for name in ("p_wait", "routed_to_helpers", "served_by_helpers", "utilisation", "in_system"):
        assert_close(getattr(actual, name), getattr(expected, name), 1e-3, name)


def check_measures(policy: str, case: Case) -> None:
    outcomes = naive(policy, case.jobs, case.servers, case.job_class, case.slots)
    overall, per_class = naive_measures(case.jobs, outcomes, case.servers, case.job_class)
    result = replay(policy, case)
    classes = classes_of(case.jobs, case.job_class)
    assert_same_measures(result.overall, overall, max(row[2] for row in case.jobs))
    assert len(result.classes) == len(per_class)
    for number, (actual, expected) in enumerate(zip(result.classes, per_class, strict=True)):
        longest = max(s for (*_, s), c in zip(case.jobs, classes, strict=True) if c == number)
        assert_same_measures(actual, expected, longest)


@pytest.mark.parametrize("policy", PLAIN)
@given(case=plain_cases())
@roughly
def test_measures(policy: str, case: Case) -> None:
    check_measures(policy, case)


@pytest.mark.parametrize("policy", SPLIT)
@given(data=st.data())
@roughly
def test_measures_of_a_split(policy: str, data: st.DataObject) -> None:
    check_measures(policy, data.draw(split_cases(modified=policy.startswith("mbs"))))


@pytest.mark.parametrize("policy", PLAIN + SPLIT)
def test_measures_of_a_long_run(policy: str) -> None:
    case = long_case(seed=4, whole=False, binned=False)
    check_measures(policy, case if policy in SPLIT else case._replace(slots=None))


# -- the balanced split --------------------------------------------------------------------------


@given(
    classes=st.lists(st.tuples(st.integers(1, 12), st.integers(1, 64)), min_size=1, max_size=5),
    extra=st.integers(0, 80),
)
@exactly
def test_balanced_split(classes: list[tuple[int, int]], extra: int) -> None:
    # Shares are made of 1/512ths, so that they, and the demands, are exact in binary.
    needs = [need for need, _ in classes]
    weights = [weight for _, weight in classes]
    weights[0] += 512 - sum(weights)
    servers = max(needs) + extra
    law = zw.Exponential(1.0)
    workload = zw.Workload(
        [
            zw.JobClass(need=n, share=w / 512, service=law)
            for n, w in zip(needs, weights, strict=True)
        ]
    )
    expected = naive_split(needs, [n * w for n, w in zip(needs, weights, strict=True)], servers)
    split = zw.balanced_split(workload, servers=servers)
    assert list(split.slots) == expected.slots
    assert split.helpers == expected.helpers
    assert list(split.own_servers) == [s * n for s, n in zip(expected.slots, needs, strict=True)]
    assert split.psi is not None
    assert math.isclose(split.psi, expected.psi, rel_tol=1e-12)
