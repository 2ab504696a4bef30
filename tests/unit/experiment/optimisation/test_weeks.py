"""Paired intervals over weeks."""

import numpy as np
import pytest

from zerowait.experiment.optimisation.evaluations import JobTimes, values_of
from zerowait.experiment.optimisation.problem import parse_objective
from zerowait.experiment.optimisation.samples import Drawn
from zerowait.experiment.optimisation.scoring import Weeks
from zerowait.experiment.statistics.intervals import Difference
from zerowait.experiment.statistics.samples import WEEK_S
from zerowait.model import Jobs

NAMES = ("a", "b")
RNG = np.random.default_rng(5)
N_WEEKS, PER_WEEK = 30, 40
ARRIVAL = np.sort(
    (np.repeat(np.arange(N_WEEKS), PER_WEEK) + RNG.uniform(0, 1, N_WEEKS * PER_WEEK)) * WEEK_S
)
# The first arrival begins the first week.
ARRIVAL[0] = 0.0
SERVICE = RNG.uniform(1, 100, len(ARRIVAL))
INDEX = RNG.integers(0, 2, len(ARRIVAL))
# Weeks differ far more than the two policies do.
WEEKLY = np.repeat(RNG.lognormal(0, 2, N_WEEKS), PER_WEEK)
WAIT = 1000 * WEEKLY * RNG.uniform(0.5, 1.5, len(ARRIVAL))


def times(wait: np.ndarray) -> JobTimes:
    ones = np.ones(len(ARRIVAL), np.int64)
    drawn = Drawn(Jobs(ARRIVAL, ones, SERVICE, INDEX))
    start = ARRIVAL + wait
    return JobTimes(drawn, 10.0, start, start + SERVICE, ones, ones)


def ratio(text: str, own: np.ndarray, other: np.ndarray) -> Difference:
    """Return one run's objective by another's, as scores have it."""
    weeks, aim = Weeks(ARRIVAL), objective(text)
    found = [weeks.estimate(aim, times(wait), NAMES) for wait in (own, other)]
    return (found[0] / found[1]).tested(0.95, equal=1.0)


def objective(text: str):  # type: ignore[no-untyped-def]
    return parse_objective(text, NAMES, True)


@pytest.mark.parametrize(
    "text", ["wait", "wait[a]", "wait_p95", "0.5*wait + wait[worst]", "weekly_longest_wait"]
)
def test_halving_every_wait_gives_a_ratio_of_a_half(text: str) -> None:
    found = ratio(text, WAIT / 2, WAIT)
    assert found.mean == pytest.approx(0.5)
    assert (found.low, found.high) == (pytest.approx(0.5), pytest.approx(0.5))


def test_values_are_those_of_the_jobs() -> None:
    weeks, own = Weeks(ARRIVAL), times(WAIT)
    assert weeks.value(objective("wait"), own, NAMES) == pytest.approx(WAIT.mean())
    assert weeks.value(objective("longest_wait[b]"), own, NAMES) == pytest.approx(
        WAIT[INDEX == 1].max()
    )
    longest = WAIT.reshape(N_WEEKS, PER_WEEK).max(axis=1).mean()
    assert weeks.value(objective("weekly_longest_wait"), own, NAMES) == pytest.approx(longest)
    of_search = values_of(own, 2, ["weekly_longest_wait"])["weekly_longest_wait"]
    of_class = [
        weeks.value(objective(f"weekly_longest_wait[{name}]"), own, NAMES) for name in NAMES
    ]
    assert of_search == pytest.approx((longest, *of_class))
    middle = np.quantile(WAIT, 0.5, method="inverted_cdf")
    assert weeks.value(objective("wait_p50"), own, NAMES) == pytest.approx(middle)


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    """A gain of 10% on average, with noise from week to week: 95% intervals over 60 logs."""
    rng = np.random.default_rng(11)
    covered = 0
    for _ in range(60):
        gain = np.repeat(rng.uniform(0.6, 1.2, N_WEEKS), PER_WEEK)
        steady = 1000 * rng.uniform(0.5, 1.5, len(ARRIVAL))
        found = ratio("wait", steady * gain, steady)
        covered += found.low <= 0.9 <= found.high
    assert covered >= 51  # 57 are expected; fewer than 51 has a chance of 1 in 600


def test_no_interval_of_the_longest_wait_nor_of_three_weeks() -> None:
    longest = ratio("longest_wait", WAIT / 2, WAIT)
    assert longest.mean == pytest.approx(0.5)
    assert np.isnan(longest.low)
    assert np.isnan(longest.p_value)
    few = ARRIVAL < 3 * WEEK_S
    ones = np.ones(int(few.sum()), np.int64)
    drawn = Drawn(Jobs(ARRIVAL[few], ones, SERVICE[few], INDEX[few]))
    start = ARRIVAL[few] + WAIT[few]
    own = JobTimes(drawn, 10.0, start, start + SERVICE[few], ones, ones)
    found = Weeks(ARRIVAL[few]).estimate(objective("wait"), own, NAMES)
    assert found.mean == pytest.approx(WAIT[few].mean())
    assert not found.interval(0.95).known
