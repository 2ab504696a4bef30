"""The engine equals the naive simulator of the preemptive policies, job by job and bit by bit.

Ages of Gittins ranks and of `refill=expected`: the law of a class in a replay is taken to be the
empirical one of its own service times. Its ranks are exact in whole seconds only (a quotient of
sums of whole numbers; the engine takes for equal what only rounding tells apart), so these policies
are compared there.
"""

import functools
import itertools
import math
import random
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerowait as zw
from tests.draws import draws

from .naive import JobRow
from .preemptive import (
    Outcome,
    empirical_mean_residual,
    empirical_rank,
    naive_preemptive,
    services_of,
)
from .replaying import is_compiled
from .strategies import Case, plain_cases, split_cases
from .strategies_preemptive import (
    divisor_cases,
    divisor_split_cases,
    power_cases,
    tight_split_cases,
    whole,
)

pytestmark = pytest.mark.slow

PREEMPTIVE = [
    "msf",
    "lsf",
    "ff-srpt",
    "ff-srpt,key=size",
    "greedy-srpt",
    "maxweight",
    "sf",
    "sf-srpt",
    "sf-gittins",
    "df",
    "df-srpt",
    "df-gittins",
]
# How a split spells an auxiliary's own option is not settled here: `key=size` is left out.
AUXILIARIES = [name for name in PREEMPTIVE if "," not in name]
SPLIT = [f"{split}:{auxiliary}" for split in ("bs", "mbs") for auxiliary in AUXILIARIES]
REFILL = [
    f"bs:{auxiliary},refill={refill}"
    for auxiliary in ("fcfs", "first-fit", "msf", "ff-srpt", "maxweight", "sf", "sf-srpt", "df")
    for refill in ("largest", "expected")
]

exactly = draws(600)
fewer = draws(200)


def uses_ages(policy: str) -> bool:
    return "gittins" in policy or "expected" in policy


def replay(policy: str, case: Case) -> Any:
    """The engine's answer; the slots, where the case has them, go into the policy's spelling."""
    arrival, need, service = zip(*case.jobs, strict=True)
    kwargs = {} if case.job_class is None else {"job_class": np.array(case.job_class)}
    jobs = zw.Jobs(np.array(arrival), np.array(need), np.array(service), **kwargs)
    spec = policy if case.slots is None else f"{policy},slots={'/'.join(map(str, case.slots))}"
    return zw.replay(jobs, servers=case.servers, policy=spec, jobs=True, jit=is_compiled(policy))


def expect(policy: str, case: Case) -> list[Outcome]:
    services = services_of(case.jobs, case.job_class)
    ranks = [empirical_rank(s) for s in services] if "gittins" in policy else []
    residuals = [empirical_mean_residual(s) for s in services]
    return naive_preemptive(policy, *case[:4], rank=ranks, mean_residual=residuals)


def assert_same_jobs(result: Any, case: Case, expected: list[Outcome]) -> None:
    table = result.jobs
    assert list(zip(*(table[c] for c in ("arrival", "need", "service")), strict=True)) == case.jobs
    columns = ("start", "end", "helpers", "preemptions")
    actual = list(zip(*(table[c] for c in columns), strict=True))
    assert actual == [(o.start, o.end, o.helpers, o.preemptions) for o in expected]
    n = len(expected)
    routed = sum(o.routed for o in expected) / n
    assert math.isclose(result.overall.routed_to_helpers, routed, rel_tol=1e-12)


def check(policy: str, case: Case) -> None:
    assert_same_jobs(replay(policy, case), case, expect(policy, case))


# -- job by job -----------------------------------------------------------------------------------


def cases_of(policy: str) -> st.SearchStrategy[Case]:
    if policy.startswith("df"):
        cases = divisor_cases()
    elif policy.startswith("sf"):
        cases = st.one_of(plain_cases(), power_cases())
    else:
        cases = st.one_of(plain_cases(), plain_cases(), power_cases(), divisor_cases())
    return cases.map(whole) if uses_ages(policy) else cases


def split_cases_of(policy: str) -> st.SearchStrategy[Case]:
    modified = policy.startswith("mbs")
    if ":df" in policy:
        cases = divisor_split_cases(modified)
    else:
        cases = st.one_of(split_cases(modified), tight_split_cases(), tight_split_cases())
    return cases.map(whole) if uses_ages(policy) else cases


