"""Small chains: closed forms, an independent decision by decision check, truncation, speed."""

import numpy as np
import pytest
from scipy.sparse import diags_array

import zerowait as zw
from tests.oracle.naive import SERVE as NAIVE
from tests.oracle.naive import Job
from zerowait.analysis import markov_chain as solve
from zerowait.analysis.chain_rules import (
    ChainRules,
    ChainSystem,
    FcfsByHead,
    NonpreemptiveRules,
    PreemptiveRules,
    decide_fcfs,
    decide_first_fit,
    decide_most_servers_first,
    decide_server_filling,
)
from zerowait.analysis.markov_chain import (
    Chain,
    Exploration,
    TooManyStatesError,
    _direct,
    _sweep,
    extrapolate,
    stationary,
)
from zerowait.analysis.small_system import solve_exactly
from zerowait.model import split_from_slots

TWO = zw.Workload(
    [zw.JobClass(1, 0.7, zw.Exponential(1.0)), zw.JobClass(2, 0.3, zw.Exponential(2.0))]
)
PLAIN = ["fcfs", "first-fit", "msf", "sf"]
SYSTEM = ChainSystem(6, (1, 2, 4), (1.0, 0.5, 2.0), (0.5, 0.3, 0.2))


@pytest.mark.parametrize("policy", PLAIN)
@pytest.mark.parametrize("load", [0.3, 0.8])
def test_one_class_is_erlang_c(policy: str, load: float) -> None:
    workload = zw.Workload([zw.JobClass(2, 1.0, zw.Exponential(2.0))]).with_load(10, load)
    found = solve_exactly(workload, 10, policy)
    c = zw.erlang_c(5, 5 * load)
    assert found.p_wait == pytest.approx(c, abs=1e-10)
    assert found.response == pytest.approx(2 + c * 2 / (5 - 5 * load), abs=1e-8)
    assert found.utilisation == pytest.approx(load, abs=1e-10)
    assert found.truncation_error < 1e-8


def test_bs_of_one_class_is_erlang_c_over_all_slots() -> None:
    workload = zw.Workload([zw.JobClass(2, 1.0, zw.Exponential(2.0))]).with_load(10, 0.6)
    found = solve_exactly(workload, 10, "bs:fcfs", split=split_from_slots([2], [3], 10))
    assert found.p_wait == pytest.approx(zw.erlang_c(5, 3), abs=1e-10)
    # It bounds, and here it is not met: rule 3 sends jobs back to their own servers.
    assert found.served_by_helpers < zw.erlang_b(3, 3) < found.routed_to_helpers


@pytest.mark.slow
def test_mbs_routing_is_corollary_1() -> None:
    workload = TWO.with_load(12, 0.1)
    split = split_from_slots([1, 2], [2, 2], 12)
    found = solve_exactly(workload, 12, "mbs:fcfs", split=split, max_jobs=14)
    bounds = zw.helper_bounds(workload, 12, split)
    assert found.lost < 1e-8
    assert found.routed_to_helpers == pytest.approx(bounds.bound, abs=2e-8)
    assert found.served_by_helpers == pytest.approx(bounds.bound, abs=2e-8)
    for one, expected in zip(found.classes, bounds.blocking, strict=True):
        assert one.served_by_helpers == pytest.approx(expected, abs=2e-8)


def test_corollary_1_and_erlang_c_bound_bs() -> None:
    for load in (0.3, 0.5):
        workload = TWO.with_load(8, load)
        split = split_from_slots([1, 2], [3, 2], 8)
        bounds = zw.helper_bounds(workload, 8, split)
        for policy in ("bs:fcfs", "bs:first-fit"):
            found = solve_exactly(workload, 8, policy, split=split, max_jobs=14)
            for i, one in enumerate(found.classes):
                assert one.served_by_helpers < bounds.blocking[i]
                assert one.p_wait <= one.routed_to_helpers < bounds.waiting[i]


