"""On one server the policies by size and by rank are known queues: M/G/1 SRPT, M/M/1.

Sixteen comparisons at level 0.9999.
"""

import pytest
from scipy.integrate import quad

import zerowait as zw
from tests.statistical.test_theory import REPLICATIONS, agree, one_class

pytestmark = pytest.mark.slow

LOAD = 0.8


def srpt_response(law: zw.Law, rate: float, end: float) -> float:
    """Schrage and Miller 1966: the mean over sizes of residence and waiting time.

    Integrals over the density are taken by parts, so that the tail is all that is asked of a law;
    `end` is where it is as good as zero.
    """
    tail = law.survival

    def rho(x: float) -> float:
        return rate * (quad(tail, 0, x)[0] - x * tail(x))

    def wait(x: float) -> float:
        # Twice the integral of t P(S > t): second moment of min(S, x).
        return rate * quad(lambda t: t * tail(t), 0, x)[0] / (1 - rho(x)) ** 2

    residence = quad(lambda x: tail(x) / (1 - rho(x)), 0, end, limit=200)[0]
    waiting = quad(lambda x: wait(x) * density(law, x), 0, end, limit=200)[0]
    return residence + waiting


def density(law: zw.Law, x: float) -> float:
    """By a difference of the distribution function."""
    low, high = max(x - 1e-5 * law.mean, 0.0), x + 1e-5 * law.mean
    return (law.survival(low) - law.survival(high)) / (high - low)


LAWS = {
    "exponential": (zw.Exponential(1.0), 40.0),
    "uniform": (zw.Uniform(0.0, 2.0), 2.0),
    "hyperexponential": (zw.Hyperexponential((0.8, 0.2), (0.5, 3.0)), 100.0),
}


def test_the_formula_is_well_below_that_of_fcfs() -> None:
    """No published value, only a guard against slips: FCFS has 5, and SRPT is optimal."""
    law, end = LAWS["exponential"]
    assert 5 / 2.4 < srpt_response(law, LOAD, end) < 5 / 2.0


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("policy", ["ff-srpt", "greedy-srpt", "sf-srpt", "df-srpt"])
def test_srpt(policy: str, name: str) -> None:
    law, end = LAWS[name]
    result = zw.simulate(
        one_class(1, law), 1, policy, load=LOAD, arrivals=100_000, seed=14,
        replications=REPLICATIONS,
    )  # fmt: skip
    agree(result, "response", srpt_response(law, LOAD / law.mean, end))


@pytest.mark.parametrize("policy", ["sf-gittins", "df-gittins"])
def test_gittins_of_exponential_services_is_any_queue(policy: str) -> None:
    """All ranks are equal, so jobs come in order of arrival: M/M/1."""
    result = zw.simulate(
        one_class(1, zw.Exponential(1.0)), 1, policy, load=LOAD, arrivals=200_000, seed=15,
        replications=REPLICATIONS,
    )  # fmt: skip
    agree(result, "response", 1 / (1 - LOAD))


@pytest.mark.parametrize("fill", ["sf", "df"])
def test_gittins_of_deterministic_services_is_srpt(fill: str) -> None:
    """One class per service time, on eight servers: the same mean, from the same stream."""
    kinds = [(1, 1.0), (2, 2.0), (4, 1.5), (8, 0.25)]
    classes = [zw.JobClass(need, 0.25, zw.Deterministic(value)) for need, value in kinds]
    by_rank, by_size = (
        zw.simulate(zw.Workload(classes), 8, policy, load=LOAD, arrivals=100_000, seed=16)
        for policy in (f"{fill}-gittins", f"{fill}-srpt")
    )
    assert by_rank.response == pytest.approx(by_size.response, rel=1e-3)
    assert by_rank.preemptions == pytest.approx(by_size.preemptions, rel=1e-2)
