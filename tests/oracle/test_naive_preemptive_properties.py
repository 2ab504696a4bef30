"""The oracle of the preemptive policies against brute force, and against what must always hold."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.draws import draws

from .fills import Job, fill_divisors, max_weight
from .naive import naive
from .preemptive import (
    SERVE,
    empirical_rank,
    naive_preemptive,
    services_of,
)
from .strategies import Case, plain_cases, split_cases
from .strategies_preemptive import divisor_cases, power_cases, whole
from .test_naive_preemptive import orders, queue

pytestmark = pytest.mark.slow

# -- the definitions again, by brute force --------------------------------------------------------

needs_and_servers = st.integers(1, 14).flatmap(
    lambda k: st.tuples(st.lists(st.integers(1, 9), max_size=9), st.just(k))
)


@given(needs_and_servers)
@draws(500)
def test_divisor_filling_is_the_first_of_all_fullest_sets(drawn: tuple[list[int], int]) -> None:
    needs, servers = drawn
    candidates = queue(*needs)[:servers]
    sets = [
        chosen
        for chosen in itertools.product([True, False], repeat=len(candidates))
        if sum(itertools.compress(needs, chosen)) <= servers
    ]
    best = max(sets, key=lambda chosen: (sum(itertools.compress(needs, chosen)), chosen))
    assert orders(fill_divisors(queue(*needs), servers)) == orders(
        list(itertools.compress(candidates, best))
    )


@given(st.sampled_from([4, 6, 12, 18, 20, 30]), st.randoms(use_true_random=False))
@draws(300)
def test_k_jobs_whose_needs_divide_k_fill_k(servers: int, rng: random.Random) -> None:
    divisors = [n for n in range(1, servers + 1) if servers % n == 0]
    few = rng.sample(divisors, rng.randint(1, len(divisors)))
    jobs = queue(*rng.choices(few, k=servers))
    assert sum(job.need for job in fill_divisors(jobs, servers)) == servers


@given(needs_and_servers)
@draws(500)
def test_maxweight_is_the_best_of_all_packings(drawn: tuple[list[int], int]) -> None:
    needs, servers = drawn
    kinds = sorted(set(needs), reverse=True)
    counts = [needs.count(n) for n in kinds]
    feasible = [
        x
        for x in itertools.product(*(range(q + 1) for q in counts))
        if sum(n * x_n for n, x_n in zip(kinds, x, strict=True)) <= servers
    ]
    best = max(feasible, key=lambda x: (sum(q * y for q, y in zip(counts, x, strict=True)), x))
    taken = max_weight(queue(*needs), servers)
    assert [sum(job.need == n for job in taken) for n in kinds] == list(best)
    assert orders(taken) == sorted(orders(taken))
    for n in kinds:  # the oldest of each need
        same = [job.need == n for job in taken]
        first = [i for i, need in enumerate(needs) if need == n][: sum(same)]
        assert orders(list(itertools.compress(taken, same))) == first


# -- properties -----------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["sf", "sf-srpt", "sf-gittins"])
@given(case=power_cases())
@draws(200)
def test_server_filling_of_powers_of_two_idles_no_server(policy: str, case: Case) -> None:
    def served(present: list[Job], now: float) -> None:
        busy = sum(job.need for job in present if job.running)
        assert busy == min(case.servers, sum(job.need for job in present))

    ranks = [empirical_rank(s) for s in services_of(case.jobs, case.job_class)]
    naive_preemptive(policy, case.jobs, case.servers, case.job_class, rank=ranks, served=served)


@pytest.mark.parametrize("policy", ["df", "df-srpt", "df-gittins"])
@given(case=divisor_cases())
@draws(200)
def test_divisor_filling_idles_no_server_with_k_jobs(policy: str, case: Case) -> None:
    def served(present: list[Job], now: float) -> None:
        busy = sum(job.need for job in present if job.running)
        if len(present) >= case.servers:
            assert busy == case.servers
        if sum(job.need for job in present) <= case.servers:
            assert all(job.running for job in present)

    ranks = [empirical_rank(s) for s in services_of(case.jobs, case.job_class)]
    naive_preemptive(policy, case.jobs, case.servers, case.job_class, rank=ranks, served=served)


@pytest.mark.parametrize("policy", ["fcfs", "first-fit"])
@given(case=plain_cases())
@draws(200)
def test_nonpreemptive_policies_as_in_the_other_oracle(policy: str, case: Case) -> None:
    outcomes = naive_preemptive(policy, case.jobs, case.servers, case.job_class)
    assert [o[:4] for o in outcomes] == naive(policy, case.jobs, case.servers, case.job_class)


@pytest.mark.parametrize("policy", ["bs:fcfs", "bs:first-fit", "mbs:fcfs", "mbs:first-fit"])
@given(data=st.data())
@draws(200)
def test_nonpreemptive_auxiliaries_as_in_the_other_oracle(policy: str, data: st.DataObject) -> None:
    case = data.draw(split_cases(modified=policy.startswith("mbs")))
    outcomes = naive_preemptive(policy, case.jobs, case.servers, case.job_class, case.slots)
    assert [o[:4] for o in outcomes] == naive(policy, *case[:4])
    assert all(o.preemptions == 0 for o in outcomes)


@given(case=plain_cases().map(whole))
@draws(200)
def test_sf_gittins_of_deterministic_services_is_sf_srpt(case: Case) -> None:
    # A class per service time: the rank is what remains.
    values = sorted({service for _, _, service in case.jobs})
    job_class = [values.index(service) for _, _, service in case.jobs]
    ranks = [empirical_rank([value]) for value in values]
    for fill in ("sf", "df"):
        assert naive_preemptive(
            f"{fill}-gittins", case.jobs, case.servers, job_class, rank=ranks
        ) == naive_preemptive(f"{fill}-srpt", case.jobs, case.servers, job_class)


@pytest.mark.parametrize("split", ["bs", "mbs"])
@pytest.mark.parametrize("auxiliary", SERVE)
@given(data=st.data())
@draws(50)
def test_every_split_case_can_be_served(split: str, auxiliary: str, data: st.DataObject) -> None:
    case = data.draw(split_cases(modified=split == "mbs"))
    ranks = [empirical_rank(s) for s in services_of(case.jobs, case.job_class)]
    outcomes = naive_preemptive(f"{split}:{auxiliary}", *case[:4], rank=ranks)
    assert all(o.routed or not (o.helpers or o.preemptions) for o in outcomes)
    if split == "mbs":
        assert all(o.routed == o.helpers for o in outcomes)
