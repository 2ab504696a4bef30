"""What the formulas claim of the policies, against the engine: fixed seeds, no reruns."""

from typing import Any

import pytest

import zerowait as zw
from zerowait.analysis.bounds import corollary_1, helper_bounds, own_servers_wait
from zerowait.experiment.statistics.intervals import student_interval
from zerowait.model import split_from_slots

pytestmark = pytest.mark.slow

LEVEL = 0.9999  # a few dozen checks: one of them fails by chance once in some hundred seeds


def interval(result: zw.Result, measure: str) -> zw.Interval:
    return student_interval([one.value(measure) for one in result.replicates], LEVEL)


def low(found: zw.Interval) -> float:
    return found.mean - found.half_width


@pytest.mark.parametrize("servers", [128, 2048, 32768])
@pytest.mark.parametrize("auxiliary", ["fcfs", "first-fit"])
def test_corollary_1_bounds_served_by_helpers_only(servers: int, auxiliary: str) -> None:
    workload = zw.workloads.figure1(servers)
    bounds = helper_bounds(workload, servers)
    result = zw.simulate(
        workload, servers, f"bs:{auxiliary}", arrivals=200_000, replications=8, seed=3
    )
    served = interval(result, "served_by_helpers")
    assert served.mean + served.half_width < bounds.bound
    for one, blocking in zip(result.classes, bounds.blocking, strict=True):
        assert one.served_by_helpers < blocking
    # It bounds neither routing nor waiting.
    assert low(interval(result, "routed_to_helpers")) > 2 * bounds.bound
    assert low(interval(result, "p_wait")) > 2 * bounds.bound


HEAVY = zw.Hyperexponential.from_mean_std(1.0, 4.0)


@pytest.mark.parametrize(
    ("policy", "law", "holds"),
    [
        ("bs:fcfs", HEAVY, True),
        ("bs:first-fit", HEAVY, True),
        ("bs:fcfs,refill=largest", HEAVY, False),
        ("bs:saf", HEAVY, False),
        ("bs:msf", HEAVY, False),
        ("bs:msf", zw.Exponential(1.0), True),
    ],
)
def test_corollary_1_is_claimed_where_it_is_a_theorem(
    policy: str, law: zw.Law, holds: bool
) -> None:
    """Where it is not claimed it fails in this system: by more than the interval."""
    workload = zw.Workload([zw.JobClass(1, 0.6, law), zw.JobClass(2, 0.4, law)]).with_load(16, 0.75)
    bounds = helper_bounds(workload, 16, split_from_slots([1, 2], [4, 3], 16))
    assert bounds.bound == pytest.approx(0.4035, abs=1e-4)
    chosen: Any = zw.parse_policy(f"{policy},slots=4/3")
    claim = corollary_1(
        chosen.refill,
        preemptive=chosen.auxiliary.preemptive,
        size_aware=chosen.auxiliary.size_aware,
        exponential=isinstance(law, zw.Exponential),
    )
    assert claim.relation == ("<=" if holds else None)
    result = zw.simulate(workload, 16, chosen, arrivals=150_000, replications=6, seed=8)
    served = result.interval("served_by_helpers")
    if holds:
        assert served.mean + served.half_width < bounds.bound
    else:
        assert low(served) > bounds.bound


@pytest.mark.parametrize(
    "law", [zw.Exponential(1.0), zw.Deterministic(1.0), zw.Lognormal.from_mean_std(1.0, 2.0)]
)
def test_corollary_1_is_exact_for_mbs_whatever_the_law(law: zw.Law) -> None:
    workload = zw.Workload([zw.JobClass(1, 0.8, law), zw.JobClass(4, 0.2, law)]).with_load(65, 0.5)
    bound = helper_bounds(workload, 65).bound
    result = zw.simulate(workload, 65, "mbs:fcfs", arrivals=400_000, replications=8, seed=5)
    for measure in ("routed_to_helpers", "served_by_helpers"):
        found = interval(result, measure)
        assert abs(found.mean - bound) < found.half_width


@pytest.mark.parametrize("auxiliary", ["fcfs", "first-fit"])
@pytest.mark.parametrize("servers", [256, 2048, 32768])
def test_erlang_c_bounds_waiting_under_bs_with_exponential_service(
    servers: int, auxiliary: str
) -> None:
    workload = zw.workloads.figure1(servers, load=0.85)
    waits = own_servers_wait(workload, servers)
    bounds = helper_bounds(workload, servers)
    result = zw.simulate(
        workload, servers, f"bs:{auxiliary}", arrivals=300_000, replications=8, seed=4
    )
    assert all(waits.is_bound)
    for i, one in enumerate(result.classes):
        assert one.p_wait <= one.routed_to_helpers < bounds.waiting[i] + 0.01
        assert one.wait.mean < waits.class_wait[i] * 1.05
    assert interval(result, "p_wait").mean < waits.p_wait


def test_erlang_c_is_no_bound_for_other_laws() -> None:
    # Bursts of service: heavier tails make M/GI/s wait longer than M/M/s, with few helpers' help.
    law = zw.Hyperexponential.from_mean_std(1.0, 6.0)
    workload = zw.Workload([zw.JobClass(1, 0.5, law), zw.JobClass(2, 0.5, law)]).with_load(40, 0.8)
    slots = zw.parse_policy("bs:fcfs,slots=14/12")
    result = zw.simulate(workload, 40, slots, arrivals=400_000, replications=8, seed=6)
    split = split_from_slots([1, 2], [14, 12], 40)
    exponential = own_servers_wait(
        zw.Workload([zw.JobClass(n, 0.5, zw.Exponential(1.0)) for n in (1, 2)]).with_load(40, 0.8),
        40, split,
    )  # fmt: skip
    waits = own_servers_wait(workload, 40, split)
    assert not any(waits.is_bound)
    # The mean wait exceeds that of M/M/s, and stays near or below the corrected value.
    assert result.classes[1].wait.mean > exponential.class_wait[1]
    assert result.classes[1].wait.mean < 1.5 * waits.class_wait[1]


def test_mbs_is_unstable_along_theorem_2_and_bs_is_not() -> None:
    # Proposition 1 fails in the Figure 1 regime: 3.3 times what the helpers can do.
    workload = zw.workloads.figure1(2048)
    assert helper_bounds(workload, 2048).helper_load > 3
    runs = {
        (policy, n): zw.simulate(workload, 2048, policy, arrivals=n, replications=4, seed=2)
        for policy in ("mbs:fcfs", "bs:fcfs")
        for n in (100_000, 400_000)
    }
    # What diverges has no mean; this is the one of the run.
    waits = {key: one.overall.wait.mean for key, one in runs.items()}
    assert waits["mbs:fcfs", 400_000] > 3 * waits["mbs:fcfs", 100_000]
    assert waits["bs:fcfs", 400_000] < 1.3 * waits["bs:fcfs", 100_000]
