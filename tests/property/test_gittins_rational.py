"""Gittins policies on continuous lists, against the naive simulator in rational arithmetic.

Jobs reach the ages at which others of their class end, and equal ages, to the last digit: exactly
in fractions, and only up to rounding in floats. What a policy then does must be the same.
"""

import random
from fractions import Fraction

import numpy as np
import pytest
from tests.oracle.preemptive import (
    empirical_mean_residual,
    empirical_rank,
    naive_preemptive,
    services_of,
)

import zerowait as zw

pytestmark = pytest.mark.slow

Row = tuple[Fraction, int, Fraction]


def continuous_list(seed: int) -> tuple[list[Row], int]:
    """Few jobs, some of which come together or take equally long."""
    draw = random.Random(seed)
    servers = draw.choice([2, 4, 8])
    needs = [need for need in (1, 2, 4, 8) if need <= servers]
    now, rows = 0.0, []
    for _ in range(draw.randint(3, 12)):
        now += draw.choice([0.0, draw.expovariate(2.0)])
        service = draw.choice([draw.expovariate(1.0), 0.3, 0.7])
        rows.append((Fraction(now), draw.choice(needs), Fraction(service)))
    return rows, servers


def ends(rows: list[Row], servers: int, policy: str) -> tuple[list[float], list[float]]:
    """In fractions, and as the engine has them."""
    services = services_of(rows, None)  # type: ignore[arg-type]
    exact = naive_preemptive(
        policy, rows, servers,  # type: ignore[arg-type]
        rank=[empirical_rank(one) for one in services],
        mean_residual=[empirical_mean_residual(one) for one in services],
    )  # fmt: skip
    arrival, need, service = zip(*rows, strict=True)
    jobs = zw.Jobs(np.array(arrival, float), need, np.array(service, float))
    found = zw.replay(jobs, servers, policy, jobs=True, jit=False).jobs
    assert found is not None
    return [float(one.end) for one in exact], found["end"].to_list()


@pytest.mark.parametrize("policy", ["sf-gittins", "df-gittins"])
def test_continuous_lists(policy: str) -> None:
    for seed in range(100):
        exact, found = ends(*continuous_list(seed), policy)
        assert found == pytest.approx(exact, abs=1e-9), seed


def test_an_age_one_unit_below_an_atom() -> None:
    """At 0.1 the first job is as old as the second will be when it ends: its rank is 0.5, not 0."""
    tenth = Fraction(1, 10)
    rows = [(0 * tenth, 1, 6 * tenth), (tenth, 1, tenth), (tenth, 2, 2 * tenth)]
    exact, found = ends(rows, 2, "sf-gittins")
    assert exact == [0.8, 0.4, 0.3]
    assert found == pytest.approx(exact)
