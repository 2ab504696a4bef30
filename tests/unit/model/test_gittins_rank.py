"""Tables of Gittins ranks against closed forms, the definition on a fine grid, and 30 digits."""

import math
from functools import cache
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import integrate

from zerowait.model.age_functions import Floats, RankTable, rank_table
from zerowait.model.laws import (
    BoundedPareto,
    Deterministic,
    Empirical,
    Erlang,
    Exponential,
    Gamma,
    Hyperexponential,
    Law,
    Lognormal,
    Mixture,
    Pareto,
    Uniform,
    Weibull,
)

BIMODAL = Mixture((0.6, 0.4), (Deterministic(1.0), Uniform(4.0, 6.0)))
LAWS = [
    Exponential(2.5),
    Deterministic(3.0),
    Uniform(1.0, 4.0),
    Hyperexponential((0.9, 0.1), (1.0, 20.0)),
    Erlang(3, 2.0),
    Gamma(0.4, 3.0),
    Weibull(0.7, 2.0),
    Weibull(3.0, 2.0),
    Lognormal(0.3, 1.5),
    Pareto(2.5, 1.5),
    BoundedPareto(1.2, 2.0, 300.0),
    Empirical([3.0, 1.0, 1.0, 0.0, 7.5]),
    BIMODAL,
]


def ages_of(law: Law) -> list[float]:
    """Ages that jobs reach, none at a breakpoint."""
    return [law.mean * share for share in (0.0, 0.013, 0.31, 0.77, 1.21, 2.3)]


table_of = cache(rank_table)


def rank_at(law: Law, age: float) -> float:
    return interpolated(table_of(law), table_of(law).ranks, age)


def residual_at(law: Law, age: float) -> float:
    return interpolated(table_of(law), table_of(law).residuals, age)


def interpolated(table: RankTable, values: Floats, age: float) -> float:
    """At an age equal to several entries the last one holds."""
    place = int(np.searchsorted(table.ages, age, side="right")) - 1
    return float(np.interp(age, table.ages[place : place + 2], values[place : place + 2]))


@cache
def by_definition(law: Law, age: float) -> float:
    """The infimum over a fine grid of stopping times, integrals by cumulative trapezoids."""
    far = law.mean * 400
    ends = np.unique(
        np.concatenate(
            [
                age + np.geomspace(1e-13 * law.mean, far, 130_000),
                law.breakpoints[law.breakpoints > age],
                np.nextafter(law.breakpoints[law.breakpoints > age], 0),
            ]
        )
    )
    ends = np.concatenate([[age], ends])
    tail = 1 - np.asarray(law.cdf(ends))
    if tail[0] <= 0:
        return 0.0
    integral = np.concatenate([[0.0], np.cumsum(np.diff(ends) * (tail[1:] + tail[:-1]) / 2)])
    gone = tail[0] - tail
    return float(np.min(integral[gone > 1e-9 * tail[0]] / gone[gone > 1e-9 * tail[0]]))


@cache
def integral_of_the_tail(law: Law, age: float) -> float:
    """The mean residual life: the tail integrated from breakpoint to breakpoint."""
    if law.survival(age) <= 0:
        return 0.0
    later = law.breakpoints[law.breakpoints > age]
    cuts = sorted({age, *later, *(age + law.mean * 4.0 ** np.arange(40))})
    pieces = (integrate.quad(law.survival, a, b)[0] for a, b in pairwise(cuts))
    return math.fsum(pieces) / law.survival(age)


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_rank_equals_the_definition(law: Law) -> None:
    for age in ages_of(law):
        rank, expected = rank_at(law, age), by_definition(law, age)
        if age == 0 and expected < 1e-2 * law.mean:  # 1 / hazard(0) = 0: no grid is fine enough
            assert rank < 1e-2 * law.mean
        else:
            assert rank == pytest.approx(expected, rel=5e-4)
        assert residual_at(law, age) >= rank * (1 - 1e-6)


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_mean_residual_is_the_integral_of_the_tail(law: Law) -> None:
    assert residual_at(law, 0.0) == pytest.approx(law.mean / law.survival(0.0), rel=1e-7)
    for age in ages_of(law):
        assert residual_at(law, age) == pytest.approx(integral_of_the_tail(law, age), rel=1e-4)


def test_closed_forms() -> None:
    for age in (0.0, 0.4, 2.9):
        assert rank_at(Exponential(2.5), age) == pytest.approx(2.5, rel=1e-6)
        assert residual_at(Exponential(2.5), age) == pytest.approx(2.5, rel=1e-6)
        assert rank_at(Deterministic(3.0), age) == pytest.approx(3.0 - age, rel=1e-9)
        assert residual_at(Deterministic(3.0), age) == pytest.approx(3.0 - age, rel=1e-9)
    # A rising hazard: the mean residual life.
    assert rank_at(Uniform(1.0, 4.0), 0.5) == pytest.approx(2.0, rel=1e-6)
    assert rank_at(Uniform(1.0, 4.0), 2.0) == pytest.approx(1.0, rel=1e-6)
    # A falling one: the inverse hazard.
    assert rank_at(Pareto(2.5, 1.5), 6.0) == pytest.approx(6.0 / 2.5, rel=1e-4)
    assert residual_at(Pareto(1.1, 1.5), 6.0) == pytest.approx(6.0 / 0.1, rel=1e-5)
    # Two atoms: stop after the first, or never.
    two = Empirical([1.0, 1.0, 1.0, 9.0])
    assert rank_at(two, 0.0) == pytest.approx(1 / 0.75)
    assert rank_at(two, 1.0) == pytest.approx(8.0)  # the first atom has passed
    assert rank_at(two, 2.0) == pytest.approx(7.0)


