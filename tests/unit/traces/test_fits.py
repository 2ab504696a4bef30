"""Fitted laws: they find the parameters of samples drawn from them, and say how good they are."""

import math
from dataclasses import replace

import numpy as np
import pytest

import zerowait as zw
from zerowait.model import InputError, Law
from zerowait.traces.fitting.families import MOST_VALUES, scale_to_mean
from zerowait.traces.fitting.goodness import (
    FAMILIES,
    TimeSample,
    compare_families,
    goodness_of,
    ks_distance,
    log_likelihood,
)

pytestmark = pytest.mark.slow

LAWS: dict[str, Law] = {
    "exponential": zw.Exponential(100.0),
    "lognormal": zw.Lognormal(4.0, 1.2),
    "gamma": zw.Gamma(0.4, 500.0),
    "weibull": zw.Weibull(0.6, 300.0),
    "hyperexponential": zw.Hyperexponential((0.8, 0.2), (20.0, 900.0)),
    "pareto-tail": zw.Mixture(
        (0.8, 0.2), (zw.Lognormal(3.0, 0.5), zw.BoundedPareto(1.1, 60.0, 1e5))
    ),
}


def sample_of(law: Law, size: int = 20_000) -> TimeSample:
    return TimeSample.of(law.sample(np.random.default_rng(7), size))


def test_all_families_are_tried() -> None:
    asked = {"lognormal", "hyperexponential", "gamma", "weibull", "pareto-tail", "empirical"}
    assert asked <= set(FAMILIES)
    assert set(LAWS) == {name for name, family in FAMILIES.items() if family.usual}


@pytest.mark.parametrize("family", LAWS)
def test_each_family_wins_on_its_own_samples(family: str) -> None:
    sample = sample_of(LAWS[family])
    table = compare_families(sample, list(LAWS), "likelihood", "aic")
    best = min(table, key=lambda row: row.aic)
    # An exponential law is also a gamma and a Weibull law: these may win by a hair.
    assert best.family == family or (family == "exponential" and best.ks < 0.01)
    own = next(row for row in table if row.family == family)
    assert own.ks < 0.02


@pytest.mark.parametrize("family", ["lognormal", "gamma", "weibull", "hyperexponential"])
def test_moments_are_kept(family: str) -> None:
    sample = sample_of(LAWS[family])
    row = goodness_of(family, sample, "moments")
    assert row.mean_error == pytest.approx(0, abs=1e-9)
    assert row.std_error == pytest.approx(0, abs=1e-6)


def test_parameters_come_back() -> None:
    lognormal = goodness_of("lognormal", sample_of(LAWS["lognormal"]), "likelihood").law
    assert isinstance(lognormal, zw.Lognormal)
    assert lognormal.mu == pytest.approx(4.0, abs=0.03)
    assert lognormal.sigma == pytest.approx(1.2, abs=0.03)
    gamma = goodness_of("gamma", sample_of(LAWS["gamma"]), "likelihood").law
    assert isinstance(gamma, zw.Gamma)
    assert gamma.shape == pytest.approx(0.4, abs=0.02)
    weibull = goodness_of("weibull", sample_of(LAWS["weibull"]), "likelihood").law
    assert isinstance(weibull, zw.Weibull)
    assert weibull.shape == pytest.approx(0.6, abs=0.02)
    phases = goodness_of("hyperexponential", sample_of(LAWS["hyperexponential"]), "likelihood").law
    assert isinstance(phases, zw.Hyperexponential)
    assert sorted(phases.means) == pytest.approx([20, 900], rel=0.1)


def test_whole_seconds_and_zeros() -> None:
    """Rounded times, zeros among them, have a likelihood, and nearly the same fit."""
    law = zw.Exponential(5.0)
    rounded = TimeSample.of(np.round(law.sample(np.random.default_rng(1), 50_000)))
    assert rounded.resolution == 1
    assert rounded.values[0] == 0
    assert math.isfinite(log_likelihood(law, rounded))
    assert ks_distance(law, rounded) < 0.01
    assert TimeSample.of([0.25, 1.5]).resolution == 0.01


def test_interval_likelihood_is_exact() -> None:
    sample = TimeSample.of([3.0, 3.0, 10.0])
    law = zw.Exponential(4.0)
    expected = 2 * math.log(law.cdf(3.5) - law.cdf(2.5)) + math.log(law.cdf(10.5) - law.cdf(9.5))
    assert log_likelihood(law, sample) == pytest.approx(expected, rel=1e-12)


