"""Overflow moments against the two-dimensional chain that Wilkinson solved."""

import math

import numpy as np
import pytest

import zerowait as zw
from zerowait.analysis import (
    approximate_response,
    erlang_c,
    hayward_waiting,
    helper_traffic,
    overflow_moments,
    own_servers_wait,
)
from zerowait.analysis.chain.solve import stationary
from zerowait.model import split_from_slots


def overflow_by_chain(servers: int, offered: float, most: int = 60) -> tuple[float, float]:
    """Busy in the primary group x busy in an overflow group large enough."""
    from scipy.sparse import coo_array

    def at(i: int, j: int) -> int:
        return i * (most + 1) + j

    moves = []
    for i in range(servers + 1):
        for j in range(most + 1):
            if i < servers:
                moves.append((at(i, j), at(i + 1, j), offered))
            elif j < most:
                moves.append((at(i, j), at(i, j + 1), offered))
            if i:
                moves.append((at(i, j), at(i - 1, j), i))
            if j:
                moves.append((at(i, j), at(i, j - 1), j))
    origin, target, rate = zip(*moves, strict=True)
    n = (servers + 1) * (most + 1)
    pi = stationary(coo_array((np.array(rate, float), (origin, target)), shape=(n, n)).tocsr())
    busy = np.tile(np.arange(most + 1), servers + 1)
    mean = float(pi @ busy)
    return mean, float(pi @ busy**2) - mean**2


@pytest.mark.parametrize(("servers", "offered"), [(1, 1.0), (4, 3.0), (5, 9.0), (10, 5.0)])
def test_wilkinson(servers: int, offered: float) -> None:
    mean, variance = overflow_moments(servers, offered)
    assert (float(mean), float(variance)) == pytest.approx(
        overflow_by_chain(servers, offered), rel=1e-7
    )
    assert variance > mean


def test_without_servers_everything_overflows_as_it_came() -> None:
    mean, variance = overflow_moments(0, 5.0)
    assert (mean, variance) == (pytest.approx(5), pytest.approx(5))
    assert hayward_waiting(10, 5, 2.0) == pytest.approx(zw.erlang_c(5, 2.5))


def test_helper_traffic_has_the_load_of_proposition_1() -> None:
    workload = zw.workloads.figure1(2048)
    traffic = helper_traffic(workload, 2048)
    assert traffic.load == pytest.approx(zw.helper_bounds(workload, 2048).helper_load)
    assert traffic.wait() == math.inf


def test_wait_is_exact_where_helpers_are_all_there_is() -> None:
    # No own slots: the helpers are M/M/5 in slots of 2.
    workload = zw.Workload([zw.JobClass(2, 1.0, zw.Exponential(3.0))]).with_load(10, 0.7)
    split = split_from_slots([2], [0], 10)
    c = zw.erlang_c(5, 3.5)
    assert helper_traffic(workload, 10, split).wait() == pytest.approx(c * 3 / 1.5)
    for policy in ("bs", "mbs"):
        found = approximate_response(workload, 10, policy, split)
        assert found.response == pytest.approx(3 + c * 3 / 1.5)
        assert found.p_wait == pytest.approx(c)


def test_without_helpers_bs_is_erlang_c() -> None:
    workload = zw.Workload([zw.JobClass(n, 1 / 3, zw.Exponential(1 / n)) for n in (1, 2, 4)])
    workload = workload.with_load(12, 0.7)
    found = approximate_response(workload, 12, "bs")
    assert found.response == pytest.approx(own_servers_wait(workload, 12).response)
    assert found.class_p_wait[2] == pytest.approx(erlang_c(1, 0.7))


def test_help_evens_out_the_longest_waits() -> None:
    workload = zw.workloads.figure1(2048)
    found = approximate_response(workload, 2048, "bs")
    waits = found.class_response - workload.mean_services
    assert waits[1:] == pytest.approx(np.full(3, waits[1]))
    assert waits[0] < waits[1]
    with pytest.raises(zw.InputError, match="policy = 'fcfs': must be bs or mbs"):
        approximate_response(workload, 2048, "fcfs")
