"""Draws: what is served does not depend on the portions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from zerowait.model import Draws, InputError


def gammas(seed: int) -> Draws:
    rng = np.random.default_rng(seed)
    # Two arrays per call: portions of another size would give other values.
    return Draws(lambda n: rng.standard_gamma(0.5, n) + rng.random(n), block=16)


@given(st.lists(st.integers(0, 50), max_size=20))
def test_portions_do_not_matter(portions: list[int]) -> None:
    draws = gammas(7)
    pieces = [draws.take(n) for n in portions]
    assert [p.size for p in pieces] == portions
    whole = gammas(7).take(sum(portions))
    np.testing.assert_array_equal(np.concatenate([np.empty(0), *pieces]), whole)


def test_draws_a_block_only_when_needed_and_gives_copies() -> None:
    calls = []

    def sample(n: int) -> NDArray[np.float64]:
        calls.append(n)
        return np.arange(n, dtype=np.float64)

    draws = Draws(sample, block=4)
    draws.take(0)
    assert calls == []
    first = draws.take(4)
    assert calls == [4]
    first[:] = -1
    np.testing.assert_array_equal(draws.take(5), [0, 1, 2, 3, 0])
    assert calls == [4, 4, 4]


def test_refuses_bad_sizes() -> None:
    with pytest.raises(InputError, match="block = 0"):
        Draws(np.ones, block=0)
    with pytest.raises(InputError, match="n = -1"):
        Draws(np.ones).take(-1)
    with pytest.raises(InputError, match=r"shape of the sample = \(1,\)"):
        Draws(lambda n: np.ones(1)).take(2)
