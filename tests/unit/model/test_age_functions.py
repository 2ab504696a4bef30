"""Functions of age: exact for empirical laws, near the definitions for the others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.draws import draws
from tests.oracle.preemptive import empirical_mean_residual, empirical_rank
from tests.unit.model.test_gittins_rank import (
    LAWS,
    ages_of,
    by_definition,
    integral_of_the_tail,
)
from zerowait.model.age_functions import rank_function, residual_function
from zerowait.model.laws import Deterministic, Empirical, Exponential, Law

WHOLE = st.integers(0, 12) | st.integers(0, 300)


@given(services=st.lists(WHOLE.map(float), min_size=1, max_size=25))
@draws(1000)
def test_empirical_laws_are_exact(services: list[float]) -> None:
    law = Empirical(services)
    rank, residual = empirical_rank(services), empirical_mean_residual(services)
    for age in {0.0, 1.0, *services, *(s + 1 for s in services), *(s // 2 for s in services)}:
        assert rank_function(law)(age) == float(rank(age))  # rounded once
        assert residual_function(law)(age) == residual(age)


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_other_laws_are_near(law: Law) -> None:
    """Near relative to the value, or to the mean: some ranks vanish as the age does."""
    near = 1e-3 * law.mean
    for age in ages_of(law):
        rank, residual = by_definition(law, age), integral_of_the_tail(law, age)
        assert rank_function(law)(age) == pytest.approx(rank, rel=1e-3, abs=near)
        assert residual_function(law)(age) == pytest.approx(residual, rel=1e-3, abs=near)


def test_closed_forms() -> None:
    assert rank_function(Exponential(2.0))(17.0) == 2.0
    assert rank_function(Deterministic(5.0))(1.5) == 3.5
    assert rank_function(Deterministic(5.0))(5.0) == 0.0


def test_a_large_sample_has_few_pieces_more_than_values() -> None:
    values = np.floor(np.random.default_rng(1).lognormal(6.0, 2.0, 20_000))
    rank = rank_function(Empirical(values))
    assert len(rank.start) <= 3 * len(np.unique(values))
    assert (np.diff(rank.start) > 0).all()
