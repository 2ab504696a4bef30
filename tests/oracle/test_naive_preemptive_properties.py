"""The naive preemptive policies against brute force, and against the other naive simulator."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.draws import draws

from .fills import fill_divisors, max_weight
from .naive import naive
from .preemptive import naive_preemptive
from .strategies import Case, plain_cases, split_cases
from .test_naive_preemptive import orders, queue

pytestmark = pytest.mark.slow

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
