"""Do 95% intervals hold 95% of the time? Seeded runs against exact answers.

Of 200 runs 180 to 198 must hold. Were the coverage exactly 0.95, a count would be outside for fewer
than one choice of seeds in four hundred. Queues at a load of 0.95 are skewed and slow (their
relaxation takes 1,500 arrivals), so that their coverage is somewhat below.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import pytest

import zerowait as zw
from zerowait.analysis.erlang import erlang_c
from zerowait.analysis.small_system import solve_exactly

pytestmark = pytest.mark.slow

RUNS = 200
HELD = range(180, 199)

SINGLE = zw.Workload([zw.JobClass(1, 1.0, zw.Exponential(1.0))])
TWO = zw.Workload(
    [zw.JobClass(1, 0.7, zw.Exponential(1.0)), zw.JobClass(2, 0.3, zw.Exponential(2.0))]
)


@dataclass(frozen=True)
class Case:
    """A system, how long to run it, and what is true of it: by measure and class."""

    workload: zw.Workload
    servers: int
    arrivals: int  # per replication, of four; batches are cut from twice as many in all
    truth: dict[tuple[str, int | None], float]


def mm2(load: float, arrivals: int) -> Case:
    waiting = erlang_c(2, 2 * load)
    response = 1 + waiting / (2 * (1 - load))
    truth = {"response": response, "p_wait": waiting, "in_system": 2 * load * response}
    known = {(measure, None): value for measure, value in truth.items()}
    return Case(SINGLE.with_load(2, load), 2, arrivals, known)


def multiserver_chain() -> Case:
    """Needs 1 and 2 under FCFS; overall and for the larger class."""
    workload = TWO.with_load(8, 0.7)
    exact = solve_exactly(workload, 8, "fcfs", max_states=20_000)
    assert exact.truncation_error < 1e-4 * exact.response
    truth = {
        ("response", None): exact.response,
        ("p_wait", None): exact.p_wait,
        ("response", 1): exact.classes[1].response,
    }
    return Case(workload, 8, 10_000, truth)


CASES: dict[str, Callable[[], Case]] = {
    "M/M/2 at 0.7": lambda: mm2(0.7, 10_000),
    "M/M/2 at 0.95": lambda: mm2(0.95, 50_000),
    "multiserver chain": multiserver_chain,
}


@pytest.mark.parametrize("case", CASES)
def test_replications_with_and_without_controls(case: str) -> None:
    system = CASES[case]()
    held: Counter[tuple[str, str, int | None]] = Counter()
    for seed in range(RUNS):
        found = zw.compare(
            system.workload, system.servers, ["fcfs"], arrivals=system.arrivals, replications=4,
            seed=seed, threads=1,
        )  # fmt: skip
        for (measure, job_class), value in system.truth.items():
            plain = found.results[0].interval(measure, job_class=job_class)
            controlled = found.interval(0, measure, job_class)
            held["plain", measure, job_class] += holds(plain, value)
            held["controlled", measure, job_class] += holds(controlled, value)
    assert all(count in HELD for count in held.values()), held


@pytest.mark.parametrize("case", CASES)
def test_batches(case: str) -> None:
    system = CASES[case]()
    held: Counter[tuple[str, int | None]] = Counter()
    for seed in range(RUNS):
        found = zw.simulate(
            system.workload, system.servers, arrivals=8 * system.arrivals, batches=20, seed=seed
        )
        for (measure, job_class), value in system.truth.items():
            held[measure, job_class] += holds(found.interval(measure, job_class=job_class), value)
    assert all(count in HELD for count in held.values()), held


def holds(interval: zw.Interval, value: float) -> bool:
    return abs(interval.mean - value) <= interval.half_width
