"""The engine against the exact chains, and stability limits against simulation."""

import pytest

import zerowait as zw
from zerowait.analysis.small_system import solve_exactly
from zerowait.analysis.stability import fcfs_capacity
from zerowait.experiment import capacity, simulate_saturated
from zerowait.experiment.statistics.intervals import student_interval
from zerowait.model import split_from_slots

pytestmark = pytest.mark.slow

LEVEL = 0.9999
TWO = zw.Workload(
    [zw.JobClass(1, 0.7, zw.Exponential(1.0)), zw.JobClass(2, 0.3, zw.Exponential(2.0))]
)
THREE = zw.Workload(
    [
        zw.JobClass(1, 0.5, zw.Exponential(1.0)),
        zw.JobClass(2, 0.3, zw.Exponential(0.5)),
        zw.JobClass(3, 0.2, zw.Exponential(2.0)),
    ]
)
MEASURES = ("response", "p_wait", "served_by_helpers", "routed_to_helpers", "utilisation")


@pytest.mark.parametrize(
    ("workload", "servers", "load", "policy", "slots"),
    [
        (TWO, 8, 0.7, "fcfs", None),
        (THREE, 7, 0.45, "fcfs", None),
        (TWO, 8, 0.4, "first-fit", None),
        (THREE, 7, 0.25, "first-fit", None),
        (TWO, 8, 0.4, "bs:fcfs", (2, 2)),
        (THREE, 9, 0.2, "bs:fcfs", (1, 1, 1)),
        (TWO, 8, 0.4, "bs:first-fit", (1, 2)),
        (TWO, 10, 0.3, "mbs:fcfs", (1, 1)),
        (TWO, 10, 0.3, "mbs:first-fit", (1, 1)),
        (TWO, 8, 0.6, "msf", None),
        (THREE, 7, 0.3, "msf", None),
        (TWO, 8, 0.6, "sf", None),
        (THREE, 7, 0.2, "sf", None),
    ],
)
def test_engine_is_the_chain(
    workload: zw.Workload, servers: int, load: float, policy: str, slots: tuple[int, ...] | None
) -> None:
    loaded = workload.with_load(servers, load)
    split = None if slots is None else split_from_slots(loaded.needs, slots, servers)
    exact = solve_exactly(loaded, servers, policy, split=split, max_states=20_000, tolerance=1e-5)
    spelled = policy if slots is None else f"{policy},slots={'/'.join(map(str, slots))}"
    result = zw.simulate(loaded, servers, spelled, arrivals=400_000, replications=8, seed=11)
    for measure in MEASURES:
        found = student_interval([one.value(measure) for one in result.replicates], LEVEL)
        truth = getattr(exact, measure)
        slack = found.half_width + exact.truncation_error
        assert abs(found.mean - truth) < slack + 1e-12, (measure, found, truth)
        if measure == "response":
            assert slack < 0.02 * truth  # the comparison says something


def test_engine_and_chain_agree_per_class() -> None:
    loaded = TWO.with_load(8, 0.4)
    split = split_from_slots([1, 2], [2, 2], 8)
    exact = solve_exactly(loaded, 8, "bs:fcfs", split=split, max_states=8_000)
    result = zw.simulate(
        loaded, 8, "bs:fcfs,slots=2/2", arrivals=1_000_000, replications=8, seed=12
    )
    for one, other in zip(exact.classes, result.classes, strict=True):
        assert one.response == pytest.approx(other.response.mean, rel=0.01)
        assert one.p_wait == pytest.approx(other.p_wait, rel=0.03)
        assert one.served_by_helpers == pytest.approx(other.served_by_helpers, rel=0.02)


@pytest.mark.parametrize("equal", [True, False])
def test_saturated_simulation_is_the_exact_limit(equal: bool) -> None:
    means = (2.0, 2.0, 2.0) if equal else (1.0, 0.5, 2.0)
    workload = zw.Workload(
        [
            zw.JobClass(need, share, zw.Exponential(mean))
            for need, share, mean in zip((1, 2, 5), (0.5, 0.3, 0.2), means, strict=True)
        ]
    )
    exact = fcfs_capacity(workload, 9)
    assert exact.method == ("product form" if equal else "saturated chain")
    found = simulate_saturated(workload, 9, seed=3)
    assert abs(found.load.mean - exact.load) < 2 * found.load.half_width
    assert found.load.half_width < 0.005


def test_saturated_simulation_of_constant_service_is_arithmetic() -> None:
    # Needs 2 of 3 servers: one job at a time, a third of the servers idle.
    workload = zw.Workload([zw.JobClass(2, 1.0, zw.Deterministic(4.0))])
    found = simulate_saturated(workload, 3, arrivals=2000, replications=2)
    assert found.load.mean == pytest.approx(2 / 3)
    with pytest.raises(zw.InputError, match="arrivals = 10: fill 3 servers too few times"):
        simulate_saturated(workload, 3, arrivals=10)


def test_capacity_of_fcfs_holds_the_exact_limit() -> None:
    workload = zw.Workload(
        [zw.JobClass(1, 0.5, zw.Exponential(1.0)), zw.JobClass(4, 0.5, zw.Exponential(3.0))]
    )
    found = capacity(workload, 6, "fcfs", tolerance=0.05, max_arrivals=160_000)
    assert found.stable < fcfs_capacity(workload, 6).load < found.growing
    assert found.growing - found.stable < 0.1
    assert found.as_dict()["looks"][0]["verdict"] == "stable"


def test_capacity_of_a_work_conserving_queue_is_one() -> None:
    workload = zw.Workload([zw.JobClass(1, 1.0, zw.Exponential(1.0))])
    found = capacity(workload, 4, "fcfs", tolerance=0.1, max_arrivals=40_000)
    assert found.growing == 1
    assert found.stable > 0.85


def test_capacity_refuses_and_says_why() -> None:
    with pytest.raises(zw.InputError, match=r"tolerance = 0: must be a load"):
        capacity(TWO, 8, tolerance=0)
    with pytest.raises(zw.InputError, match=r"error = 1: must be a probability"):
        capacity(TWO, 8, error=1)
    with pytest.raises(zw.InputError, match=r"max_arrivals = 500: is below arrivals = 10000"):
        capacity(TWO, 8, max_arrivals=500)
