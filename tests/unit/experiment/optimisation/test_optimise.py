"""Searches: better than what they start from, the same whatever the workers, resumed, scored."""

from pathlib import Path

import numpy as np
import pytest

import zerowait as zw
from tests.small_log import SERVERS, small_log
from zerowait.experiment.optimisation.optimise import run_task
from zerowait.experiment.optimisation.tasks import make_task
from zerowait.model import InputError

pytestmark = pytest.mark.slow

PROTECT = ("longest_wait <= 1.25x easy", "wait[each] <= 1.25x easy")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> zw.Log:
    return zw.read_log(small_log(tmp_path_factory.mktemp("log") / "log.csv"))


def search(log: zw.Log, **options: object) -> zw.Optimisation:
    known = {"subject_to": PROTECT, "evaluations": 80, "seed": 3} | options
    return zw.optimise(log, SERVERS, **known)  # type: ignore[arg-type]


def test_the_choice_is_allowed_and_the_best_of_what_was_tried(log: zw.Log) -> None:
    found = search(log)
    assert found.feasible
    assert len(found.trials) <= 81
    allowed = [one.long for one in found.trials if one.long is not None and one.long.feasible]
    assert found.choice.long is not None
    assert found.choice.long.objectives[0] == min(one.objectives[0] for one in allowed)
    assert found.choice.long.objectives[0] < 0.9
    # All that is told of the choice is from the half that the search never saw.
    (gain,) = found.objectives
    second = log.select(second_half(log))
    jobs = zw.Jobs(
        second.jobs.arrival, second.jobs.need, second.jobs.service, None, second.jobs.estimate
    )
    ratio = (
        zw.replay(jobs, SERVERS, found.policy).bounded_slowdown
        / zw.replay(jobs, SERVERS, "easy").bounded_slowdown
    )
    assert gain.ratio == pytest.approx(ratio)
    assert gain.low < gain.ratio < gain.high
    assert len(found.constraints) == 1 + 6
    assert found.table().height == len(found.trials)


def second_half(log: zw.Log):  # type: ignore[no-untyped-def]
    arrival = np.asarray(log.jobs.arrival)
    return arrival >= (arrival[0] + arrival[-1]) / 2


def test_the_answer_is_the_same_whatever_the_threads_and_after_a_torn_store(
    log: zw.Log, tmp_path: Path
) -> None:
    one = search(log, threads=1, evaluations=32)
    two = search(log, threads=2, evaluations=32, store=tmp_path)
    (file,) = tmp_path.iterdir()
    kept = file.read_bytes()
    file.write_bytes(kept[: len(kept) // 2])  # as a kill leaves it
    again = search(log, threads=2, evaluations=32, store=tmp_path)
    for other in (two, again):
        assert told(other) == told(one)
        assert other.scores == one.scores
    assert told(search(log, evaluations=32, seed=4)) != told(one)


def told(found: zw.Optimisation) -> list[object]:
    return [(one.candidate.spelling, one.point, one.short, one.long) for one in found.trials]


def test_two_objectives_give_a_front() -> None:
    """Mean wait against the worst class: small needs first, or not so much."""
    found = zw.optimise(
        zw.workloads.figure1(64), 64, policies="backfill,by=class,reserve_after=never",
        minimise=("wait", "wait[worst]"), evaluations=60, arrivals=20_000, replications=2,
        scored_arrivals=50_000,
    )  # fmt: skip
    ratios = [[score.ratio for score in one.scores[:2]] for one in found.front]
    assert len(ratios) >= 3
    assert ratios == sorted(ratios)
    assert [y for _, y in ratios] == sorted((y for _, y in ratios), reverse=True)
    assert sum(one.knee for one in found.front) <= 1


def test_constraints_that_nothing_keeps_are_told(log: zw.Log) -> None:
    found = search(log, subject_to="wait <= 1s", evaluations=20)
    assert not found.feasible
    assert "no candidate keeps all constraints" in found.notes[-1]


def test_a_workload_is_scored_on_streams_that_compare_can_make_again() -> None:
    """Serving the small needs first wins at Figure 1's critical load."""
    workload = zw.workloads.figure1(64)
    task = make_task(
        workload, 64, policies=("backfill,by=class,reserve_after=never",), minimise=(),
        subject_to=(), baseline=None, evaluations=30, arrivals=20_000, replications=2, seed=5,
        scored_arrivals=50_000,
    )  # fmt: skip
    found = run_task(task)
    assert found.baseline == "first-fit"
    (gain,) = found.objectives
    assert gain.high < 1
    again = zw.compare(
        workload, 64, ["first-fit", found.policy], seed=5 + 1_000_000, replications=8, warmup=0.1,
        arrivals=50_000, measure="wait",
    )  # fmt: skip
    mean = [one.wait for one in again.results]
    assert gain.reference == pytest.approx(mean[0])
    assert gain.value == pytest.approx(mean[1])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"fix": {"haste": "3"}}, "fix haste=3: no such option; there are"),
        ({"minimise": ("wait", "response", "slowdown")}, "give one objective, or two"),
        ({"tune_on": "third"}, "must be first or second"),
        ({"load": 0.5}, "is for workloads"),
        ({"evaluations": 0}, "evaluations"),
        ({"fix": {"patience": 3}}, r"fix\['patience'\] = 3: must be a text"),
        ({"fix": {"patience": "3x"}}, "fix: patience: '3x' is no time"),
        ({"cut": "no"}, "cut = 'no': must be True or False"),
        ({"minimise": ("wait", 3)}, "minimise = .*: must be a text, or a list of texts"),
    ],
)
def test_what_makes_no_sense_is_refused(log: zw.Log, options: dict, words: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(InputError, match=words):
        search(log, **options)


def test_the_file_of_a_log_and_its_jobs_are_searched_as_the_log_is(log: zw.Log) -> None:
    given = (log, log.path, Path(log.path), log.jobs)
    found = [zw.optimise(one, SERVERS, evaluations=8, threads=1) for one in given]
    assert len({(one.policy, one.objectives[0].ratio) for one in found}) == 1
    with pytest.raises(InputError, match="jobs: does not say how many servers there were; give se"):
        zw.optimise(log.jobs)


def test_options_of_logs_are_refused_for_workloads() -> None:
    with pytest.raises(InputError, match="classes = 'exact': is for logs"):
        zw.optimise("figure1", 64, classes="exact")
    with pytest.raises(InputError, match="servers: a workload does not say"):
        zw.optimise(zw.workloads.figure1(256))
