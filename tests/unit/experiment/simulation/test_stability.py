import math

import numpy as np
import pytest

import zerowait as zw
from zerowait.experiment.simulation.stability import (
    GROWING,
    STABLE,
    UNDECIDED,
    _Named,
    _saturation,
    by_formula,
    critical_growth,
    growth,
    is_rising,
    queue_at_limit,
    verdict_on,
)
from zerowait.policies import POLICIES, parse_policy
from zerowait.policies.fcfs import Fcfs, never_idle

RNG = np.random.default_rng(1)
TWO = zw.Workload(
    [zw.JobClass(1, 0.5, zw.Exponential(1.0)), zw.JobClass(4, 0.5, zw.Exponential(1.0))]
)
LINE = np.linspace(0.1, 1.0, 33)[
    1::2
]  # middles of the parts of a run whose first tenth is left out


def test_linear_growth_is_told_from_noise() -> None:
    assert is_rising(np.arange(1.0, 17.0))
    assert not is_rising(100 + 10 * RNG.standard_normal(16))
    assert not is_rising(100 + np.arange(16.0))  # a trend, but hardly any growth


def test_the_square_root_is_between_stable_and_growing() -> None:
    limit = critical_growth(0.1)
    assert growth(np.sqrt(LINE), 0.0) == pytest.approx(limit, rel=0.05)
    assert growth(np.ones(16), 0.0) < limit < growth(LINE, 0.0)
    # Jobs in service are no queue: they do not hide its growth.
    assert growth(50 + LINE, 50.0) == pytest.approx(growth(LINE, 0.0))


@pytest.mark.parametrize("in_service", [0.0, 5.0])
def test_runs_decide_together_or_not_at_all(in_service: float) -> None:
    def noisy(shape: np.ndarray, noise: float) -> list[np.ndarray]:
        return [in_service + 10 * shape + noise * RNG.random(16) for _ in range(4)]

    assert verdict_on(noisy(np.ones(16), 1.0), in_service) == STABLE
    assert verdict_on(noisy(LINE, 0.1), in_service) == GROWING
    either = noisy(np.ones(16), 0.1)[:2] + noisy(LINE, 0.1)[:2]
    assert verdict_on(either, in_service) == UNDECIDED
    assert verdict_on([np.full(16, np.nan)], in_service) == UNDECIDED
    assert verdict_on([np.arange(1.0, 5.0)], in_service) == UNDECIDED  # too few parts to say


def test_a_small_queue_is_stable_however_it_scatters() -> None:
    """First-Fit at load 0.8, 40 times its memory: what waits is far less than at any limit."""
    result = zw.simulate("figure1", 256, "first-fit", load=0.8, arrivals=20_000)
    assert not result.diverging
    assert result.notes == ()
    single = zw.Workload([zw.JobClass(1, 1.0, zw.Exponential(1.0))])
    critical = zw.simulate(single, 1, load=0.9999, arrivals=10_000, replications=20)
    assert critical.overall.in_system == pytest.approx(queue_at_limit(single, 10_000), rel=0.3)


@pytest.mark.parametrize(
    ("policy", "load", "verdict"),
    [
        ("fcfs", 0.49, STABLE),  # 3 of 6 servers are busy whenever a job of need 4 waits
        ("fcfs", 0.51, None),
        ("maxweight", 0.99, STABLE),
        ("maxweight-myopic", 0.99, None),
        ("sf", 0.99, None),  # six is no power of two
        ("first-fit", 0.2, None),
    ],
)
def test_stability_known_from_formulas(policy: str, load: float, verdict: str | None) -> None:
    assert never_idle(6, [1, 4]) == 0.5
    assert by_formula(TWO.with_load(6, load), 6, load, parse_policy(policy)) == verdict


def test_what_the_register_calls_throughput_optimal_is_stable_by_formula() -> None:
    """On servers and needs that every condition holds for; and on none where one fails."""
    for kind in set(POLICIES.values()):
        said = kind.throughput_optimal.startswith("yes")
        assert kind().is_throughput_optimal(8, [1, 4]) == said, kind.name
        if "if" in kind.throughput_optimal.split():
            assert not kind().is_throughput_optimal(9, [1, 2])
    assert by_formula(TWO, 8, 0.99, parse_policy("sf")) == STABLE
    assert by_formula(TWO, 12, 0.99, parse_policy("divisor-filling")) == STABLE


