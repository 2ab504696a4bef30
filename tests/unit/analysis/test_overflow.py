"""Overflow moments against the two-dimensional chain that Wilkinson solved."""

import numpy as np
import pytest

import zerowait as zw
from zerowait.analysis.bounds import helper_traffic, overflow_moments
from zerowait.analysis.markov_chain import stationary


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


def test_helper_traffic_has_the_load_of_proposition_1() -> None:
    workload = zw.workloads.figure1(2048)
    traffic = helper_traffic(workload, 2048)
    assert traffic.load == pytest.approx(zw.helper_bounds(workload, 2048).helper_load)