@pytest.mark.parametrize("policy", PREEMPTIVE)
@given(data=st.data())
@exactly
def test_jobs(policy: str, data: st.DataObject) -> None:
    check(policy, data.draw(cases_of(policy)))


@pytest.mark.parametrize("policy", SPLIT + REFILL)
@given(data=st.data())
@fewer
def test_jobs_of_a_split(policy: str, data: st.DataObject) -> None:
    check(policy, data.draw(split_cases_of(policy)))


def test_unserved_jobs_have_age_zero_at_any_clock() -> None:
    """Its service is less than what a clock of Unix time tells apart after some pauses."""
    now = 1.6e9
    jobs = [(now, 26, 1.0), (now, 24, 3.0), (now, 24, 2.0), (now + 0.25, 26, 1e-6)]
    check("bs:fcfs,refill=expected", Case(jobs, 64, [0] * 4, [1]))


# -- long, loaded runs ----------------------------------------------------------------------------

LONG = 600
LONG_MEAN_SERVICE = 20.0


def long_jobs(
    seed: int, whole_seconds: bool, needs: dict[int, float], servers: int, load: float
) -> list[JobRow]:
    """Poisson arrivals and exponential services, perhaps rounded down to whole seconds."""
    rng = random.Random(seed)
    mean_need = sum(need * share for need, share in needs.items()) / sum(needs.values())
    rate = load * servers / (mean_need * LONG_MEAN_SERVICE)
    now = 0.0
    jobs = []
    for _ in range(LONG):
        now += rng.expovariate(rate)
        need = rng.choices(list(needs), weights=list(needs.values()))[0]
        service = rng.expovariate(1 / LONG_MEAN_SERVICE)
        jobs.append((now, need, service))
    if not whole_seconds:
        return jobs
    return [(float(math.floor(a)), need, float(math.floor(s))) for a, need, s in jobs]


# Servers, and need: share; slots are per class, by need or with a bin of the needs up to 2.
ODD = 24, {1: 0.5, 2: 0.2, 3: 0.15, 5: 0.1, 8: 0.05}
POWERS = 16, {1: 0.5, 2: 0.2, 4: 0.2, 8: 0.1}
DIVISORS = 12, {1: 0.5, 2: 0.15, 3: 0.15, 4: 0.1, 6: 0.1}
SLOTS = {ODD[0]: [3, 1, 1, 0, 0], POWERS[0]: [2, 1, 1, 0], DIVISORS[0]: [3, 2, 1, 1, 0]}
BINNED_SLOTS = {ODD[0]: [3, 1], POWERS[0]: [2, 0], DIVISORS[0]: [3, 1]}


def clocks_of(policies: Iterable[str]) -> list[Any]:
    """Each with continuous times, where it can have them, and with whole seconds."""
    return [
        pytest.param(policy, clock == "whole", id=f"{policy}-{clock}")
        for policy in policies
        for clock in (["whole"] if uses_ages(policy) else ["continuous", "whole"])
    ]


def long_case(policy: str, seed: int, whole_seconds: bool, binned: bool) -> Case:
    split = policy.startswith(("bs:", "mbs:"))
    name = policy.partition(":")[2] if split else policy
    servers, needs = DIVISORS if "df" in policy else POWERS if name == "sf" else ODD
    # Own servers come on top of the helpers, which every need must divide under df.
    slots = (BINNED_SLOTS if binned else SLOTS)[servers] if split else None
    rows = long_jobs(seed, whole_seconds, needs, servers, 0.95)
    job_class = [0 if need <= 2 else 1 for _, need, _ in rows] if binned else None
    if slots is None:
        return Case(rows, servers, job_class)
    widths = [2, max(needs)] if binned else sorted(needs)
    own_servers = sum(s * n for s, n in zip(slots, widths, strict=True))
    helpers = servers if "df" in policy else max(needs)
    # Arrivals come closer together where the split adds servers.
    pace = servers / (own_servers + helpers)
    rows = [(a * pace, need, service) for a, need, service in rows]
    case = Case(rows, own_servers + helpers, job_class, slots)
    return whole(case) if whole_seconds else case


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("policy", "whole_seconds"), clocks_of(PREEMPTIVE))
def test_long_runs(policy: str, seed: int, whole_seconds: bool) -> None:
    check_long(policy, seed, whole_seconds, binned=False)


