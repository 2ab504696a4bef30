"""Scalings: exact need scales and the loads of the two regimes."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerowait.model import (
    Exponential,
    InputError,
    JobClass,
    Workload,
    critical,
    critical_load,
    need_scale,
    subcritical,
)

BASE = Workload([JobClass(1, 0.5, Exponential(1)), JobClass(3, 0.5, Exponential(2))])


def test_figure_1_scales() -> None:
    # The float formula gives 3 at 256 and 15 at 2048.
    scales = {k: need_scale(k) for k in (1, 31, 32, 255, 256, 2047, 2048, 16384, 32768)}
    assert list(scales.values()) == [1, 1, 1, 3, 4, 15, 16, 64, 101]


@given(
    st.integers(1, 10**12),
    st.integers(1, 1000),
    st.fractions(0, 1, max_denominator=9),
)
def test_need_scale_is_the_floor(servers: int, unit: int, exponent: Fraction) -> None:
    scale = need_scale(servers, unit, exponent)
    p, q = exponent.numerator, exponent.denominator
    assert (scale + 1) ** q * unit**p > servers**p
    assert scale == 1 or scale**q * unit**p <= servers**p
    assert need_scale(servers, unit, float(exponent)) == scale


def test_regimes() -> None:
    load = critical_load(2048, 16, 0.7)
    assert (1 - load) * math.sqrt(2048 / 16) == pytest.approx(0.7)
    grown = critical(BASE, 2048, 0.7)
    assert grown.needs.tolist() == [16, 48]
    assert grown.load(2048) == pytest.approx(load)
    fixed = subcritical(BASE, 2048, 0.8, need_scale=5)
    assert fixed.needs.tolist() == [5, 15]
    assert fixed.load(2048) == pytest.approx(0.8)
    assert subcritical(BASE, 100, 0.8, need_scale=math.isqrt).needs.tolist() == [10, 30]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: need_scale(0), "servers = 0"),
        (lambda: need_scale(8, unit=0), "unit = 0"),
        (lambda: need_scale(8, exponent=1.5), "exponent = 1.5"),
        (lambda: need_scale(8, exponent=math.nan), "exponent = nan"),
        (lambda: critical_load(16, 4, 2.0), "slack = 2.0"),
        (lambda: critical_load(16, 4, -1), "slack = -1"),
        (lambda: subcritical(BASE, 16, 0.8, need_scale=0), "need_scale = 0"),
        (lambda: subcritical("figure1", 256, 0.8), "base = 'figure1': must be a Workload"),  # type: ignore[arg-type]
        (lambda: subcritical(BASE, 16, 0.8, need_scale=6), r"classes\[1\] = 18: exceeds the 16"),
    ],
)
def test_refuses_and_says_why(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(InputError, match=message):
        make()
