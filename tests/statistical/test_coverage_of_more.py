"""Do 95% intervals of quantiles, differences and precision runs hold 95% of the time?

Against exact answers, with fixed seeds. As many must hold as would in all but one choice of seeds
in a thousand, were the coverage 0.95. Intervals that hold more often are no fault.
"""

import math

import pytest
from scipy.stats import binom

import zerowait as zw
from zerowait.analysis.small_system import solve_exactly

pytestmark = pytest.mark.slow

RUNS = 120
LEAST = int(binom.ppf(0.001, RUNS, 0.95))  # 106

SINGLE = zw.Workload([zw.JobClass(1, 1.0, zw.Exponential(1.0))])
TWO = zw.Workload(
    [zw.JobClass(1, 0.6, zw.Exponential(1.0)), zw.JobClass(2, 0.4, zw.Exponential(0.5))]
)


def test_quantiles() -> None:
    """The response of M/M/1 is exponential with mean 1 / (1 - load). Four replications."""
    held = dict.fromkeys(("response_p95", "response_p99", "response_p999"), 0)
    truth = {"response_p95": 0.05, "response_p99": 0.01, "response_p999": 0.001}
    for seed in range(RUNS):
        found = zw.simulate(SINGLE, 1, load=0.75, arrivals=6_000, seed=seed, threads=1)
        for name, beyond in truth.items():
            held[name] += holds(found.interval(name), -math.log(beyond) / 0.25)
    assert min(held.values()) >= LEAST, held


def test_differences_and_means_with_controls() -> None:
    """FCFS and Most Servers First on a system that is solved exactly."""
    workload, policies = TWO.with_load(4, 0.7), ["fcfs", "most-servers-first"]
    fcfs, msf = (solve_exactly(workload, 4, one, max_states=20_000).response for one in policies)
    held = {"difference": 0, "ratio": 0, "mean": 0}
    controlled = 0
    for seed in range(RUNS):
        found = zw.compare(workload, 4, policies, arrivals=4_000, seed=seed, threads=1)
        controlled += found.uses_controls()
        held["difference"] += holds(found.difference(1), msf - fcfs)
        held["ratio"] += holds(found.ratio(1), msf / fcfs)
        held["mean"] += holds(found.interval(0), fcfs)
    assert controlled > RUNS / 2
    assert min(held.values()) >= LEAST, held


def test_precision_however_few_replications_it_begins_with() -> None:
    held = 0
    for seed in range(RUNS):
        found = zw.simulate(
            SINGLE, 1, load=0.7, arrivals=2_000, precision=0.08, replications=2,
            seed=seed, threads=1,
        )  # fmt: skip
        assert len(found.replicates) >= 10
        held += holds(found.interval(), 1 / 0.3)
    assert held >= LEAST, held


def holds(interval: zw.Interval, value: float) -> bool:
    return abs(interval.mean - value) <= interval.half_width