@pytest.mark.parametrize("binned", [False, True], ids=["by need", "binned"])
@pytest.mark.parametrize(("policy", "whole_seconds"), clocks_of(SPLIT + REFILL))
def test_long_runs_of_a_split(policy: str, whole_seconds: bool, binned: bool) -> None:
    check_long(policy, 7, whole_seconds, binned)


def check_long(policy: str, seed: int, whole_seconds: bool, binned: bool) -> None:
    case = long_case(policy, seed, whole_seconds, binned)
    expected = expect(policy, case)
    assert_something_happens(policy, case, expected)
    assert_same_jobs(replay(policy, case), case, expected)


def assert_something_happens(policy: str, case: Case, outcomes: list[Outcome]) -> None:
    """Or a run would prove little: jobs wait, are paused, and are served in both places."""
    few = LONG / 20
    assert sum(o.start > job[0] for o, job in zip(outcomes, case.jobs, strict=True)) > few
    if "fcfs" not in policy and "first-fit" not in policy:
        assert sum(o.preemptions for o in outcomes) > few
    if policy not in PREEMPTIVE:
        assert few < sum(o.helpers for o in outcomes) < LONG - few


# -- properties of the issue ----------------------------------------------------------------------


def busy_time(case: Case, ends: Iterable[float], busy: Any) -> float:
    """The integral of `busy(needs of the jobs in the system)` over time."""
    events = [(arrival, need) for arrival, need, _ in case.jobs]
    events += [(end, -need) for end, (_, need, _) in zip(ends, case.jobs, strict=True)]
    instants = sorted({time for time, _ in events})
    total = 0.0
    for now, then in itertools.pairwise(instants):
        present = sorted(need for time, need in events if time <= now and need > 0)
        for time, need in events:
            if time <= now and need < 0:
                present.remove(-need)
        total += busy(tuple(present)) * (then - now)
    return total


def work_of(case: Case) -> float:
    return sum(need * service for _, need, service in case.jobs)


@pytest.mark.parametrize("policy", ["sf", "sf-srpt", "sf-gittins"])
@given(case=power_cases().map(whole))
@fewer
def test_server_filling_of_powers_of_two_idles_no_server(policy: str, case: Case) -> None:
    # As many servers are busy as are wanted, up to all: so much work is done, and no more.
    ends = replay(policy, case).jobs["end"]
    assert busy_time(case, ends, lambda needs: min(case.servers, sum(needs))) == work_of(case)


@pytest.mark.parametrize("policy", ["df", "df-srpt", "df-gittins"])
@given(case=divisor_cases().map(whole))
@fewer
def test_divisor_filling_idles_no_server_it_could_fill(policy: str, case: Case) -> None:
    @functools.cache
    def fullest(needs: tuple[int, ...]) -> int:
        totals = {0}
        for need in needs:
            totals |= {total + need for total in totals if total + need <= case.servers}
        assert len(needs) < case.servers or max(totals) == case.servers
        return max(totals)

    ends = replay(policy, case).jobs["end"]
    assert busy_time(case, ends, fullest) == work_of(case)


@pytest.mark.parametrize("policy", ["df", "df-srpt", "df-gittins"])
def test_divisor_filling_names_a_need_that_does_not_divide_the_servers(policy: str) -> None:
    case = Case([(0.0, 2, 1.0), (0.0, 4, 1.0), (0.0, 3, 1.0)], 6)
    with pytest.raises(zw.InputError, match="4"):
        replay(policy, case)


@pytest.mark.parametrize("fill", ["sf-gittins", "df-gittins"])
@given(data=st.data())
@fewer
def test_gittins_of_deterministic_services_is_srpt(fill: str, data: st.DataObject) -> None:
    # A class per service time: the rank is what remains.
    case = whole(data.draw(cases_of(fill)))
    values = sorted({service for _, _, service in case.jobs})
    case = case._replace(job_class=[values.index(service) for _, _, service in case.jobs])
    expected = expect(fill.replace("gittins", "srpt"), case)
    assert_same_jobs(replay(fill, case), case, expected)


@pytest.mark.parametrize("policy", ["ff-srpt", "greedy-srpt", "sf-srpt", "df-srpt"])
@given(case=plain_cases())
@fewer
def test_srpt_policies_are_one_on_one_server(policy: str, case: Case) -> None:
    jobs = [(arrival, 1, service) for arrival, _, service in case.jobs]
    case = Case(jobs, 1)
    assert_same_jobs(replay(policy, case), case, expect("ff-srpt", case))
