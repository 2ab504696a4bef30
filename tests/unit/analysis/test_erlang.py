"""Erlang's formulas against high precision, and against each other."""

import functools
import math

import mpmath
import numpy as np
import pytest

from zerowait.analysis.erlang import erlang_b, erlang_c, idle, log_erlang_b, log_erlang_c
from zerowait.model import InputError

pytestmark = pytest.mark.xdist_group("Erlang in many digits")

mpmath.mp.dps = 30


@functools.cache  # both tests ask for most of these
def log_b(servers: float, offered: float) -> mpmath.mpf:
    """The definition: the incomplete gamma function, or the integral over u, in 30 digits."""
    s, a = mpmath.mpf(servers), mpmath.mpf(offered)
    if s <= 200 and a < 1e5:
        return s * mpmath.log(a) - a - mpmath.log(mpmath.gammainc(s + 1, a))
    largest, peak = max(s, a), max(mpmath.mpf(0), s - a)
    width = mpmath.sqrt(s) if s >= a else min(mpmath.sqrt(s), 1 / (1 - s / a))
    points = [-peak, *(-width * q for q in (30, 20, 12, 8, 4, 2, 1) if width * q < peak), 0]
    points += [width * q for q in (1, 2, 4, 8, 12, 16, 24, 40, 60, 90)]
    total = mpmath.quad(lambda v: mpmath.exp(s * mpmath.log1p(v / largest) - v), points)
    height = s * mpmath.log(s / a) - (s - a) if s > a else 0
    return -(height + mpmath.log(total))


def log_c(servers: float, offered: float) -> mpmath.mpf:
    s, a, b = mpmath.mpf(servers), mpmath.mpf(offered), mpmath.exp(log_b(servers, offered))
    return mpmath.log(s * b / (s - a * (1 - b)))


SERVERS = [0.0, 1e-9, 0.3, 1, 2.5, 7, 33.3, 150, 1000.7, 1e4, 1e6, 1e8]


def loads(s: float) -> list[float]:
    """Light, deep in the tail (B about 1e-300), near-critical on both sides, overload."""
    root = math.sqrt(s)
    near = [s - 37 * root, s - 5 * root, s - root, s - 1e-3 * root, s, s + root, s + 6 * root]
    return [a for a in (1e-250, 1e-5, 1.0, s / 2, *near, 2 * s, 1e3 * s + 3) if a > 0]


POINTS = [(s, a) for s in SERVERS for a in loads(s)]


@pytest.mark.slow
def test_b_to_ten_digits() -> None:
    servers, offered = np.array(POINTS).T
    found = log_erlang_b(servers, offered)
    assert isinstance(found, np.ndarray)
    for (s, a), log_value in zip(POINTS, found, strict=True):
        expected = log_b(s, a)
        if expected > -708:  # B is a float: its relative error is the log's absolute one
            assert abs(mpmath.mpf(log_value) - expected) < 1e-11, (s, a)
        else:
            assert abs(mpmath.mpf(log_value) / expected - 1) < 1e-13, (s, a)


@pytest.mark.slow
def test_c_to_ten_digits() -> None:
    for s, a in POINTS:
        if 0 < a < s:
            expected = log_c(s, a)
            error = abs(mpmath.mpf(log_erlang_c(s, a)) - expected)
            assert error < 1e-11 * max(1, abs(expected) / 700), (s, a)


def test_values_of_the_tables() -> None:
    assert erlang_b(5, 3) == pytest.approx(0.1100543478, abs=1e-10)
    assert erlang_c(5, 3) == pytest.approx(0.2361516035, abs=1e-10)
    assert erlang_b(1, 1) == pytest.approx(0.5, rel=1e-14)


def test_edges() -> None:
    assert [erlang_b(0, 0), erlang_b(0, 3), erlang_b(3, 0)] == [1, 1, 0]
    assert [erlang_c(0, 0), erlang_c(3, 0), erlang_c(3, 3), erlang_c(3, 1e9)] == [1, 0, 1, 1]
    assert np.shape(erlang_b(np.ones((2, 1)), np.ones(3))) == (2, 3)
    assert np.size(erlang_b(np.full(10_000, 5.0), 3.0)) == 10_000  # more than a chunk


def test_recursion_holds_between_real_servers() -> None:
    s, a = np.linspace(0.1, 50, 40), np.geomspace(1e-3, 1e3, 40)[:, None]
    left = np.exp(-np.asarray(log_erlang_b(s + 1, a)))
    right = 1 + (s + 1) / a * np.exp(-np.asarray(log_erlang_b(s, a)))
    assert np.allclose(left, right, rtol=1e-12)


def test_idle_is_exact_in_overload() -> None:
    assert 10 - idle(10, 7) == pytest.approx(7 * (1 - erlang_b(10, 7)), rel=1e-13)
    # One server: 1 - B = 1 / (1 + a), idle = 1 / (1 + a).
    assert idle(1, 1e12) == pytest.approx(1 / (1 + 1e12), rel=1e-12)
    assert idle(3, 0) == 3


def test_refuses_and_says_why() -> None:
    with pytest.raises(InputError, match=r"servers = -1: must be finite, zero or more"):
        erlang_b(-1, 2)
    with pytest.raises(InputError, match=r"offered = nan"):
        erlang_c([3.0, 4.0], [1.0, math.nan])
    with pytest.raises(InputError, match=r"offered = .*shape"):
        erlang_b([1, 2, 3], [1, 2])
