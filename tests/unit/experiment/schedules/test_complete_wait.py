"""A scheduler that waits while servers are cleaned: without delays it is the replay."""

import numpy as np
import pytest

import zerowait as zw
from zerowait.deploy.order import order_of, queue_key
from zerowait.experiment.files.plan_file import Plan
from zerowait.experiment.schedules.order_audit import SchedulerRules
from zerowait.experiment.schedules.scheduler_cycle import (
    DrawnDelays,
    SchedulerDelays,
    cleaned_starts,
    starts_of,
)

SERVERS = 8
POLICIES = (
    "fcfs",
    "first-fit",
    "easy",
    "backfill,order=area",
    "backfill,order=due,patience=1h,reserve_after=3h",
)


def crowd(seed: int) -> zw.Jobs:
    """More work than there are servers for; some jobs outrun their estimates."""
    rng = np.random.default_rng(seed)
    n = 120
    service = rng.exponential(3600, n)
    return zw.Jobs(
        np.cumsum(rng.exponential(1900, n)), rng.integers(1, SERVERS + 1, n), service,
        estimate=np.maximum(service * rng.uniform(0.9, 4, n), 1),
    )  # fmt: skip


def rules_and_keys(spelling: str, jobs: zw.Jobs) -> tuple[SchedulerRules, np.ndarray]:
    order = order_of(spelling, Plan(SERVERS, "easy", spelling, ""))
    assert jobs.estimate is not None
    rows = zip(jobs.arrival.tolist(), jobs.need.tolist(), jobs.estimate.tolist(), strict=True)
    keys = np.array([queue_key(order, *row) for row in rows])
    return SchedulerRules(order.backfills, order.reserve_after), keys


@pytest.mark.parametrize("spelling", POLICIES)
@pytest.mark.parametrize("seed", range(4))
def test_without_delays_it_is_the_replay(spelling: str, seed: int) -> None:
    jobs = crowd(seed)
    rules, keys = rules_and_keys(spelling, jobs)
    none = np.zeros(len(jobs))
    found = starts_of(jobs, keys, SERVERS, rules, DrawnDelays(0.0, 0.0, none, none))
    rows = zw.replay(jobs, SERVERS, spelling, overruns="as-recorded", jobs=True, jit=False).jobs
    assert rows is not None
    assert found == pytest.approx(rows["start"].to_list())


def starts(jobs: zw.Jobs, release: list[float], cycle: float = 0.0, **more: object) -> list[float]:
    rules, keys = rules_and_keys("easy", jobs)
    none = np.zeros(len(jobs))
    drawn = DrawnDelays(cycle, 0.0, none, np.array(release))
    return starts_of(jobs, keys, SERVERS, rules, drawn, **more)  # type: ignore[arg-type]


def test_nobody_starts_while_servers_are_cleaned() -> None:
    """Two jobs end at 100 and 105 and take 10 to be clean. Job 2 waits for servers of the first,
    job 3 comes meanwhile, and finds servers idle."""
    jobs = zw.Jobs([0, 0, 50, 102], [2, 4, 3, 1], [100, 105, 9, 9], estimate=[100, 105, 9, 9])
    assert starts(jobs, [10.0] * 4) == [0, 0, 115, 115]
    assert starts(jobs, [0.0] * 4) == [0, 0, 100, 102]


def test_servers_that_come_together_go_to_the_larger_job() -> None:
    """What made a real rehearsal take another way than its prediction: with cleaning, the four of
    both jobs come at 112, and the first in line takes them; without, the second has two at 100."""
    jobs = zw.Jobs(
        [0, 0, 0, 1, 2], [4, 2, 2, 4, 2], [900, 100, 102, 50, 900],
        estimate=[900, 200, 200, 50, 900],
    )  # fmt: skip
    assert starts(jobs, [10.0] * 5)[3:] == [112, 162 + 10]
    rules, keys = rules_and_keys("first-fit", jobs)
    none = np.zeros(5)
    found = starts_of(jobs, keys, SERVERS, rules, DrawnDelays(0.0, 0.0, none, none))
    assert found[4] == 100


def test_passes_behind_a_reservation_come_at_ticks() -> None:
    jobs = zw.Jobs([0, 1, 2], [6, 8, 1], [100, 10, 20], estimate=[100, 10, 20])
    assert starts(jobs, [0.0] * 3) == [0, 100, 2]
    assert starts(jobs, [0.0] * 3, cycle=30.0) == [0, 100, 30]


# Idle servers, those that the head leaves over at its time, and the largest long job that starts.
SEEN = {
    (1, 0): 0, (1, 1): 0, (1, 2): 0, (1, 3): 0,
    (2, 0): 0, (2, 1): 1, (2, 2): 1, (2, 3): 1,
    (3, 0): 0, (3, 1): 1, (3, 2): 2, (3, 3): 2,
}  # fmt: skip


@pytest.mark.parametrize(("idle", "left_over"), SEEN)
def test_an_idle_server_is_reserved_needed_or_not(idle: int, left_over: int) -> None:
    """As seen on Slurm 22.05.8, eight nodes."""
    started = []
    for need in range(1, idle + 1):
        jobs = zw.Jobs(
            [0, 1, 2], [8 - idle, 8 - left_over, need], [100, 10, 500], estimate=[100, 10, 500]
        )
        _, keys = rules_and_keys("easy", jobs)
        none = np.zeros(3)
        drawn = DrawnDelays(0.0, 0.0, none, none)
        if starts_of(jobs, keys, SERVERS, SchedulerRules(over_reserve=1), drawn)[2] == 2:
            started.append(need)
    assert max(started, default=0) == SEEN[idle, left_over]


def test_nobody_starts_while_the_cluster_is_closed() -> None:
    jobs = zw.Jobs([0, 1], [1, 1], [5, 5], estimate=[5, 5])
    assert starts(jobs, [0.0, 0.0], closed=[(0.5, 20.0)]) == [0, 20]


def test_draws_depend_on_the_seed_alone() -> None:
    jobs = crowd(1)
    rules, keys = rules_and_keys("easy", jobs)
    delays = SchedulerDelays((1.0, 60.0), (1.0, 5.0), (1.0, 9.0), (20.0, 90.0), over_reserve=1)
    one, same, other = (
        cleaned_starts(jobs, keys, SERVERS, rules, delays, draws=3, seed=seed) for seed in (1, 1, 2)
    )
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
    assert (one >= jobs.arrival).all()
