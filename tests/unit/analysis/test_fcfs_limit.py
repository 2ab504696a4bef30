"""The stability limit of FCFS."""

from itertools import islice

import numpy as np
import pytest

import zerowait as zw
from zerowait.analysis.chain_rules import ChainSystem, FcfsByHead
from zerowait.analysis.markov_chain import Exploration
from zerowait.analysis.stability import (
    _chain_rate,
    _Saturated,
    fcfs_capacity,
    product_form_rate,
    saturated_states,
)


@pytest.mark.parametrize(
    ("servers", "needs", "shares"),
    [
        (2, (1, 2), (0.5, 0.5)),
        (8, (1, 2, 5), (0.5, 0.3, 0.2)),
        (30, (1, 3, 7, 10), (0.4, 0.3, 0.2, 0.1)),
        (7, (3,), (1.0,)),
        (6, (2, 2, 3), (0.2, 0.3, 0.5)),
    ],
)
def test_product_form_is_the_chain(
    servers: int, needs: tuple[int, ...], shares: tuple[float, ...]
) -> None:
    system = ChainSystem(servers, needs, (0.5,) * len(needs), shares)
    assert product_form_rate(system) == pytest.approx(_chain_rate(system, 10**4), rel=1e-10)


def test_two_classes_by_hand() -> None:
    # k = 2, needs 1 and 2: pi(11|1) = a^3 / 2 mu, pi(11|2) = a^2 b / 2 mu, pi(1|2) = a b / mu,
    # pi(2|1) = a b / nu, pi(2|2) = b^2 / nu, times one constant.
    a, b, mu, nu = 0.6, 0.4, 2.0, 0.7
    weights = [a**3 / 2 / mu, a**2 * b / 2 / mu, a * b / mu, a * b / nu, b * b / nu]
    completions = [2 * mu, 2 * mu, mu, nu, nu]
    expected = np.dot(weights, completions) / sum(weights)
    assert _chain_rate(ChainSystem(2, (1, 2), (mu, nu), (a, b)), 10) == pytest.approx(expected)


def test_one_need_wastes_only_what_no_job_fits() -> None:
    workload = zw.Workload([zw.JobClass(3, 1.0, zw.Exponential(2.0))])
    assert fcfs_capacity(workload, 7).load == pytest.approx(6 / 7)
    assert fcfs_capacity(workload, 6).rate == pytest.approx(1.0)


def test_needs_count_in_their_common_unit() -> None:
    def classes(unit: int) -> zw.Workload:
        small = zw.JobClass(unit, 0.5, zw.Exponential(1.0))
        return zw.Workload([small, zw.JobClass(3 * unit, 0.5, zw.Exponential(5.0))])

    assert fcfs_capacity(classes(7), 70).load == pytest.approx(fcfs_capacity(classes(1), 10).load)


def test_large_systems() -> None:
    equal = zw.Workload([zw.JobClass(n, 0.25, zw.Exponential(1.0)) for n in (1, 10, 33, 100)])
    found = fcfs_capacity(equal, 10**5)
    assert found.method == "product form"
    assert 0.999 < found.load < 1
    # The all-small state has a probability of 1e-22 here, and must not be what others are
    # measured against.
    two = zw.Workload(
        [zw.JobClass(1, 0.95, zw.Exponential(1.0)), zw.JobClass(8, 0.05, zw.Exponential(10))]
    )
    found = fcfs_capacity(two, 1000)
    assert found.method == "saturated chain"
    assert found.load == pytest.approx(0.998949, abs=1e-6)


def test_refuses_and_says_why() -> None:
    with pytest.raises(zw.InputError, match="simulate the saturated system"):
        fcfs_capacity(zw.Workload([zw.JobClass(1, 1, zw.Deterministic(1))]), 4)
    with pytest.raises(zw.InputError, match="max_states = 100: is too few"):
        fcfs_capacity(zw.workloads.figure1(128), 128, max_states=100)


@pytest.mark.parametrize(
    ("servers", "needs"), [(1, [1]), (7, [3]), (9, [1, 2, 5]), (6, [2, 2, 3]), (13, [4, 6, 9, 7])]
)
def test_states_are_counted_without_the_chain(servers: int, needs: list[int]) -> None:
    n = len(needs)
    system = ChainSystem(servers, tuple(needs), (1.0,) * n, (1 / n,) * n)
    chain = Exploration(_Saturated(FcfsByHead(system)), []).chain(servers)
    assert len(list(saturated_states(system))) == chain.n_states


def test_states_by_the_million_are_not_walked() -> None:
    system = ChainSystem(10**6, (1, 2), (1.0, 2.0), (0.5, 0.5))
    assert len(list(islice(saturated_states(system), 2000))) == 2000


def test_a_thousand_classes_are_too_many() -> None:
    laws = [zw.Exponential(1.0 + need) for need in range(1, 1501)]
    classes = [zw.JobClass(need, 1 / 1500, law) for need, law in enumerate(laws, start=1)]
    with pytest.raises(zw.InputError, match="max_states = 50000: is too few"):
        fcfs_capacity(zw.Workload(classes), 2000)


@pytest.mark.parametrize("needs", [[1, 2, 5], [2, 3, 4], [3, 5, 7, 8]])
def test_there_are_more_states_than_pairs_of_classes(needs: list[int]) -> None:
    n = len(needs)
    system = ChainSystem(9, tuple(needs), (1.0,) * n, (1 / n,) * n)
    assert len(list(saturated_states(system))) >= n**2