def test_far_out_in_the_tail() -> None:
    law = zw.Lognormal(0.0, 0.1)
    # Where one minus the distribution function is zero in floats, and its logarithm is not.
    assert law.cdf(np.exp(2.0)) == 1
    exact = -205.24411052845085  # log P(7.385 < X <= 7.395), by mpmath
    assert log_likelihood(law, TimeSample.of([7.39])) == pytest.approx(exact, rel=1e-12)
    assert math.isfinite(log_likelihood(zw.Exponential(1.0), TimeSample.of([1.0, 1e5])))


def test_reasons_where_there_is_no_law() -> None:
    narrow = TimeSample.of([9.0, 10.0, 11.0])
    row = goodness_of("hyperexponential", narrow, "moments")
    assert row.law is None
    assert row.reason == "the standard deviation is below the mean"
    with pytest.raises(InputError, match="law = 'normal'"):
        goodness_of("normal", narrow, "moments")


def test_the_empirical_law_is_the_sample() -> None:
    values = np.random.default_rng(1).exponential(50, 30_000)
    sample = TimeSample.of(values)
    row = goodness_of("empirical", sample, "moments")
    assert isinstance(row.law, zw.Empirical)
    assert len(row.law.values) == MOST_VALUES
    assert row.mean_error == pytest.approx(0, abs=1e-12)
    assert row.ks < 2 / MOST_VALUES + 1e-4
    few = goodness_of("empirical", TimeSample.of([1.0, 2.0, 2.0]), "moments").law
    assert few == zw.Empirical([1.0, 2.0, 2.0])


def jobs_of(n: int = 3000) -> zw.Jobs:
    rng = np.random.default_rng(3)
    need = rng.choice([1, 2, 3, 4], n)
    service = np.round(rng.lognormal(4, 1, n) * need)
    return zw.Jobs(np.cumsum(rng.exponential(30, n)), need, service)


def test_workload_of_a_log() -> None:
    jobs = jobs_of()
    fit = zw.fit_workload(jobs, classes="exact")
    workload = fit.workload
    assert workload.needs.tolist() == [1, 2, 3, 4]
    assert {one.chosen.family for one in fit.classes} <= {"lognormal", "pareto-tail"}
    for one in fit.classes:
        times = np.asarray(jobs.service)[np.asarray(jobs.need) == one.need]
        assert one.mean == pytest.approx(times.mean())
        assert one.std == pytest.approx(times.std(ddof=1))
        assert one.law.mean == pytest.approx(one.mean, rel=0.05)
        assert len(one.table) >= len(list(LAWS))
    arrival = np.asarray(jobs.arrival)
    assert workload.arrivals.rate == pytest.approx(len(jobs) / (arrival[-1] - arrival[0]))
    assert workload.load(64) == pytest.approx(jobs.offered_load(64), rel=1e-12)


@pytest.mark.parametrize("classes", ["auto=0.6", "exact", "up", "bins=2/4"])
@pytest.mark.parametrize("laws", [None, ["empirical"], ["exponential"]])
def test_real_needs_bring_the_load_of_the_log(classes: str, laws: list[str] | None) -> None:
    jobs = jobs_of()
    fit = zw.fit_workload(jobs, classes=classes, laws=laws)
    need, service = np.asarray(jobs.need), np.asarray(jobs.service)
    assert fit.workload.needs.tolist() == [1, 2, 3, 4]
    for one in fit.workload.classes:
        assert one.share == (need == one.need).mean()
        assert one.mean_service == pytest.approx(service[need == one.need].mean(), rel=1e-12)
    assert fit.waste == 0
    assert fit.workload.load(64) == pytest.approx(jobs.offered_load(64), rel=1e-12)


def test_rounded_needs_say_what_they_add() -> None:
    jobs = jobs_of()
    fit = zw.fit_workload(jobs, classes="up", needs="rounded")
    assert fit.workload.needs.tolist() == [1, 2, 4]
    assert fit.waste > 0.1
    added = fit.workload.load(64) / jobs.offered_load(64) - 1  # type: ignore[operator]
    assert added == pytest.approx(fit.waste, rel=1e-9)


def test_what_needs_differ_by_is_counted_once() -> None:
    """Service grows with the need tenfold: one class of both has the spread of its jobs."""
    rng = np.random.default_rng(2)
    need = rng.choice([1, 2], 20_000)
    jobs = zw.Jobs(np.arange(20_000), need, rng.exponential(np.where(need == 1, 100.0, 1000.0)))
    (one,) = zw.fit_workload(jobs, classes="bins=2", laws=["exponential", "gamma"]).classes
    assert [part.service.mean for part in one.parts] == pytest.approx([100, 1000], rel=0.03)
    assert one.std_error == pytest.approx(0, abs=0.03)
    assert one.chosen.ks < 0.02


