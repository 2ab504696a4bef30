"""Comparisons: pairs, baselines, ranking, controls."""

import json
from dataclasses import replace

import numpy as np
import pytest

import zerowait as zw
from zerowait.experiment.comparisons.comparison import holm, rank

WORKLOAD = zw.workloads.figure1(256)


@pytest.fixture(scope="module")
def comparison() -> zw.Comparison:
    return zw.compare(WORKLOAD, 256, ["fcfs", "first-fit", "bs:fcfs"], arrivals=30_000, seed=4)


def test_differences_and_ratios_fit_together(comparison: zw.Comparison) -> None:
    base = comparison.interval(0)
    for job_class in (None, "large x8"):
        means = [comparison.interval(n, job_class=job_class).mean for n in range(3)]
        for number in range(3):
            difference = comparison.difference(number, job_class=job_class)
            ratio = comparison.ratio(number, job_class=job_class)
            assert difference.mean == pytest.approx(means[number] - means[0])
            assert ratio.mean == pytest.approx(means[number] / means[0])
    assert comparison.difference(0).half_width == 0
    assert comparison.ratio_to_ideal(0).mean == pytest.approx(base.mean / WORKLOAD.mean_service)
    assert comparison.interval("first-fit") == comparison.interval(comparison.results[1])


def test_common_streams_narrow_differences(comparison: zw.Comparison) -> None:
    """Widths of independent runs would add up in squares."""
    first, bs = comparison.interval(1, "wait"), comparison.interval(2, "wait")
    moved = replace(comparison, baseline=1)
    apart = np.hypot(first.half_width, bs.half_width)
    assert moved.difference(2, "wait").half_width < apart


def test_baseline_by_name() -> None:
    policies = ["fcfs", "bs"]
    found = zw.compare(WORKLOAD, 256, policies, load=0.6, arrivals=5000, baseline="bs:fcfs")
    assert found.results[found.baseline].policy == "balanced-splitting:fcfs"
    assert found.difference(1).mean == 0
    with pytest.raises(zw.InputError, match="baseline = 'first-fit'"):
        zw.compare(WORKLOAD, 256, ["fcfs", "bs"], arrivals=1000, baseline="first-fit")
    with pytest.raises(zw.InputError, match="given twice"):
        zw.compare(WORKLOAD, 256, ["fcfs", "fcfs"], arrivals=1000)


def test_policies_that_do_the_same_are_both_best() -> None:
    """One class that fits everywhere: FCFS and first-fit cannot differ."""
    single = zw.Workload([zw.JobClass(1, 1.0, zw.Exponential(1.0))])
    found = zw.compare(single, 4, ["fcfs", "first-fit"], load=0.8, arrivals=5000)
    ranking = found.ranking()
    assert [one.best for one in ranking.ranks] == [True, True]
    assert ranking.pairs[0].p_value == 1


def test_what_diverges_is_not_ranked() -> None:
    found = zw.compare(
        zw.workloads.figure1(2048), 2048, ["fcfs", "mbs:fcfs"], arrivals=100_000, replications=3
    )
    mbs = found.results[1]
    assert mbs.diverging
    assert found.ranking().diverging == (mbs.policy,)
    assert [one.policy for one in found.ranking().ranks] == ["fcfs"]
    rows = json.loads(json.dumps(found.as_dict(), allow_nan=False))["rows"]
    assert rows[1]["diverging"]
    assert rows[1]["response"] is None
    assert rows[1]["difference"] is None
    assert rows[1]["utilisation"] == mbs.utilisation  # needs no steady state, and has no interval
    assert rows[1]["utilisation_half_width"] is None
    for ask in (found.interval, found.difference, found.ratio):
        with pytest.raises(zw.InputError, match="measure = 'foo': must be one of"):
            ask(mbs, "foo")
    assert rows[0]["response_half_width"] > 0


def test_holm_is_the_step_down_test() -> None:
    p = [0.01, 0.04, 0.03, 0.005]
    assert holm(p) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]).size == 0
    assert holm([0.9, 0.8]).max() <= 1


def test_no_winner_inside_the_noise() -> None:
    means = {"a": 1.0, "b": 1.1, "c": 2.0}
    p = {("a", "b"): 0.4, ("a", "c"): 1e-4, ("b", "c"): 1e-3}
    ranking = rank("response", 0.95, means, p, diverging=[])
    assert [one.best for one in ranking.ranks] == [True, True, False]
    assert ranking.ranks[2].worse_than == ("a", "b")
    upside = rank("utilisation", 0.95, means, p, diverging=[], higher_is_better=True)
    assert [one.policy for one in upside.ranks if one.best] == ["c"]
    unknown = rank("response", 0.95, means, dict.fromkeys(p, float("nan")), diverging=[])
    assert not any(one.best for one in unknown.ranks)


def test_all_policies_get_the_same_replications_for_a_precision() -> None:
    found = zw.compare(
        WORKLOAD, 256, ["fcfs", "first-fit"], load=0.6, arrivals=4000, precision=0.05
    )
    counts = {len(one.replicates) for one in found.results}
    assert len(counts) == 1
    for one in found.results:
        assert one.interval().half_width <= 0.05 * one.interval().mean


@pytest.mark.slow
def test_controls_narrow_the_intervals_of_figure_1() -> None:
    """Averaged over seeds: a single width from four replications is itself a matter of luck."""
    widths = []
    for seed in range(12):
        found = zw.compare(
            zw.workloads.figure1(servers=2048), 2048, ["bs:fcfs"], arrivals=100_000, seed=seed
        )
        plain = replace(found, paired=replace(found.paired, controls=None))
        assert not plain.uses_controls()
        widths.append([one.interval(0).half_width for one in (found, plain)])
    controlled, uncontrolled = np.mean(widths, axis=0)
    assert controlled < 0.85 * uncontrolled


@pytest.mark.slow
def test_controls_are_off_where_they_foresee_nothing() -> None:
    """The share of jobs that need many servers is drawn, and hangs on no work that comes."""
    single = zw.Workload(
        [zw.JobClass(1, 1.0, zw.Deterministic(1.0))], zw.Renewal(zw.Deterministic(1.0))
    )
    found = zw.compare(single, 4, ["fcfs"], load=0.5, arrivals=4000)
    assert not found.uses_controls()
    batched = zw.compare(WORKLOAD, 256, ["fcfs"], arrivals=20_000, batches=20)
    assert not batched.uses_controls()


def test_quantiles_are_not_compared_over_batches() -> None:
    workload = zw.workloads.figure1(256)
    with pytest.raises(zw.InputError, match=r"wait_p99.*replications, not batches"):
        zw.compare(workload, 256, ["fcfs", "msf"], batches=20, measure="wait_p99", arrivals=1000)
