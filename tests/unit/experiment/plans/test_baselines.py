"""Today's policy is found by the waits that it left in the log."""

from pathlib import Path

import numpy as np
import pytest

import zerowait as zw
from tests.small_log import SERVERS, small_log
from zerowait.experiment.optimisation.samples import LogJobs, log_jobs
from zerowait.experiment.plans.audit import find_baseline
from zerowait.experiment.statistics.samples import week_numbers


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> LogJobs:
    path: Path = small_log(tmp_path_factory.mktemp("log") / "log.csv", weeks=4)
    return log_jobs(zw.read_log(path), SERVERS)


def recorded(known: LogJobs, policy: str) -> np.ndarray:
    jobs = zw.replay(known.drawn.jobs, SERVERS, policy, jobs=True).jobs
    assert jobs is not None
    return (jobs["start"] - jobs["arrival"]).to_numpy()


@pytest.mark.parametrize("policy", ["easy", "fcfs", "conservative"])
def test_a_policy_explains_its_own_waits(known: LogJobs, policy: str) -> None:
    found = find_baseline(known.sample, recorded(known, policy), SERVERS)
    assert found.policy == policy
    assert found.chosen.error == pytest.approx(0, abs=1e-9)
    assert found.chosen.grade == "well"
    assert len(found.others) == 3


def test_without_recorded_waits_easy_is_assumed_and_said(known: LogJobs) -> None:
    nothing = np.full(known.sample.n_jobs, np.nan)
    found = find_baseline(known.sample, nothing, SERVERS)
    assert found.policy == "easy"
    assert found.chosen.grade == "not known"
    assert "no waits to check it against" in found.sentence


def test_a_policy_that_is_given_is_taken_and_graded(known: LogJobs) -> None:
    found = find_baseline(known.sample, recorded(known, "easy"), SERVERS, "fcfs")
    assert found.given
    assert found.policy == "fcfs"
    assert found.chosen.grade == "poorly"
    assert found.others == ()


def test_waits_as_long_as_recorded_but_in_other_weeks_explain_nothing(known: LogJobs) -> None:
    """FCFS's own mean waits, with the weeks that were worst under it made the best."""
    waits, week = recorded(known, "fcfs"), week_numbers(known.drawn.arrival)
    means = np.bincount(week, waits) / np.bincount(week)
    turned = np.empty_like(means)
    turned[np.argsort(means)] = np.sort(means)[::-1]
    found = find_baseline(known.sample, turned[week], SERVERS)
    fcfs = next(one for one in found.others if one.policy == "fcfs")
    assert fcfs.correlation == pytest.approx(-1)
    assert fcfs.grade == "poorly"
    assert found.policy == "easy"
    assert found.chosen.grade == "poorly"
    assert "easy explains the recorded waits poorly" in found.sentence
    assert "because most sites run it; name yours with --baseline" in found.sentence


def test_a_policy_that_is_closer_for_a_wrong_number_of_servers_is_not_taken(
    known: LogJobs,
) -> None:
    """EASY on fewer servers than are told waits as long as FCFS does on those."""
    longer = 1.2 * recorded(known, "easy") + 0.8 * recorded(known, "fcfs").mean()
    found = find_baseline(known.sample, longer, SERVERS)
    fcfs = next(one for one in found.others if one.policy == "fcfs")
    assert fcfs.error < 0.75 * found.chosen.error
    assert fcfs.correlation < found.chosen.correlation
    assert found.policy == "easy"
