"""An evaluation says what `simulate` and `replay` say of the same jobs."""

from pathlib import Path

import numpy as np
import pytest

import zerowait as zw
from tests.small_log import SERVERS, small_log
from zerowait.experiment.optimisation.evaluations import evaluate
from zerowait.experiment.optimisation.samples import log_jobs, log_sample, replication, variants
from zerowait.experiment.optimisation.search import busiest_part
from zerowait.experiment.optimisation.space import Candidate, Cut
from zerowait.policies import parse_policy

STATISTICS = ("longest_wait", "p_wait", "response", "served_by_helpers", "slowdown", "wait_p95")


@pytest.mark.parametrize("policy", ["first-fit", "bs:fcfs", "sf-srpt"])
def test_a_replication_is_the_stream_that_simulate_runs(policy: str) -> None:
    workload = zw.workloads.figure1(256)
    sample = replication(workload, 20_000, 7, 0, 0.1)
    found = evaluate(sample, Candidate(parse_policy(policy)), 256, STATISTICS)
    result = zw.simulate(
        workload, 256, policy, arrivals=20_000, seed=7, warmup=0.1, replications=1, batches=2
    )
    for at, measures in enumerate((result.overall, *result.classes)):
        assert found["response"][at] == pytest.approx(measures.response.mean)
        assert found["slowdown"][at] == pytest.approx(measures.slowdown.mean)
        assert found["longest_wait"][at] == pytest.approx(measures.wait.max)
        assert found["p_wait"][at] == pytest.approx(measures.p_wait)
        assert found["served_by_helpers"][at] == pytest.approx(measures.served_by_helpers)
        assert found["wait_p95"][at] == pytest.approx(measures.wait.p95, rel=0.01)


def test_a_replication_is_announced_as_the_workload_says() -> None:
    law = zw.Deterministic(3.0)
    told = zw.Workload(
        [zw.JobClass(1, 1.0, zw.Exponential(1.0), overestimation=law)], zw.Poisson(1.0)
    )
    drawn = replication(told, 500, 7, 0, 0.1).drawn()
    assert np.array_equal(drawn.estimate, 3 * drawn.service)


def test_a_part_of_a_log_is_what_replay_runs(tmp_path: Path) -> None:
    log = zw.read_log(small_log(tmp_path / "log.csv"))
    known = log_jobs(log, SERVERS)
    first, second = known.halves()
    assert (first ^ second).all()
    sample = known.sample.part(second)
    policy = "backfill,order=due,patience=5h,reserve_after=12h"
    found = evaluate(sample, Candidate(parse_policy(policy)), SERVERS, ("bounded_slowdown", "wait"))
    result = zw.replay(sample.drawn().jobs, SERVERS, policy, jobs=True)
    assert found["bounded_slowdown"][0] == pytest.approx(result.bounded_slowdown)
    assert result.jobs is not None
    wait = (result.jobs["start"] - result.jobs["arrival"]).to_numpy()
    for at in range(len(known.names)):
        assert found["wait"][1 + at] == pytest.approx(wait[known.drawn.index[second] == at].mean())


def test_cut_classes_get_their_own_servers() -> None:
    """Short jobs with servers of their own do not wait for long ones."""
    n = 400
    service = [30.0 if i % 4 == 0 else 0.5 for i in range(n)]
    jobs = zw.Jobs(np.arange(n), [1] * n, service, np.zeros(n, np.int64))
    sample = log_sample(jobs, ["all"])
    split = Candidate(parse_policy("bs:fcfs,slots=1/7"), Cut((10.0,)))
    waits = evaluate(sample, split, 8, ("wait", "longest_wait"))
    together = evaluate(sample, Candidate(parse_policy("fcfs")), 8, ("wait",))
    short = zw.replay(
        zw.Jobs(jobs.arrival, jobs.need, jobs.service, [int(s > 10) for s in jobs.service]),
        8, "bs:fcfs,slots=1/7",
    )  # fmt: skip
    assert waits["wait"][0] == pytest.approx(short.wait)
    assert short.classes[0].wait.mean == 0
    assert together["wait"][0] == pytest.approx(zw.replay(jobs, 8, "fcfs").wait)


def test_variants_keep_the_jobs_and_change_their_times(tmp_path: Path) -> None:
    known = log_jobs(zw.read_log(small_log(tmp_path / "log.csv")), SERVERS)
    sample = known.sample
    own, busier, quieter, *orders = variants(sample, seed=1)
    assert own is sample
    assert len({one.key for one in (own, busier, quieter, *orders)}) == 5
    work = float(np.dot(own.drawn().need, own.drawn().service))
    for one in (busier, quieter, *orders):
        assert float(np.dot(one.drawn().need, one.drawn().service)) == pytest.approx(work)
        assert (np.diff(one.drawn().arrival) >= 0).all()
    span = np.ptp(own.drawn().arrival)
    assert np.ptp(busier.drawn().arrival) == pytest.approx(0.95 * span)
    hours = np.sort(own.drawn().arrival % 604_800)
    assert np.array_equal(np.sort(orders[0].drawn().arrival % 604_800), hours)


def test_the_busiest_part_has_more_than_its_share_of_the_waits(tmp_path: Path) -> None:
    known = log_jobs(zw.read_log(small_log(tmp_path / "log.csv")), SERVERS)
    sample, easy = known.sample, Candidate(parse_policy("easy"))
    short = busiest_part(sample, easy, SERVERS)
    arrival = short.drawn().arrival
    assert np.ptp(arrival) <= np.ptp(sample.drawn().arrival) / 4
    whole = evaluate(sample, easy, SERVERS, ("wait",))["wait"][0]
    assert evaluate(short, easy, SERVERS, ("wait",))["wait"][0] > whole
