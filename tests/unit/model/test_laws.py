"""Every law: moments, cdf and samples against scipy, quadrature and the DKW bound."""

import inspect
import itertools
import math
import pickle
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

import zerowait as zw
from zerowait.model import InputError
from zerowait.model.laws import (
    LAWS,
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

KNOWN = {  # law -> the same in scipy
    Exponential(2.5): stats.expon(scale=2.5),
    Erlang(3, 2.0): stats.gamma(3, scale=2 / 3),
    Lognormal(0.3, 0.8): stats.lognorm(0.8, scale=math.exp(0.3)),
    Gamma(0.4, 3.0): stats.gamma(0.4, scale=3),
    Weibull(0.7, 2.0): stats.weibull_min(0.7, scale=2),
    Pareto(2.5, 1.5): stats.pareto(2.5, scale=1.5),
    BoundedPareto(1.2, 2.0, 300.0): stats.truncpareto(1.2, 150, scale=2),
    BoundedPareto(1, 2, 20): stats.truncpareto(1, 10, scale=2),
    BoundedPareto(2.0, 2.0, 20.0): stats.truncpareto(2, 10, scale=2),
    Uniform(1.0, 4.0): stats.uniform(1, 3),
}
OTHERS = [
    Deterministic(3.0),
    Deterministic(0),
    Hyperexponential((0.2, 0.5, 0.3), (1.0, 0.1, 5.0)),
    Hyperexponential.from_mean_std(3.0, 12.0),
    Empirical([3.0, 1.0, 1.0, 0.0, 7.5]),
    Mixture((0.25, 0.75), (Deterministic(2.0), Uniform(0.0, 3.0))),
    Mixture((0.1, 0.6, 0.3), (Erlang(2, 1.0), Gamma(2.0, 0.1), Exponential(1.0))),
]
ALL = [*KNOWN, *OTHERS]


def test_every_registered_law_is_tested() -> None:
    assert {law.name for law in ALL} == set(LAWS)


@pytest.mark.parametrize("law", KNOWN, ids=repr)
def test_agrees_with_scipy(law: Law) -> None:
    twin = KNOWN[law]
    assert law.mean == pytest.approx(twin.mean(), rel=1e-9)
    assert law.variance == pytest.approx(twin.var(), rel=1e-7)
    x = np.concatenate([[-1.0, 0.0], twin.ppf(np.linspace(0.001, 0.999, 97)), [1e9]])
    np.testing.assert_allclose(law.cdf(x), twin.cdf(x), rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("law", OTHERS, ids=repr)
def test_moments_are_integrals_of_the_tail(law: Law) -> None:
    # E X = int P(X > x) dx, E X**2 = int 2 x P(X > x) dx, piecewise between the atoms
    atoms = np.unique(np.concatenate([[0.0, 1.0, 2.0, 3.0, 7.5], np.geomspace(0.1, 2000, 60)]))
    pieces = list(pairwise(atoms))

    def integral(weight: float) -> float:
        def tail(x: float) -> float:
            return (1 - law.cdf(x)) * (2 * x if weight else 1)

        return math.fsum(integrate.quad(tail, a, b, epsabs=1e-8)[0] for a, b in pieces)

    first, second = integral(0), integral(1)
    assert law.mean == pytest.approx(first, rel=1e-8, abs=1e-8)
    assert law.variance == pytest.approx(second - first**2, rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("law", ALL, ids=repr)
def test_samples_follow_the_cdf(law: Law) -> None:
    n = 200_000
    values = np.sort(law.sample(np.random.default_rng(20240611), n))
    assert values.dtype == np.float64
    assert values.shape == (n,)
    assert values[0] >= 0
    # Dvoretzky-Kiefer-Wolfowitz, valid with atoms too: P(sup |F_n - F| > d) <= 2 exp(-2 n d**2)
    bound = math.sqrt(math.log(2 / 1e-4) / (2 * n))
    at, counts = np.unique(values, return_counts=True)
    upto = np.cumsum(counts) / n
    assert np.max(np.abs(upto - law.cdf(at))) < bound
    left = np.asarray(law.cdf(np.nextafter(at, -np.inf)))
    assert np.max(np.abs(upto - counts / n - left)) < bound


@pytest.mark.parametrize("law", ALL, ids=repr)
def test_is_a_value(law: Law) -> None:
    twin = pickle.loads(pickle.dumps(law))
    assert twin == law
    assert hash(twin) == hash(law)
    assert twin is not law
    assert law != Exponential(123.0)
    assert repr(law).startswith(type(law).__name__ + "(")
    assert "\n" not in repr(law)
    assert isinstance(law.cdf(1.0), float)
    assert law.cdf(-1.0) == 0
    assert np.asarray(law.cdf(np.ones((2, 3)))).shape == (2, 3)
    assert law.std == math.sqrt(law.variance)
    assert law.scv == pytest.approx(law.variance / law.mean**2 if law.mean else 0.0)


@pytest.mark.parametrize("family", [Lognormal, Hyperexponential])
@pytest.mark.parametrize(("mean", "std"), [(1.0, 1.0), (1436.82, 6250.19), (0.01, 40.0)])
def test_from_mean_std(
    family: type[Lognormal] | type[Hyperexponential], mean: float, std: float
) -> None:
    law = family.from_mean_std(mean, std)
    assert law.mean == pytest.approx(mean, rel=1e-13)
    assert law.std == pytest.approx(std, rel=1e-9)


def test_hyperexponential_fit_has_balanced_means() -> None:
    law = Hyperexponential.from_mean_std(2.0, 5.0)
    first, second = (p * m for p, m in zip(law.probabilities, law.means, strict=True))
    assert first == pytest.approx(second)


def test_variance_may_be_infinite_and_stays_accurate() -> None:
    assert Pareto(1.5, 1.0).variance == math.inf
    assert Mixture((1.0, 0.0), (Exponential(1), Pareto(1.5, 1))).variance == 1
    assert Weibull(1e6, 1.0).variance == pytest.approx(math.pi**2 / 6 * 1e-12, rel=1e-5)
    assert BoundedPareto(1.5, 1.0, 1 + 1e-9).variance >= 0
    assert BoundedPareto(1.1, 1e-9, 1e9).cdf(1e9) == 1
    assert Weibull(1e9, 1e10).variance >= 0
    assert Exponential(0.1).scv == pytest.approx(1)


EXTREMES = [0, 5e-324, 1e-200, 1e-99, 1e-10, 1, 2.0, 3, 1e8, 1e99, 1e200, 1.7e308, 10**400]


def extreme_parameters(law: type[Law]) -> Iterator[tuple[Any, ...]]:
    if law is Mixture:
        tails = (Exponential(1e99), Exponential(1e-99), Pareto(1.001, 1e90))
        yield from (((0.5, 0.5), pair) for pair in itertools.product(tails, repeat=2))
    elif law is Hyperexponential:
        pairs = itertools.product(EXTREMES, repeat=2)
        yield from (((p, 1 - p), pair) for pair in pairs for p in (0.5, 1e-12))
    elif law is Empirical:
        yield from ((list(pair),) for pair in itertools.product(EXTREMES, repeat=2))
    else:
        count = len(inspect.signature(law).parameters)
        yield from itertools.product(EXTREMES, repeat=count)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_beyond_the_floats_a_law_is_refused_or_computes(law: type[Law]) -> None:
    rng = np.random.default_rng(1)
    refused = 0
    for parameters in extreme_parameters(law):
        try:
            made = law(*parameters)
        except InputError:
            refused += 1
            continue
        assert made.mean == 0 or 1e-100 <= made.mean <= 1e100
        assert min(made.variance, made.std, made.scv) >= 0
        for values in (made.cdf([0, 1, 1e300]), made.survival([0, 1, 1e300])):
            assert ((np.asarray(values) >= 0) & (np.asarray(values) <= 1)).all()
        drawn = made.sample(rng, 3)
        assert (np.isfinite(drawn) & (drawn >= 0)).all()
    assert refused or law is Mixture
    with pytest.raises(InputError, match=r"phases = .* at most"):
        Erlang(10**400, 1.0)


def test_empirical_ignores_order_and_cannot_be_changed() -> None:
    given = np.array([3.0, 1.0, 2.0])
    law = Empirical(given)
    given[0] = 99.0
    assert law == Empirical((1, 2, 3))
    assert hash(law) == hash(Empirical((1, 2, 3)))
    with pytest.raises(ValueError, match="read-only"):
        law.values[0] = 5.0  # type: ignore[index]
    assert "1000 values" in repr(Empirical(np.ones(1000)))


@pytest.mark.parametrize(
    ("make", "field", "value"),
    [
        (lambda: Exponential(0), "mean", "0"),
        (lambda: Exponential(math.nan), "mean", "nan"),
        (lambda: Exponential("1"), "mean", "'1'"),  # type: ignore[arg-type]
        (lambda: Exponential(True), "mean", "True"),
        (lambda: Exponential(10**400), "mean", "1000"),
        (lambda: Deterministic(-1), "value", "-1"),
        (lambda: Erlang(2.5, 1), "phases", "2.5"),  # type: ignore[arg-type]
        (lambda: Erlang(0, 1), "phases", "0"),
        (lambda: Hyperexponential([0.5, 0.6], [1, 2]), "probabilities", "1.1"),
        (lambda: Hyperexponential([0.5, 0.5], [1, -2]), "means[1]", "-2"),
        (lambda: Hyperexponential([0.5, 0.5], [1]), "means", "1.0"),
        (lambda: Hyperexponential.from_mean_std(2.0, 1.0), "std", "1.0"),
        (lambda: Lognormal(math.inf, 1), "mu", "inf"),
        (lambda: Lognormal(0, 0), "sigma", "0"),
        (lambda: Lognormal(0, 40), "sigma", "40"),
        (lambda: Gamma(-1, 1), "shape", "-1"),
        (lambda: Weibull(1e-3, 1), "shape", "0.001"),
        (lambda: Weibull(1, np.float64("nan")), "scale", "nan"),
        (lambda: Pareto(1, 1), "shape", "1"),
        (lambda: Pareto(1.5, 0), "minimum", "0"),
        (lambda: BoundedPareto(1, 2, 2), "maximum", "2"),
        (lambda: Uniform(2, 1), "high", "1"),
        (lambda: Empirical([]), "values", "[]"),
        (lambda: Empirical([1, -2]), "values[1]", "-2"),
        (lambda: Empirical([1, math.nan]), "values[1]", "nan"),
        (lambda: Empirical([[1.0]]), "values", "[[1.0]]"),  # type: ignore[list-item]
        (lambda: Empirical(["a"]), "values", "'a'"),  # type: ignore[list-item]
        (lambda: Mixture([1.0], [3.0]), "laws[0]", "3.0"),  # type: ignore[list-item]
        (lambda: Mixture([], []), "weights", "[]"),
        (lambda: Mixture([0.5, 0.5], [Exponential(1)]), "laws", "Exponential"),
    ],
)
def test_refuses_and_says_why(make: object, field: str, value: str) -> None:
    assert callable(make)
    with pytest.raises(InputError) as error:
        make()
    message = str(error.value)
    assert field in message.split(" = ")[0]
    assert value in message.split(" = ")[1]
    assert ": " in message
    assert "\n" not in message


def test_every_law_has_a_public_name() -> None:
    """`make docs` links each; CONTRIBUTING says where a law is exported."""
    for law in LAWS.values():
        assert getattr(zw, law.__name__, None) is law, law


def test_a_name_is_registered_once() -> None:
    class Other(Exponential):
        pass

    with pytest.raises(InputError, match="exponential"):
        LAWS.register(Other)
    assert LAWS["exponential"] is Exponential
