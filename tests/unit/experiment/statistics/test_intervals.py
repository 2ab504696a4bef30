"""Warm-up, intervals, precision: the statistics of a simulation."""

import json
import math
from itertools import pairwise
from typing import Any

import numpy as np
import polars
import pytest
from scipy.special import stdtrit

import zerowait as zw
from zerowait.experiment.simulation.run_length import (
    enough_arrivals,
    mser,
    notes_on_length,
    relaxation,
)
from zerowait.experiment.statistics.intervals import (
    ROUNDING,
    STUDENT_95,
    half_widths,
    ratio_half_widths,
    section_half_widths,
    serial_factor,
    student,
    student_interval,
)

MEASURES = (
    "response", "wait", "slowdown", "p_wait", "utilisation", "in_system", "routed_to_helpers",
    "served_by_helpers", "wait_p99", "response_p50",
)  # fmt: skip
WORKLOAD = zw.workloads.figure1(256)
RNG = np.random.default_rng(7)


def test_quantiles_in_the_table_are_scipys() -> None:
    df = np.array([-1.0, 0.0, *np.arange(1.0, len(STUDENT_95) + 1)])
    for some in (df, df[2:].reshape(4, -1), df[5], np.array([2.5, 3.0]), np.array([1.0, 500.0])):
        expected = stdtrit(np.where(some > 0, some, np.nan), (1 + 0.95) / 2)
        np.testing.assert_array_equal(student(some, 0.95), expected)


def test_a_ratio_with_equal_denominators_is_a_plain_mean() -> None:
    values = RNG.exponential(size=(8, 3))
    widths = ratio_half_widths(values * 100.0, np.full((8, 3), 100.0), 0.9)
    for row in range(3):
        expected = student_interval(values[:, row].tolist(), 0.9).half_width
        assert widths[row] == pytest.approx(expected)
    # A degree of freedom less, and the rounding of histograms more.
    means = values.mean(axis=0)
    wider = widths * student(6, 0.9) / student(7, 0.9) + ROUNDING * means
    assert section_half_widths(values, means, 0.9) == pytest.approx(wider)
    # A group without jobs says nothing, and is no degree of freedom; one group has no error.
    none = np.concatenate([values, np.zeros((1, 3))])
    jobs = np.concatenate([np.ones((8, 3)), np.zeros((1, 3))])
    assert ratio_half_widths(none, jobs, 0.9) == pytest.approx(widths)
    assert np.isnan(ratio_half_widths(values[:1], np.ones((1, 3)), 0.9)).all()


def test_correlated_batches_have_wider_intervals() -> None:
    noise = RNG.standard_normal((40, 1))
    slow = np.cumsum(noise, axis=0) - np.cumsum(noise, axis=0).mean()
    one_run = np.zeros(40, np.int64)
    assert serial_factor(slow, one_run) > 3
    assert serial_factor(slow, None) == 1  # replications have no neighbours
    assert serial_factor(slow, np.arange(40)) == 1
    alternating = np.tile([[1.0], [-1.0]], (20, 1))
    assert serial_factor(alternating, one_run) == 1
    assert half_widths(slow, 39.0, 0.95, one_run) > half_widths(slow, 39.0, 0.95)