def test_fcfs_by_head_is_fcfs_by_order() -> None:
    system = ChainSystem(5, (1, 3), (1.0, 0.5), (0.6, 0.4))
    rates = [0.3, 0.2]
    by_head = Exploration(FcfsByHead(system), rates).chain(11)
    by_order = Exploration(
        NonpreemptiveRules(system, decide_fcfs, (0, 0), 5, split=False), rates
    ).chain(11)
    assert by_head.n_states < by_order.n_states / 3
    for chain in (by_head, by_order):
        pi = stationary(chain.rates, chain.sizes)
        values = [*(pi @ chain.present), *(pi @ chain.waits), pi @ chain.busy]
        if chain is by_head:
            expected = values
    assert values == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize(
    "rules",
    [
        NonpreemptiveRules(SYSTEM, decide_first_fit, (2, 0, 0), 4),
        PreemptiveRules(SYSTEM, decide_server_filling),
        PreemptiveRules(SYSTEM, decide_most_servers_first),
        FcfsByHead(SYSTEM),
    ],
    ids=lambda rules: getattr(getattr(rules, "decide", None), "__name__", "by head"),
)
def test_a_chain_is_the_same_by_itself_grown_and_cut(rules: ChainRules) -> None:
    """Cut also out of an exploration that was given up in the middle."""
    rates = [0.5, 0.3, 0.2]
    alone = {jobs: Exploration(rules, rates).chain(jobs) for jobs in (4, 6, 7)}
    expected = {jobs: pytest.approx(values_of(chain), abs=1e-13) for jobs, chain in alone.items()}
    for spare in (0, 7, alone[7].n_states, 2 * alone[7].n_states):
        several = Exploration(rules, rates, max_states=alone[7].n_states + spare)
        for jobs in (4, 7):
            assert values_of(several.chain(jobs)) == expected[jobs]
        with pytest.raises(TooManyStatesError):
            several.chain(16)
        for jobs in (4, 6, 7):
            assert values_of(several.chain(jobs)) == expected[jobs]


def values_of(chain: Chain) -> list[float]:
    pi = stationary(chain.rates, chain.sizes)
    means = [pi @ one for one in (chain.present, chain.on_helpers, chain.waits, chain.routed)]
    return [chain.n_states, float(pi @ chain.busy), *(float(x) for one in means for x in one)]


def test_decisions_are_the_oracle_s() -> None:
    rng = np.random.default_rng(5)
    needs = (1, 2, 5)
    for _ in range(300):
        jobs = rng.integers(0, 3, rng.integers(0, 9)).tolist()
        idle = int(rng.integers(0, 12))
        naive_jobs = [Job(i, 0.0, needs[c], 1.0, c, 1.0) for i, c in enumerate(jobs)]
        for name, decide in (("fcfs", decide_fcfs), ("first-fit", decide_first_fit)):
            expected = [job.position for job in NAIVE[name](naive_jobs, idle)]
            assert decide(jobs, needs, idle) == expected


def test_preemptive_decisions() -> None:
    needs = (1, 2, 4)
    # k = 4, arrivals 1, 1, 2, 4: the first three fill the servers; server-filling stops there.
    assert sorted(decide_server_filling([0, 0, 1, 2], needs, 4)) == [0, 1, 2]
    # 1, 1, 4: the prefix is all three, the largest fills the servers alone.
    assert decide_server_filling([0, 0, 2], needs, 4) == [2]
    assert decide_server_filling([0, 0], needs, 4) == [0, 1]
    # k = 5, arrivals 1, 4, 4: the prefix is 1 and 4.
    assert sorted(decide_server_filling([0, 2, 2], needs, 5)) == [0, 1]
    # Largest first, and each that fits: 4, then not 2, then 1.
    assert decide_most_servers_first([0, 1, 2], needs, 5) == [2, 0]


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["first-fit", "sf", "bs:fcfs", "mbs:fcfs"])
def test_truncation_error_is_what_longer_chains_change(policy: str) -> None:
    workload = TWO.with_load(8, 0.3)
    split = split_from_slots([1, 2], [2, 2], 8) if "bs" in policy else None
    short = solve_exactly(workload, 8, policy, split=split, max_jobs=10)
    long = solve_exactly(workload, 8, policy, split=split, max_jobs=13)
    for measure in ("response", "p_wait", "served_by_helpers", "routed_to_helpers"):
        change = abs(getattr(short, measure) - getattr(long, measure))
        assert change < short.truncation_error < 0.1
    assert long.truncation_error < short.truncation_error
    assert long.lost < short.lost


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "load", "within"),
    [("first-fit", 0.2, 1e-7), ("sf", 0.15, 1e-7), ("bs:fcfs", 0.25, 1e-7), ("bs:fcfs", 0.4, 1e-3)],
)
def test_extrapolation(policy: str, load: float, within: float) -> None:
    workload = TWO.with_load(8, load)
    split = split_from_slots([1, 2], [2, 2], 8) if "bs" in policy else None
    found = solve_exactly(workload, 8, policy, split=split, max_states=9_000)
    assert found.truncation_error < within
    # What is known: all work is done in the end, and Little's law.
    assert abs(found.utilisation - load) < found.truncation_error
    rate = load * 8 / workload.demand
    assert abs(found.in_system - rate * found.response) < 10 * rate * found.truncation_error
    # What longer chains say, their own limit taken.
    longer = solve_exactly(workload, 8, policy, split=split, max_states=20_000, tolerance=1e-13)
    for measure in ("response", "p_wait", "served_by_helpers", "routed_to_helpers"):
        assert abs(getattr(found, measure) - getattr(longer, measure)) <= found.truncation_error


