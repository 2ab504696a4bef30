"""A fit against its log: the same means where it is the log's own law, and doubts where not."""

from dataclasses import replace

import numpy as np
import pytest

import zerowait as zw
from zerowait.experiment.comparisons.fit_check import FitCheck, PolicyCheck, draw

pytestmark = pytest.mark.slow

WORKLOAD = zw.Workload(
    [zw.JobClass(1, 0.7, zw.Exponential(600.0)), zw.JobClass(6, 0.3, zw.Exponential(900.0))],
    zw.Poisson(0.0028),
)


def drawn(n_jobs: int, seed: int = 5) -> zw.Jobs:
    return draw(WORKLOAD, n_jobs, np.random.SeedSequence(seed))


def test_drawn_jobs_are_those_of_a_simulation() -> None:
    jobs = drawn(2_000)
    known = zw.simulate(WORKLOAD, 8, arrivals=2_000, replications=1, seed=1, warmup=0.0, jobs=True)
    again = draw(WORKLOAD, 2_000, np.random.SeedSequence(1, spawn_key=(0,)))
    assert known.jobs is not None
    for name in ("arrival", "need", "service"):
        assert np.array_equal(known.jobs[name].to_numpy(), np.asarray(getattr(again, name)))
    assert len(jobs) == 2_000


def test_the_right_law_is_trusted() -> None:
    jobs = drawn(20_000)
    fit = zw.fit_workload(jobs, classes="exact", laws=["exponential"])
    check = zw.check_fit(fit, jobs, servers=8)
    assert check.trusted
    assert check.fit_load == pytest.approx(check.log_load, rel=1e-12)
    assert [one.policy for one in check.policies] == ["fcfs", "first-fit", "easy"]
    for one in check.policies:
        found = zw.replay(jobs, 8, one.policy, resamples=0)
        assert one.log_wait == pytest.approx(found.wait, rel=1e-12)
        assert one.log_bounded_slowdown == pytest.approx(found.bounded_slowdown, rel=1e-12)
        # The log is one more draw of its own law: within the spread of eight others.
        spread = one.fit_wait.half_width * np.sqrt(8)
        assert abs(one.fit_wait.mean - one.log_wait) < 2 * spread
    assert "within a factor of 2" in check.verdict
    assert check.as_dict()["policies"][0]["fit_wait"]["mean"] > 0
    few = {"servers": 8, "policies": ["fcfs"], "replications": 2}
    assert zw.check_fit(fit, jobs, **few) == zw.check_fit(fit.workload, jobs, **few)  # type: ignore[arg-type]


def test_arrivals_in_bursts_are_not_poisson() -> None:
    jobs = drawn(5_000)
    bursts = replace(jobs, arrival=np.floor(np.asarray(jobs.arrival) / 86_400) * 86_400)
    check = zw.check_fit(zw.fit_workload(bursts), bursts, servers=8, replications=2)
    assert not check.trusted
    assert check.verdict.startswith("The fit must not be trusted: ")
    assert "off by more than a factor of 2" in check.verdict


def test_easy_of_a_fit_does_not_know_the_future() -> None:
    """Jobs of one server are announced up to a thousandfold, so that few pass a blocked one."""
    over = zw.Empirical([1.0, 1000.0])
    told = zw.Workload(
        [
            zw.JobClass(1, 0.9, zw.Exponential(100.0), overestimation=over),
            zw.JobClass(32, 0.1, zw.Exponential(100.0)),
        ]
    ).with_load(32, 0.5)
    jobs = draw(told, 20_000, np.random.SeedSequence(5))
    found = {}
    for estimates in ("user", "exact"):
        fit = zw.fit_workload(jobs, laws=["exponential"], estimates=estimates)
        (found[estimates],) = zw.check_fit(fit, jobs, servers=32, policies=["easy"]).policies
    assert found["user"].wait_factor == pytest.approx(1, abs=0.1)
    assert found["exact"].wait_factor < 0.8


def made_up(log: dict[str, float], fit: dict[str, float]) -> FitCheck:
    rows = [
        PolicyCheck(
            name, log[name], zw.Interval(fit[name], 1.0, 0.95), 2.0, zw.Interval(2.5, 0.1, 0.95)
        )
        for name in log
    ]
    return FitCheck(8, 100, 8, 1, 0.7, 0.7, tuple(rows))


def test_an_order_that_differs_is_said() -> None:
    check = made_up(
        {"fcfs": 900, "easy": 500, "first-fit": 400}, {"fcfs": 900, "easy": 400, "first-fit": 500}
    )
    assert check.verdict == (
        "The fit must not be trusted: in the log first-fit waits less than easy, in the fit more."
    )
    near = made_up({"easy": 401, "first-fit": 400}, {"easy": 400, "first-fit": 500})
    assert near.trusted


def test_waits_of_seconds_are_all_alike() -> None:
    assert made_up({"fcfs": 0.0, "easy": 0.0}, {"fcfs": 9.0, "easy": 0.1}).trusted
    far = made_up({"fcfs": 0.0}, {"fcfs": 80.0})
    assert "its mean wait is off by more than a factor of 2 (fcfs 8 times the log's)" in far.verdict


def test_servers_must_be_known_and_enough() -> None:
    jobs = drawn(100)
    fit = zw.fit_workload(jobs)
    with pytest.raises(zw.InputError, match="give servers"):
        zw.check_fit(fit, jobs)
    with pytest.raises(zw.InputError, match="need more than the 4 servers"):
        zw.check_fit(fit, jobs, servers=4)