def test_mser() -> None:
    """Against the definition; a transient is found, a later burst is left in."""
    settled = 10 + RNG.standard_normal(60)
    rising = np.concatenate([np.linspace(0, 9, 12), settled])
    assert 10 <= mser(rising) <= 14
    assert mser(settled) <= 2
    burst = settled.copy()
    burst[20:28] += 30  # least of all is the error behind it
    assert mser(burst) <= 2
    assert mser(np.linspace(0.0, 1.0, 40)) == 20  # never settles: half at most
    errors = [np.var(rising[d:]) / (len(rising) - d) for d in range(len(rising) // 2 + 1)]
    d = mser(rising)
    assert errors[d] <= errors[d + 1]
    assert all(a > b for a, b in pairwise(errors[: d + 1]))


def test_quantiles_that_agree_are_known_to_half_a_bucket() -> None:
    agreed = section_half_widths(np.full((4, 1), 10.0), np.array([10.0]), 0.95)
    assert agreed == pytest.approx([0.08])


def test_runs_are_measured_against_their_memory() -> None:
    single = zw.Workload([zw.JobClass(1, 1.0, zw.Exponential(1.0))])
    assert relaxation(single, 0.9) == pytest.approx(2 * 0.81 / 0.01)
    assert relaxation(single, 0.9, limit=0.95) == pytest.approx(4 * relaxation(single, 0.9))
    steady = zw.Workload(
        [zw.JobClass(1, 1.0, zw.Exponential(1.0))], zw.Renewal(zw.Deterministic(1.0))
    )
    assert relaxation(steady, 0.9) == pytest.approx(0.81 / 0.01)
    assert relaxation(single, 0.9, limit=0.9) == math.inf
    enough = int(enough_arrivals(single, 0.9))
    assert "short against their own memory" in notes_on_length(enough - 1, 162, [False])[0]
    assert notes_on_length(enough + 1, 162, [False] * 4) == ()
    assert "more than half" in notes_on_length(enough + 1, 162, [True, True, True, False])[0]


def test_every_measure_has_an_interval_overall_and_per_class() -> None:
    result = zw.simulate(WORKLOAD, 256, "bs:fcfs", arrivals=20_000)
    assert len(result.replicates) == 4
    table = result.table()
    for measure in MEASURES:
        widths = table[f"{measure}_half_width"].to_list()
        assert len(widths) == 5
        assert all(width > 0 for width in widths)
        interval = result.interval(measure, job_class="large x4")
        assert interval.half_width == widths[2]
        assert interval.mean == pytest.approx(table[measure][2], rel=1e-12)
        assert interval == result.interval(measure, job_class=2)
    found = result.as_dict()
    assert found["classes"][2]["wait"]["p99_half_width"] == table["wait_p99_half_width"][2]
    assert found["overall"]["p_wait_half_width"] == table["p_wait_half_width"][4]
    assert result.interval(level=0.99).half_width > result.interval().half_width
    with pytest.raises(zw.InputError, match="measure = 'bounded'"):
        result.interval("bounded")
    with pytest.raises(zw.InputError, match="job_class = 'huge'"):
        result.interval(job_class="huge")


def test_what_replications_and_batches_default_to() -> None:
    def shape(**options: object) -> tuple[int, int | None]:
        result = zw.simulate(WORKLOAD, 256, arrivals=4000, **options)  # type: ignore[arg-type]
        return len(result.replicates), result.batches

    assert shape() == (4, None)
    assert shape(jobs=True) == (1, 20)
    assert shape(batches=10) == (1, 10)
    assert shape(replications=1) == (1, 20)
    assert shape(replications=2, batches=8) == (2, 8)
    listed = zw.Workload(WORKLOAD.classes, zw.FixedTimes(np.arange(1000.0)))
    assert len(zw.simulate(listed, 256).replicates) == 1


def test_a_given_share_counts_exactly_those_jobs() -> None:
    result = zw.simulate(WORKLOAD, 256, arrivals=5000, jobs=True, warmup=0.1, replications=2)
    assert result.dropped == (500, 500)
    assert result.jobs is not None
    rows = polars.concat([part[500:] for part in result.jobs.partition_by("replication")])
    assert result.overall.count == rows.height == 9000
    assert result.response == pytest.approx((rows["end"] - rows["arrival"]).mean(), rel=1e-12)


def test_mser_counts_what_it_did_not_drop() -> None:
    result = zw.simulate(WORKLOAD, 256, arrivals=5000, jobs=True)
    (dropped,) = result.dropped
    assert 0 < dropped < 2500
    assert result.jobs is not None
    rows = result.jobs[dropped:]
    assert result.overall.count == rows.height
    assert result.response == pytest.approx((rows["end"] - rows["arrival"]).mean(), rel=1e-12)
    assert result.interval().mean == pytest.approx(result.response, rel=1e-12)


def test_replications_hang_on_seed_and_number_alone() -> None:
    few = zw.simulate(WORKLOAD, 256, arrivals=4000, replications=2)
    more = zw.simulate(WORKLOAD, 256, arrivals=4000, replications=5, threads=1)
    assert few.replicates == more.replicates[:2]


def test_precision_is_reached_and_repeatable() -> None:
    asked: dict[str, Any] = {"arrivals": 4000, "precision": 0.05, "load": 0.6}
    first, again = (zw.simulate(WORKLOAD, 256, **asked, threads=n) for n in (1, 2))
    found = first.interval()
    assert found.half_width <= 0.05 * found.mean
    assert first.overall == again.overall
    assert len(first.replicates) >= 10
    same = zw.simulate(WORKLOAD, 256, arrivals=4000, load=0.6, replications=len(first.replicates))
    assert same.overall == first.overall


def test_a_precision_beyond_the_budget_is_said() -> None:
    result = zw.simulate(
        WORKLOAD, 256, load=0.6, arrivals=2000, precision=1e-4, measure="wait_p99", budget=40_000
    )
    assert len(result.replicates) == 20
    assert "precision 0.0001 of wait_p99 was not reached" in result.notes[-1]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"precision": 0.0}, "precision = 0.0"),
        ({"precision": 2.0}, "precision = 2.0"),
        ({"precision": 0.1, "replications": 1}, "replications = 1"),
        ({"precision": 0.1, "budget": 10}, "budget = 10"),
        ({"budget": 10_000}, "budget = 10000"),
        ({"measure": "speed"}, "measure = 'speed'"),
        ({"warmup": "guess"}, "warmup = 'guess'"),
        ({"batches": 1}, "batches = 1"),
        ({"level": 1.0}, "level = 1.0"),
    ],
)
def test_refusals(options: dict[str, object], text: str) -> None:
    with pytest.raises(zw.InputError, match=text):
        zw.simulate(WORKLOAD, 256, arrivals=1000, **options)  # type: ignore[arg-type]


def test_a_diverging_system_has_neither_mean_nor_interval() -> None:
    single = zw.Workload([zw.JobClass(1, 1.0, zw.Exponential(1.0))])
    with pytest.warns(zw.UnstableWarning):
        result = zw.simulate(single, 1, load=1.1, arrivals=20_000, allow_unstable=True)
    assert result.diverging
    assert math.isnan(result.interval().mean)
    assert math.isnan(result.interval().half_width)
    found = json.loads(json.dumps(result.as_dict(), allow_nan=False))
    assert found["response_interval"] is None
    assert found["overall"]["response"]["mean"] is None
    assert found["overall"]["response"]["half_width"] is None
    assert found["overall"]["in_system"] is None
    assert found["overall"]["utilisation"] > 0.9
    assert result.table()["wait"].to_list() == [None, None]


@pytest.mark.parametrize("arrivals", [1, 2, 7, 60])
@pytest.mark.parametrize("batches", [None, 20])
def test_tiny_runs_say_what_they_can(arrivals: int, batches: int | None) -> None:
    result = zw.simulate(WORKLOAD, 256, arrivals=arrivals, batches=batches)
    assert result.overall.count > 0
    json.dumps(result.as_dict(), allow_nan=False)
    assert result.table().height == 5