@pytest.mark.parametrize(
    ("policy", "load", "states"), [("sf", 0.7, 8_000), ("first-fit", 0.8, 20_000)]
)
def test_the_claimed_error_holds_where_columns_agree_by_chance(
    policy: str, load: float, states: int
) -> None:
    """Two classes that are one: M/M/2. The last columns differ by a hundredth of their error."""
    classes = [zw.JobClass(need=1, share=s, service=zw.Exponential(2.0)) for s in (0.4, 0.6)]
    found = solve_exactly(zw.Workload(classes).with_load(2, load), 2, policy, max_states=states)
    p_wait = zw.erlang_c(2, 2 * load)
    assert found.extrapolated
    assert abs(found.p_wait - p_wait) < found.truncation_error
    response = 2 + p_wait * 2 / (2 - 2 * load)
    assert found.truncation_error / 50 < abs(found.response - response) < found.truncation_error


@pytest.mark.slow
def test_extrapolated_mbs_routing_is_corollary_1() -> None:
    # Cut chains lose arrivals, and so block less often; their limit does not.
    workload = TWO.with_load(8, 0.3)
    split = split_from_slots([1, 2], [2, 2], 8)
    found = solve_exactly(workload, 8, "mbs:fcfs", split=split, max_states=30_000)
    bounds = zw.helper_bounds(workload, 8, split)
    assert found.extrapolated
    assert abs(found.served_by_helpers - bounds.bound) < 1e-6
    cut = solve_exactly(workload, 8, "mbs:fcfs", split=split, max_jobs=found.max_jobs)
    assert abs(cut.served_by_helpers - bounds.bound) > 1e-5


def test_epsilon_algorithm() -> None:
    geometric = [1 - 0.6**n + 0.3 * 0.4**n for n in range(5, 10)]
    limit, error = extrapolate(geometric)
    assert abs(limit - 1) < 1e-9
    assert abs(limit - 1) < error
    assert extrapolate([0.0] * 7) == (0.0, 0.0)
    assert extrapolate([2.0]) == (2.0, 0.0)


@pytest.mark.parametrize("load", [0.2, 0.6, 0.95])
def test_sweeps_agree_with_elimination(load: float) -> None:
    system = ChainSystem(8, (1, 2), (1.0, 0.5), (0.7, 0.3))
    rates = [load * 8 / 1.9 * share for share in system.shares]
    for rules, jobs in (
        (NonpreemptiveRules(system, decide_fcfs, (2, 2), 2), 14),
        (NonpreemptiveRules(system, decide_first_fit, (0, 0), 8, split=False), 14),
        (FcfsByHead(system), 300),
    ):
        chain = Exploration(rules, rates).chain(jobs)
        outflow = np.asarray(chain.rates.sum(axis=1)).reshape(-1)
        balance = (diags_array(outflow) - chain.rates.T).tocsc()
        swept = _sweep(balance, chain.rates, chain.sizes)
        assert swept is not None
        assert np.abs(swept - _direct(balance)).max() < 1e-13


def test_stiff_chains_fall_back_on_elimination(monkeypatch: pytest.MonkeyPatch) -> None:
    # Services of 1 and of 100 on all servers: here the sweeps do not settle.
    system = ChainSystem(6, (1, 6), (1.0, 0.01), (0.99, 0.01))
    chain = Exploration(FcfsByHead(system), [0.4, 0.004]).chain(100)
    expected = stationary(chain.rates, chain.sizes)
    monkeypatch.setattr(solve, "DIRECT", 1)
    monkeypatch.setattr(solve, "DIRECT_WORK", 1)
    monkeypatch.setattr(solve, "MAX_SWEEPS", 300)
    assert np.abs(stationary(chain.rates, chain.sizes) - expected).max() < 1e-14
    assert np.abs(chain.rates.T @ expected - expected * chain.rates.sum(axis=1)).max() < 1e-15


def test_refuses_and_says_why() -> None:
    workload = TWO.with_load(8, 0.5)
    with pytest.raises(zw.InputError, match=r"policy = 'easy': has no chain; known: fcfs"):
        solve_exactly(workload, 8, "easy")
    with pytest.raises(zw.InputError, match=r"max_jobs = 40: makes more than 1000 states"):
        solve_exactly(workload, 8, "first-fit", max_jobs=40, max_states=1000)
    with pytest.raises(zw.InputError, match=r"max_states = 10: is too few for 10 jobs"):
        solve_exactly(workload, 8, "first-fit", max_states=10)
    with pytest.raises(zw.InputError, match=r"Deterministic.*the chain needs Exponential"):
        solve_exactly(zw.Workload([zw.JobClass(1, 1, zw.Deterministic(1))]).with_load(2, 0.5), 2)
    with pytest.raises(zw.InputError, match="would wait for ever"):
        solve_exactly(workload, 8, "mbs:fcfs", split=split_from_slots([1, 2], [3, 2], 8))
