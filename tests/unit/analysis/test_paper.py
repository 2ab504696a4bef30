"""The paper's results as functions: bounds, stability, limits, convergence."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import zerowait as zw
from zerowait.analysis.bounds import helper_bounds, helper_traffic, own_servers_wait
from zerowait.analysis.erlang import erlang_b, log_erlang_b, log_erlang_c
from zerowait.analysis.limits import (
    as_dicts,
    base_of,
    critical_estimate,
    critical_table,
    halfin_whitt,
    normal_hazard,
    scale_through,
    subcritical_table,
    theorem_1,
    theorem_2,
)
from zerowait.analysis.stability import stable_rates
from zerowait.analysis.theory import convergence_of, theory_of
from zerowait.model import split_from_slots
from zerowait.model.workloads import CLASSES

BASE = zw.Workload(CLASSES)


def test_figure_1_bound() -> None:
    # DESIGN section 3: at k = 2048 the bound is 0.13.
    bounds = helper_bounds(zw.workloads.figure1(2048), 2048)
    assert bounds.bound == pytest.approx(0.1320926, abs=1e-7)
    assert bounds.bound == math.fsum(
        c.share * b for c, b in zip(CLASSES, bounds.blocking, strict=True)
    )
    assert bounds.helper_load == pytest.approx(3.338168, abs=1e-6)
    assert np.all(bounds.slack[1:] < 0)  # the large classes are offered more than their slots


def test_classes_without_slots_all_go_to_the_helpers() -> None:
    workload = zw.workloads.sdsc_sp2("exponential").with_load(512, 0.5)
    bounds = helper_bounds(workload, 512)
    assert bounds.split.slots[1] == 0
    assert bounds.blocking[1] == 1
    assert bounds.as_dict()["classes"][1]["slack"] is None


@pytest.mark.parametrize("servers", [128, 2048, 32768])
def test_proposition_1_root(servers: int) -> None:
    workload = zw.workloads.figure1(servers)
    rates = stable_rates(workload, servers)
    at_root = helper_bounds(workload.with_arrival_rate(rates.by_helpers), servers)
    assert at_root.helper_load == pytest.approx(1, abs=1e-9)
    assert rates.load_by_helpers < 1
    own = helper_bounds(workload.with_arrival_rate(rates.by_own_servers), servers)
    assert np.max(own.offered / np.array(own.split.slots)) == pytest.approx(1)


def test_integral_split_is_stable_up_to_one() -> None:
    workload = zw.Workload([zw.JobClass(n, 1 / 3, zw.Exponential(1 / n)) for n in (1, 2, 4)])
    rates = stable_rates(workload, 12)
    assert rates.load_by_helpers == rates.load_by_own_servers == 1
    assert helper_bounds(workload.with_load(12, 0.5), 12).helper_load == math.inf


def test_bounds_of_a_thousand_classes() -> None:
    rng = np.random.default_rng(2)
    needs, shares = rng.integers(1, 500, 1000), rng.dirichlet(np.ones(1000))
    classes = [
        zw.JobClass(int(n), float(p), zw.Exponential(float(d)))
        for n, p, d in zip(needs, shares, rng.uniform(0.1, 10, 1000), strict=True)
    ]
    workload = zw.Workload(classes).with_load(10**7, 0.95)
    split = zw.balanced_split(workload, 10**7)
    bounds = helper_bounds(workload, 10**7, split)
    stable_rates(workload, 10**7, split)
    own_servers_wait(workload, 10**7, split)
    theorem_2(workload, 0.7)
    assert 0 < bounds.bound < 1


@pytest.mark.parametrize("theta", [-2.0, -0.5, 0.0, 0.7, 3.0])
def test_lemma_1(theta: float) -> None:
    errors = []
    for s in (1e4, 1e6, 1e8):
        scaled = math.sqrt(s) * erlang_b(s, s - theta * math.sqrt(s))
        errors.append(abs(scaled - float(normal_hazard(theta))))
    assert errors[2] < 1e-3
    assert errors[1] / errors[0] == pytest.approx(0.1, rel=0.2)  # the error falls like 1/sqrt(s)
    assert errors[2] / errors[1] == pytest.approx(0.1, rel=0.2)


def test_halfin_whitt() -> None:
    s = 1e8
    for theta in (0.1, 1.0, 3.0):
        c = math.exp(float(log_erlang_c(s, s - theta * math.sqrt(s))))
        assert c == pytest.approx(float(halfin_whitt(theta)), rel=1e-3)
    assert halfin_whitt(-1.0) == 1
    assert normal_hazard(-40.0) == pytest.approx(40, rel=1e-3)


def test_theorem_2_constant() -> None:
    limit = theorem_2(BASE, 0.7)
    # The paper's formula, written out.
    written = 0.0
    for c, theta in zip(CLASSES, limit.class_slacks, strict=True):
        density = math.exp(-theta * theta / 2) / math.sqrt(2 * math.pi)
        written += 0.7 * c.share / theta * density * 2 / (1 + math.erf(theta / math.sqrt(2)))
    assert limit.constant == pytest.approx(written, rel=1e-12)
    assert limit.constant == pytest.approx(1.468712, abs=1e-6)
    # The unit of the needs cancels in what it predicts.
    scaled = zw.workloads.figure1(2048)
    assert theorem_2(scaled, 0.7, need_scale=16).constant == pytest.approx(limit.constant)
    estimate = critical_estimate(scaled, 2048)
    assert estimate * math.sqrt(2048 / 16) == pytest.approx(limit.constant)


def test_theorem_2_convergence_in_the_figure_1_scaling() -> None:
    servers = [2**e for e in range(7, 30)] + [10**9]
    rows = critical_table(BASE, 0.7, servers)
    limit = rows[0].limit
    for row in rows:
        # Floors and psi take a bounded number of slots: the error falls like sqrt(f / k).
        assert abs(row.scaled - limit) < 3.5 * math.sqrt(row.need_scale / row.servers) * limit
    assert rows[-1].servers == 10**9
    assert rows[-1].scaled == pytest.approx(limit, rel=0.02)
    # The proof has psi = 1 for all large k. It is not so; Theorem 2 does not need it.
    assert rows[-1].psi < 1


def test_theorem_2_convergence_with_fixed_needs() -> None:
    rows = critical_table(BASE, 0.7, [10**e for e in range(3, 10)], 1)
    errors = [abs(row.scaled / row.limit - 1) for row in rows]
    assert errors[-1] < 2e-4
    assert errors[-1] < errors[3] < errors[1]
    # What Theorem 2 does not say: along it the helpers of mbs are overloaded ever more,
    assert all(b.helper_load > a.helper_load for a, b in pairwise(rows))
    assert rows[-1].helper_load > 1000
    # and the bound on P(wait) under bs tends to Halfin and Whitt's constant, not to zero,
    assert rows[-1].p_wait_bound == pytest.approx(theorem_2(BASE, 0.7).p_wait, abs=1e-3)
    # while the mean response does tend to the mean service.
    assert rows[-1].response_bound == pytest.approx(BASE.mean_service, rel=1e-2)


def test_theorem_1_convergence() -> None:
    rows = subcritical_table(BASE, 0.8, [10**e for e in range(3, 8)], 1)
    assert rows[-1].bound < 1e-100
    limit = theorem_1(BASE, 0.8)
    assert limit.response == BASE.mean_service
    assert rows[-1].scaled == pytest.approx(limit.decay, rel=0.05)
    assert rows[-1].helper_load < 1e-100  # Proposition 1 holds in the end, as the paper says


def test_tables() -> None:
    rows = critical_table(BASE, 0.7, [128, 2048])
    assert [row["need_scale"] for row in as_dicts(rows)] == [2, 16]
    assert as_dicts(rows)[0]["response_bound"] is None
    base, factor = base_of(zw.workloads.figure1(2048))
    assert factor == 16
    assert base.needs.tolist() == [1, 2, 4, 8]
    scale = scale_through(2048, 16, 2 / 3)
    assert callable(scale)
    for k in (64, 256, 2048, 16384, 32768, 10**9):
        assert scale(k) == zw.need_scale(k)
    assert scale_through(100, 1, Fraction(0))(10**6) == 1  # type: ignore[operator]


def test_theory_bundles_everything() -> None:
    known = theory_of(zw.workloads.figure1(2048), 2048).as_dict()
    assert known["theorem_2"]["constant"] == pytest.approx(1.468712, abs=1e-6)
    assert "approximate_response" not in known  # docs/decisions/0106
    assert known["erlang_c"]["response"] is None  # some class is offered more than it can do
    assert len(convergence_of(zw.workloads.figure1(2048), 2048)) == 7
    with pytest.raises(zw.InputError, match=r"load = 1\.5: must be below 1"):
        theory_of(zw.workloads.figure1(2048).with_load(2048, 1.5), 2048)
    renewal = zw.Workload(CLASSES, zw.Renewal(zw.Deterministic(1.0), 1.0))
    with pytest.raises(zw.InputError, match="Erlang's formulas hold for Poisson arrivals"):
        helper_bounds(renewal, 64)


def test_erlang_c_per_class() -> None:
    workload = zw.Workload([zw.JobClass(2, 1.0, zw.Deterministic(3.0))]).with_load(10, 0.6)
    waits = own_servers_wait(workload, 10, split_from_slots([2], [5], 10))
    c = math.exp(float(log_erlang_c(5, 3)))
    assert waits.p_wait == pytest.approx(c)
    assert waits.wait == pytest.approx(c * 3 / 2 / 2)  # half of the exponential's
    assert waits.is_bound == (False,)
    assert math.exp(float(log_erlang_b(5, 3))) < c


def test_a_split_of_other_servers_or_needs_is_refused() -> None:
    workload = zw.Workload([zw.JobClass(n, 0.5, zw.Exponential(1.0)) for n in (1, 2)])
    other = zw.Workload([zw.JobClass(n, 0.5, zw.Exponential(1.0)) for n in (1, 3)])
    for split, told in (
        (zw.balanced_split(workload, 8), "must be of all 4 servers"),
        (zw.balanced_split(other, 4), r"must be for needs \[1, 2\]"),
    ):
        for formula in (helper_bounds, stable_rates, own_servers_wait, helper_traffic):
            with pytest.raises(zw.InputError, match=told):
                formula(workload.with_load(4, 0.3), 4, split)
        with pytest.raises(zw.InputError, match=told):
            zw.solve_exactly(workload.with_load(4, 0.3), 4, "bs:fcfs", split=split)


def test_without_helpers_mbs_is_bs_in_the_chain_too() -> None:
    workload = zw.Workload([zw.JobClass(1, 1.0, zw.Exponential(1.0))]).with_load(2, 0.3)
    chains = [zw.solve_exactly(workload, 2, policy) for policy in ("mbs:first-fit", "bs:fcfs")]
    assert chains[0].overall == chains[1].overall
    assert chains[0].p_wait == pytest.approx(float(zw.erlang_c(2, 0.6)), abs=1e-9)


def test_waiting_far_below_the_critical_load_is_none_without_a_warning() -> None:
    assert halfin_whitt(100.0) == 0.0
