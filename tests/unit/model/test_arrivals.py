"""Arrival processes: rates, order, and streams that do not depend on the portions."""

import math
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerowait.model import (
    ArrivalProcess,
    Deterministic,
    Erlang,
    Exponential,
    FixedTimes,
    Gamma,
    InputError,
    Mixture,
    Poisson,
    Renewal,
    Rhythm,
)
from zerowait.model.arrivals import ARRIVALS

BURSTY = Mixture((0.7, 0.3), (Gamma(0.3, 1.0), Deterministic(0.0)))
PROCESSES = [
    Poisson(2.0),
    Renewal(Erlang(4, 7.0), rate=3.0),
    Renewal(BURSTY, rate=0.1),
    FixedTimes(np.cumsum(np.random.default_rng(5).random(3000))),
    Rhythm(BURSTY, [3.0, 0.0, 1.0, 0.5], period=20.0, rate=2.0),
]


def test_every_registered_process_is_tested() -> None:
    assert {p.name for p in PROCESSES} == set(ARRIVALS)


@pytest.mark.parametrize("process", PROCESSES, ids=lambda p: type(p).__name__)
@given(portions=st.lists(st.integers(0, 3000), max_size=6))
def test_portions_do_not_matter(process: ArrivalProcess, portions: list[int]) -> None:
    take = process.times(np.random.default_rng(1))
    pieces = np.concatenate([np.empty(0), *(take(n) for n in portions)])
    whole = process.times(np.random.default_rng(1))(sum(portions))
    np.testing.assert_array_equal(pieces, whole)
    assert np.all(np.diff(whole) >= 0)


@pytest.mark.parametrize("process", PROCESSES, ids=lambda p: type(p).__name__)
def test_rate_is_what_arrives(process: ArrivalProcess) -> None:
    fast = process.with_rate(5.0)
    assert fast.rate == pytest.approx(5.0)
    times = fast.times(np.random.default_rng(11))(100_000)
    scv = {"renewal": 8.0, "rhythm": 8.0, "poisson": 1.0}.get(
        process.name, 0.0
    )  # of the gaps, at most
    error = 5 * math.sqrt(scv / times.size) + 1e-9
    assert (times.size - 1) / (times[-1] - times[0]) == pytest.approx(5.0, rel=error + 1e-3)
    assert pickle.loads(pickle.dumps(process)) == process != fast
    assert hash(pickle.loads(pickle.dumps(process))) == hash(process)


def test_fixed_times_are_served_as_given_and_end() -> None:
    given_times = [0.1, 0.1, 0.30000000000000004, 7.0]
    process = FixedTimes(given_times)
    assert process.rate == pytest.approx(3 / 6.9)
    take = process.times(np.random.default_rng(0))
    assert take(3).tolist() == given_times[:3]
    assert take(3).tolist() == given_times[3:]
    assert take(3).size == 0
    assert process.with_rate(process.rate or 0) == process
    slow = process.with_rate((process.rate or 0) / 2).instants
    np.testing.assert_allclose(slow, [0.1, 0.1, 0.5, 13.9])


def test_a_rhythm_is_kept_at_every_rate() -> None:
    """Poisson arrivals on the clock: counts of the parts are in proportion to the profile."""
    profile = [3.0, 0.0, 1.0, 0.5]
    for rate in (0.7, 40.0):
        process = Rhythm(Exponential(9.0), profile, period=20.0).with_rate(rate)
        times = process.times(np.random.default_rng(2))(200_000)
        part = (times % 20.0 // 5.0).astype(int)
        counts = np.bincount(part, minlength=4)
        expected = times.size * np.array(profile) / 4.5
        assert counts[1] == 0
        assert np.abs(counts - expected).max() < 4 * np.sqrt(times.size)
        again = process.on_calendar(process.on_clock(times))
        np.testing.assert_allclose(again, times, rtol=1e-9)
    even = Rhythm(Exponential(9.0), [1.0, 1.0], rate=0.5).times(np.random.default_rng(3))(5000)
    flat = Poisson(0.5).times(np.random.default_rng(3))(5000)
    np.testing.assert_allclose(even, flat, rtol=1e-9)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Rhythm(2.0, [1.0]), "law = 2.0"),  # type: ignore[arg-type]
        (lambda: Rhythm(Deterministic(0.0), [1.0]), "mean of law = 0.0"),
        (lambda: Rhythm(Exponential(1.0), [0.0, 0.0]), "sum of profile = 0.0"),
        (lambda: Rhythm(Exponential(1.0), [1.0, -1.0]), r"profile\[1\] = -1.0"),
        (lambda: Rhythm(Exponential(1.0), [1.0], period=0.0), "period = 0.0"),
        (lambda: Rhythm(Exponential(1.0), [1.0], rate=-1.0), "rate = -1.0"),
    ],
)
def test_rhythms_that_cannot_be(make: Callable[[], Rhythm], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_undecided_rates() -> None:
    assert Poisson().rate is None
    assert Renewal(Exponential(3)).rate is None
    for process in (Poisson(), Renewal(Exponential(3))):
        with pytest.raises(InputError, match="rate = None"):
            process.times(np.random.default_rng(0))
    single = FixedTimes([3])
    assert single.rate is None
    assert single.times(np.random.default_rng(0))(2).tolist() == [3]
    with pytest.raises(InputError, match="times"):
        single.with_rate(1.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Poisson(-1), "rate = -1"),
        (lambda: Poisson(1).with_rate(math.nan), "rate = nan"),
        (lambda: Renewal(2.0), "law = 2.0"),  # type: ignore[arg-type]
        (lambda: Renewal(Deterministic(0)), "mean of law = 0.0"),
        (lambda: FixedTimes([]), r"times = \[\]"),
        (lambda: FixedTimes([1, math.inf]), r"times\[1\] = inf"),
        (lambda: FixedTimes([-1, 2]), r"times\[0\] = -1"),
        (lambda: FixedTimes([1, 3, 2]), r"times\[2\] = 2.0"),
    ],
)
def test_refuses_and_says_why(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(InputError, match=message):
        make()
