"""Today's policy is found by the waits that it left in the log."""

from pathlib import Path

import numpy as np
import pytest

import zerowait as zw
from tests.small_log import SERVERS, small_log
from zerowait.experiment.optimisation.log_parts import LogJobs, log_jobs
from zerowait.experiment.plans.baselines import find_baseline


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> LogJobs:
    path: Path = small_log(tmp_path_factory.mktemp("log") / "log.csv", weeks=4)
    return log_jobs(zw.read_log(path), SERVERS)


def recorded(known: LogJobs, policy: str) -> np.ndarray:
    jobs = zw.replay(known.jobs, SERVERS, policy, jobs=True).jobs
    assert jobs is not None
    return (jobs["start"] - jobs["arrival"]).to_numpy()


@pytest.mark.parametrize("policy", ["easy", "fcfs", "conservative"])
def test_a_policy_explains_its_own_waits(known: LogJobs, policy: str) -> None:
    found = find_baseline(known.part(), recorded(known, policy), SERVERS)
    assert found.policy == policy
    assert found.chosen.error == pytest.approx(0, abs=1e-9)
    assert found.chosen.grade == "well"
    assert len(found.others) == 3


def test_without_recorded_waits_easy_is_assumed_and_said(known: LogJobs) -> None:
    nothing = np.full(len(known.jobs), np.nan)
    found = find_baseline(known.part(), nothing, SERVERS)
    assert found.policy == "easy"
    assert found.chosen.grade == "not known"
    assert "no waits to check it against" in found.sentence


def test_a_policy_that_is_given_is_taken_and_graded(known: LogJobs) -> None:
    found = find_baseline(known.part(), recorded(known, "easy"), SERVERS, "fcfs")
    assert found.given
    assert found.policy == "fcfs"
    assert found.chosen.grade == "poorly"
    assert found.others == ()