@pytest.mark.parametrize("family", list(FAMILIES))
def test_every_family_can_be_scaled(family: str) -> None:
    sample = (
        TimeSample.of([5.0, 5.0]) if family == "deterministic" else sample_of(LAWS["pareto-tail"])
    )
    law = goodness_of(family, sample, "moments").law
    assert law is not None
    triple = scale_to_mean(law, 3 * law.mean)
    assert triple.mean == pytest.approx(3 * law.mean, rel=1e-12)
    assert triple.std == pytest.approx(3 * law.std, rel=1e-9)
    assert np.asarray(triple.cdf([15.0, 900.0])) == pytest.approx(law.cdf([5.0, 300.0]))


def test_a_law_that_misses_the_spread_is_not_taken_in_silence() -> None:
    rng = np.random.default_rng(3)
    wide = zw.Jobs(np.arange(5000), np.ones(5000), rng.lognormal(2, 2.5, 5000))
    free = zw.fit_workload(wide, laws=["exponential", "gamma", "lognormal"]).classes[0]
    assert free.chosen.keeps_std
    assert not free.misses_std
    forced = zw.fit_workload(wide, laws=["exponential"]).classes[0]
    assert forced.misses_std
    assert forced.as_dict()["std_error"] < -0.5
    rows = compare_families(TimeSample.of(wide.service), list(LAWS), "both", "aic")
    kept = [row.keeps_mean and row.keeps_std for row in rows if row.law is not None]
    assert kept == sorted(kept, reverse=True)
    assert not all(kept)


def test_a_law_with_the_wrong_mean_is_taken_last() -> None:
    rng = np.random.default_rng(3)
    service = np.concatenate([rng.lognormal(3, 3, 2000), np.full(1000, 5e4)])
    fit = zw.fit_workload(zw.Jobs(np.arange(3000), np.ones(3000), service), classes="exact")
    for one in fit.classes:
        assert one.chosen.keeps_mean
        assert any(not row.keeps_mean for row in one.table)


def test_resampled_arrivals_and_empirical_services() -> None:
    jobs = jobs_of(500)
    fit = zw.fit_workload(jobs, classes="up", laws=["empirical"], arrivals="resampled")
    assert isinstance(fit.workload.arrivals, zw.Renewal)
    assert fit.workload.arrivals.law == zw.Empirical(np.diff(np.asarray(jobs.arrival)))
    assert all(isinstance(one.law, zw.Empirical) for one in fit.classes)


def announced(jobs: zw.Jobs, factors: dict[int, list[float]]) -> zw.Jobs:
    """Each need is announced with its own factors, in turn."""
    need, service = np.asarray(jobs.need), np.asarray(jobs.service)
    turn = np.arange(len(jobs))
    factor = np.array([factors[n][t % len(factors[n])] for n, t in zip(need, turn, strict=True)])
    return replace(jobs, estimate=service * factor)


def test_users_ratios_are_drawn_again_by_class() -> None:
    jobs = announced(jobs_of(), {1: [1.0], 2: [2.0, 4.0], 3: [0.5], 4: [10.0, 10.0, 30.0]})
    fit = zw.fit_workload(jobs, classes="exact")
    one, two, three, four = (c.overestimation for c in fit.workload.classes)
    assert one is None
    assert three is None  # who outruns the estimate has it raised, as in a replay
    assert isinstance(two, zw.Empirical)
    assert two.mean == pytest.approx(3, abs=0.2)
    assert set(np.round(np.asarray(two.values), 9)) >= {2.0, 4.0}
    assert four is not None
    assert four.mean == pytest.approx(50 / 3, rel=0.1)
    assert fit.estimates == "user"
    assert fit.as_dict()["estimates"] == "user"
    exact = zw.fit_workload(jobs, classes="exact", estimates="exact")
    assert all(c.overestimation is None for c in exact.workload.classes)
    assert exact.estimates == zw.fit_workload(jobs_of()).estimates == "exact"


def test_a_rare_need_announces_as_its_class_does() -> None:
    jobs = announced(jobs_of(), {1: [2.0], 2: [5.0], 3: [5.0], 4: [5.0]})
    need = np.where(np.arange(len(jobs)) < 20, 3, np.asarray(jobs.need))
    rare = replace(jobs, need=np.where((need == 3) & (np.arange(len(jobs)) >= 20), 2, need))
    fit = zw.fit_workload(rare, classes="bins=1/4")
    by_need = {c.need: c.overestimation for c in fit.workload.classes}
    assert by_need[3] is not None
    whole = np.asarray(rare.estimate)[np.asarray(rare.need) > 1]
    ratios = whole / np.asarray(rare.service)[np.asarray(rare.need) > 1]
    assert by_need[3].mean == pytest.approx(ratios.mean(), rel=1e-3)


