"""Real and predicted schedules side by side, and busy stretches of a log."""

from dataclasses import replace

import numpy as np
import pytest

import zerowait as zw
from zerowait.experiment.schedules.order_audit import Schedule, SchedulerRules
from zerowait.experiment.schedules.twin_run import Band, TwinRun, Twins, busy_stretch
from zerowait.model import InputError
from zerowait.report import page as page_of
from zerowait.report.documents.deployment import RehearsalDocument


def run(start: list[float], predicted: list[list[float]]) -> TwinRun:
    n = len(start)
    arrival = np.arange(n, dtype=float)
    real = Schedule(
        4, arrival, np.ones(n, int), np.full(n, 10.0), arrival, np.array(start),
        np.array(start) + 10.0, np.array(start) + 10.0,
    )  # fmt: skip
    drawn = np.array(predicted, float)
    return TwinRun("easy", real, SchedulerRules(tolerance=1.0), drawn[0], drawn, n)


def test_bands_and_ratios() -> None:
    baseline = run([10.0, 11.0], [[10.0, 11.0], [20.0, 21.0]])
    choice = run([5.0, 6.0], [[5.0, 6.0], [10.0, 11.0]])
    twins = Twins(baseline, choice)
    assert twins.ratio == pytest.approx(0.5)
    assert twins.ideal_ratio == pytest.approx(0.5)
    # Draw by draw: 5 / 10 and 10 / 20, although means alone would allow 1 and a quarter.
    assert (twins.ratio_band.low, twins.ratio_band.high) == pytest.approx((0.5, 0.5))
    assert baseline.wait_band.holds(15.0)
    assert not baseline.wait_band.holds(25.0)
    assert Band.of(np.arange(101.0)) == Band(2.5, 50.0, 97.5)


def test_jobs_out_of_the_predicted_order_have_a_reason() -> None:
    swapped = run([30.0, 10.0, 50.0], [[10.0, 30.0, 50.0]])
    (found,) = swapped.out_of_order
    assert (found.job, found.passed, found.n_passed) == (1, 0, 1)
    assert found.reason == "fitted, and was passed over"
    assert [(one.job, one.passed) for one in swapped.violations] == [(1, 0)]
    assert run([10.0, 10.5, 50.0], [[10.5, 10.0, 50.0]]).out_of_order == []  # within the cycle


def test_a_stretch_is_chosen_by_the_wait_of_one_policy() -> None:
    """Ten jobs come far apart, ten at once, ten less so."""
    arrival = np.concatenate([np.arange(10) * 100, 2000 + np.zeros(10), 3000 + np.arange(10) * 5])
    jobs = zw.Jobs(arrival, np.ones(30), np.full(30, 10.0))
    first, second, third = (
        busy_stretch(jobs, 1, "fcfs", n_jobs=10, rank=rank) for rank in (1, 2, 3)
    )
    assert [one.first for one in (first, second, third)] == [10, 20, 0]
    assert third.wait == 0.0
    assert list(second.jobs.arrival) == list(np.arange(10) * 5.0)
    with pytest.raises(InputError, match="the log has 3 stretches of 10 jobs"):
        busy_stretch(jobs, 1, "fcfs", n_jobs=10, rank=4)


def test_the_page_tells_what_happened() -> None:
    baseline = run([10.0, 11.0], [[10.0, 11.0], [20.0, 21.0]])
    choice = replace(run([30.0, 10.0, 50.0], [[10.0, 30.0, 50.0]] * 2), policy="first-fit")
    about = {"log": "a<b.swf", "jobs": 3, "servers": 4, "speed": 600.0, "scheduler": "slurm 22"}
    text = page_of(
        RehearsalDocument(Twins(baseline, choice), about, command="zerowait deploy rehearse")
    )
    assert "a&lt;b.swf" in text
    assert "1 times a job passed another against the rules" in text
    assert "job 0 fitted, and was passed over" in text
    assert "NaN" not in text