def test_a_rank_that_bends_towards_the_minimum_of_a_pareto_law() -> None:
    # For a below the minimum m: the least (m - a + int_m^b T) / (1 - T(b)), T(b) = (m / b)**2.5.
    law, m = Pareto(2.5, 1.5), 1.5
    b = np.geomspace(m + 1e-9, 1e4, 500_000)
    for age in (0.1, 1.0, 1.2, 1.4, 1.45, 1.49, 1.499):
        served = m - age + m / 1.5 * (1 - (b / m) ** -1.5)
        expected = float(np.min(served / (1 - (b / m) ** -2.5)))
        assert rank_at(law, age) == pytest.approx(expected, rel=2e-4)


def test_a_falling_hazard_makes_the_rank_grow_with_age() -> None:
    for law in (Hyperexponential((0.9, 0.1), (1.0, 20.0)), Weibull(0.5, 1.0), Gamma(0.4, 3.0)):
        ranks = table_of(law).ranks
        assert (np.diff(ranks) >= -1e-5 * ranks[1:]).all()
        grown = [rank_at(law, age) for age in np.linspace(0.01, 30, 40)]
        assert all(a < b for a, b in pairwise(grown))


def test_tables_are_made_for_a_kernel() -> None:
    for law in LAWS:
        table = table_of(law)
        assert table.ages[0] == 0
        assert (np.diff(table.ages) >= 0).all()
        for values in (table.ranks, table.residuals):
            assert values.shape == table.ages.shape
            assert np.isfinite(values).all()
            assert (values >= 0).all()
    assert rank_at(Deterministic(0.0), 0.0) == 0


def in_30_digits(law: Law) -> tuple[Any, Any, Any]:
    """Tail, its integral from a time on, and the density, from closed forms."""
    mp = mpmath
    match law:
        case Lognormal(mu=mu, sigma=sigma):
            m, s = mp.mpf(mu), mp.mpf(sigma)
            mean = mp.exp(m + s * s / 2)

            def tail(t: Any) -> Any:
                return mp.ncdf((m - mp.log(t)) / s)

            return (
                tail,
                lambda t: mean * mp.ncdf((m + s * s - mp.log(t)) / s) - t * tail(t),
                lambda t: mp.npdf((mp.log(t) - m) / s) / (t * s),
            )
        case Gamma(shape=shape, scale=scale):
            k, c = mp.mpf(shape), mp.mpf(scale)

            def above(t: Any, order: Any = k) -> Any:
                return mp.gammainc(order, t / c, regularized=True)

            return (
                above,
                lambda t: k * c * above(t, k + 1) - t * above(t),
                lambda t: (t / c) ** (k - 1) * mp.exp(-t / c) / (c * mp.gamma(k)),
            )
        case Weibull(shape=shape, scale=scale):
            k, c = mp.mpf(shape), mp.mpf(scale)
            return (
                lambda t: mp.exp(-((t / c) ** k)),
                lambda t: c / k * mp.gammainc(1 / k, (t / c) ** k),
                lambda t: k / c * (t / c) ** (k - 1) * mp.exp(-((t / c) ** k)),
            )
    raise AssertionError(law)


def exact_rank(law: Law, age: float) -> float:
    """The least slope to a later time, the limit at the age and the one at infinity included."""
    with mpmath.workdps(30):
        tail, excess, density = in_30_digits(law)
        a = mpmath.mpf(age)

        def slope(b: Any) -> Any:
            return (excess(a) - excess(b)) / (tail(a) - tail(b))

        ends = [a + mpmath.mpf(step) * law.mean for step in np.geomspace(1e-5, 30, 60)]
        ends = [b for b in ends if tail(b) > 1e-25]
        best = min(range(len(ends)), key=lambda i: slope(ends[i]))
        low, high = ends[max(best - 1, 0)], ends[min(best + 1, len(ends) - 1)]
        while high - low > 1e-9 * high:
            left, right = low + (high - low) / 3, high - (high - low) / 3
            low, high = (low, right) if slope(left) < slope(right) else (left, high)
        return float(min(slope(low), tail(a) / density(a), excess(a) / tail(a)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "law",
    [
        Lognormal.from_mean_std(1.0, 3.0),
        Lognormal.from_mean_std(1.0, 0.5),
        Gamma(0.4, 3.0),
        Gamma(3.0, 1.0),
        Weibull(3.0, 2.0),
        Weibull(0.6, 1.0),
    ],
    ids=repr,
)
def test_ranks_in_30_digits(law: Law) -> None:
    for age in (0.01, 0.1, 0.5, 3.0):
        assert rank_at(law, age) == pytest.approx(exact_rank(law, age), rel=3e-5), age