@pytest.mark.parametrize(("load", "diverging"), [(0.5, False), (0.95, False), (1.3, True)])
def test_a_single_server(load: float, diverging: bool) -> None:
    workload = zw.Workload([zw.JobClass(1, 1.0, zw.Exponential(1.0))]).with_load(1, load)
    if diverging:
        with pytest.warns(zw.UnstableWarning):
            result = zw.simulate(workload, 1, arrivals=200_000, seed=3, allow_unstable=True)
    else:
        result = zw.simulate(workload, 1, arrivals=200_000, seed=3)
    assert result.diverging is diverging


def test_the_saturated_system_of_fcfs() -> None:
    """Exactly where the chain is small, by simulation else: both of the same limit."""
    fcfs = parse_policy("fcfs")
    named = _Named(type(fcfs), fcfs.spec, fcfs)
    exact = _saturation(TWO.classes, 6, named, 20_000)
    assert exact.half_width == 0
    slow = [zw.JobClass(one.need, one.share, zw.Gamma(1.01, 1.0)) for one in TWO.classes]
    found = _saturation(tuple(slow), 6, named, 50_000)
    assert abs(found.mean - exact.mean) < 2 * found.half_width < 0.02


def test_fcfs_beyond_its_limit_is_diverging_and_says_why() -> None:
    """The limit of these needs is 0.7797: at 0.79 a short run cannot tell by itself."""
    beyond = zw.simulate(TWO, 6, load=0.79, arrivals=5_000)
    assert beyond.diverging
    assert "stability limit of FCFS" in beyond.notes[0]
    assert not zw.simulate(TWO, 6, load=0.75, arrivals=5_000).diverging


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_stable_system_near_its_limit_is_not_diverging(seed: int) -> None:
    """bs:fcfs of Figure 2a at load 0.99 has a mean response of 139."""
    result = zw.simulate("figure1", 2048, "bs:fcfs", load=0.99, arrivals=200_000, seed=seed)
    assert not result.diverging
    assert any("runs are short" in note for note in result.notes)


def test_fcfs_on_kit_is_diverging_where_its_mean_grows_with_the_run() -> None:
    result = zw.simulate("kit-fh2", 512, "fcfs", load=0.95, arrivals=200_000)
    assert result.diverging
    assert math.isnan(result.response)


def test_modified_splitting_is_told_by_its_helpers() -> None:
    result = zw.simulate("figure1", 2048, "mbs:fcfs", arrivals=2_000, replications=2)
    assert result.diverging


def test_where_nothing_tells_the_reader_is_told() -> None:
    result = zw.simulate("figure1", 2048, "lsf", load=0.99, arrivals=20_000)
    assert not result.diverging
    assert any("do not tell whether the system is stable" in note for note in result.notes)


def test_a_policy_that_wants_arguments_is_judged_like_any_other() -> None:
    class Wanting(Fcfs):
        name = "wanting"
        throughput_optimal = "yes"

        def __init__(self, keep: int) -> None:
            self.keep = keep

    assert by_formula(TWO, 8, 0.9, Wanting(3)) == STABLE


def test_no_theorem_holds_where_pauses_cost() -> None:
    """All the work that pauses add is beyond what theorems count: the queue decides."""
    found = [
        zw.simulate("figure1", 256, "maxweight", load=0.9, arrivals=40_000, preemption_cost=price)
        for price in ("0", "20%")
    ]
    assert [one.diverging for one in found] == [False, True]


def test_a_policy_near_its_limit_need_not_be_registered() -> None:
    class Unknown(Fcfs):
        name = "unknown"

    beyond = zw.simulate(TWO, 6, Unknown, load=0.79, arrivals=5_000)
    assert "stability limit of UNKNOWN" in beyond.notes[0]