def rhythmic_log(weeks: int = 60) -> zw.Jobs:
    """Batches, geometric of mean 4, that come in five hours a day ten times as often, and on
    weekends a third as often."""
    rng = np.random.default_rng(8)
    day = np.where((np.arange(24) >= 9) & (np.arange(24) < 14), 10.0, 1.0)
    profile = np.outer([1, 1, 1, 1, 1, 1 / 3, 1 / 3], day).reshape(-1)
    counts = rng.poisson(np.tile(profile, weeks))
    starts = (np.repeat(np.arange(len(counts)), counts) + rng.random(counts.sum())) * 3600
    sizes = rng.geometric(0.25, len(starts))
    first = np.repeat(np.cumsum(sizes) - sizes, sizes)
    arrival = np.sort(np.repeat(starts, sizes) + (np.arange(sizes.sum()) - first))
    n = len(arrival)
    return zw.Jobs(arrival, np.ones(n), rng.exponential(900.0, n))


def cv(times: np.ndarray) -> float:
    gaps = np.diff(times)
    return float(gaps.std() / gaps.mean())


def test_a_rhythm_is_found_and_made_again() -> None:
    jobs = rhythmic_log()
    arrival = np.asarray(jobs.arrival)
    process = zw.fit_workload(jobs, arrivals="rhythm", laws=["gamma"]).workload.arrivals
    assert isinstance(process, zw.Rhythm)
    assert process.rate == pytest.approx(len(jobs) / (arrival[-1] - arrival[0]))
    found = np.array(process.profile) / np.mean(process.profile)
    # 3400 batches in such an hour, their sizes of mean 4 and mean square 28: an error of 2.3%.
    np.testing.assert_allclose(
        found.reshape(7, 24).sum(axis=0)[9:14] / found.sum(), 10 / 69, rtol=0.06
    )
    weekend = found.reshape(7, 24)[5:].sum() / found.sum()
    assert weekend == pytest.approx((2 / 3) / (5 + 2 / 3), rel=0.06)
    made = process.times(np.random.default_rng(1))(len(jobs))
    assert (made[-1] - made[0]) == pytest.approx(arrival[-1] - arrival[0], rel=0.03)
    assert cv(arrival) > 3
    assert cv(made) == pytest.approx(cv(arrival), rel=0.1)
    hours = np.bincount((made // 3600 % 24).astype(int), minlength=24)
    assert hours[9:14].sum() / len(made) == pytest.approx(50 / 69, rel=0.03)
    # Neither of the others has both.
    gaps = zw.fit_workload(jobs, arrivals="resampled", laws=["gamma"]).workload.arrivals
    flat = gaps.times(np.random.default_rng(1))(len(jobs))
    assert np.bincount((flat // 3600 % 24).astype(int))[9:14].sum() / len(flat) < 0.3


def test_a_rhythm_takes_a_week() -> None:
    jobs = rhythmic_log(weeks=1)
    with pytest.raises(InputError, match="less than a week"):
        zw.fit_workload(jobs, arrivals="rhythm")


def test_classes_that_are_all_alike() -> None:
    jobs = zw.Jobs([0, 1, 2], [1, 1, 8], [5, 5, 7])
    fit = zw.fit_workload(jobs, classes="exact")
    assert [one.law for one in fit.classes] == [zw.Deterministic(5.0), zw.Deterministic(7.0)]
    (few,) = zw.fit_workload(
        zw.Jobs([0, 1, 2], [1, 2, 3], [0.1, 0.1, 0.1]), classes="bins=4"
    ).classes
    assert [part.service for part in few.parts] == [zw.Deterministic(0.1)] * 3
    assert few.std_error == 0
    (two,) = zw.fit_workload(zw.Jobs([0, 1], [1, 2], [5, 100]), classes="bins=2").classes
    assert [part.service.mean for part in two.parts] == [5, 100]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"laws": []}, "laws"), ({"laws": ["normal"]}, "law = 'normal'"),
        ({"by": "eye"}, "by = 'eye'"), ({"criterion": "luck"}, "criterion = 'luck'"),
        ({"arrivals": "bus"}, "arrivals = 'bus'"), ({"laws": ["deterministic"]}, "no law of those"),
        ({"estimates": "guessed"}, "estimates = 'guessed'"), ({"needs": "some"}, "needs = 'some'"),
    ],
)  # fmt: skip
def test_bad_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        zw.fit_workload(jobs_of(200), **options)  # type: ignore[arg-type]


def test_one_instant() -> None:
    with pytest.raises(InputError, match="one instant"):
        zw.fit_workload(zw.Jobs([1, 1], [1, 1], [2, 3]))
