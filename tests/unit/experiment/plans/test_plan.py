"""Plans: change where unseen weeks support it, nothing where they do not."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import zerowait as zw
from tests.small_log import SERVERS, small_log
from zerowait.experiment.files.plan_file import load_plan, save_plan
from zerowait.experiment.optimisation.evaluations import run_jobs
from zerowait.experiment.optimisation.samples import log_jobs
from zerowait.experiment.optimisation.space import Candidate, Ground
from zerowait.experiment.plans.advice import protected_classes
from zerowait.experiment.plans.audit import audit_log
from zerowait.experiment.plans.choice import orders
from zerowait.experiment.plans.effects import who_wins
from zerowait.policies.backfill import Backfill

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("one plan")]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> zw.Log:
    return zw.read_log(small_log(tmp_path_factory.mktemp("log") / "log.csv"))


@pytest.fixture(scope="module")
def advice(log: zw.Log) -> zw.Advice:
    promise = ["wait_p95 <= 10h"]
    return zw.plan(log, SERVERS, baseline="easy", evaluations=60, seed=1, size_for=promise)


def test_figures_of_a_choice_are_those_of_a_replay_of_the_other_half(
    log: zw.Log, advice: zw.Advice
) -> None:
    assert advice.choice is not None
    arrival = np.asarray(log.jobs.arrival)
    first = arrival < (arrival[0] + arrival[-1]) / 2
    halves = {"first": log.select(first).jobs, "second": log.select(~first).jobs}
    for one in advice.choice.whole("first") + advice.choice.whole(""):
        jobs = replace(halves[one.half], job_class=None)
        own = zw.replay(jobs, SERVERS, one.candidate.policy)
        today = zw.replay(jobs, SERVERS, "easy")
        assert one.goal.ratio == pytest.approx(own.bounded_slowdown / today.bounded_slowdown)
        assert one.goal.low < one.goal.ratio < one.goal.high
        longest = one.protections[0]
        assert longest.ratio == pytest.approx(own.overall.wait.max / today.overall.wait.max)
        assert one.seen == (one.tuned_on == one.half)


def test_what_is_planned_for_is_a_log_its_file_or_jobs(log: zw.Log) -> None:
    with pytest.raises(zw.InputError, match=r"must be a log.*; plan takes nothing else"):
        zw.plan(zw.workloads.figure1(256), SERVERS)  # type: ignore[arg-type]
    for given in (log.path, log.jobs):
        with pytest.raises(zw.InputError, match=r"^goal 'joy': column 1: there is no measure"):
            zw.plan(given, SERVERS, baseline="easy", goal="joy")
    with pytest.raises(zw.InputError, match=r"^protect 'joy <= 1min': column 1"):
        zw.plan(log, SERVERS, baseline="easy", protect="joy <= 1min")


def test_a_change_is_supported_by_every_part_that_was_not_seen(advice: zw.Advice) -> None:
    assert advice.choice is not None
    if advice.verdict.change:
        unseen = advice.choice.unseen(advice.verdict.tuned_on)
        assert unseen
        assert all(one.goal.high < 1 for one in unseen)
    else:
        assert advice.verdict.reason


def test_the_default_and_the_parts_of_the_choice_are_always_scored(advice: zw.Advice) -> None:
    assert advice.choice is not None
    default = advice.choice.whole("")
    assert [one.half for one in default] == ["first", "second"]
    assert "patience=10h" in default[0].candidate.spelling
    assert all(one.label for one in advice.choice.scored)


def test_winners_and_losers_are_all_jobs(log: zw.Log, advice: zw.Advice) -> None:
    assert advice.winners is not None
    for kind in ("need", "estimate"):
        assert sum(one.jobs for one in advice.winners.of(kind)) == len(log.jobs)
    total = sum(one.jobs * one.before for one in advice.winners.of("need")) / len(log.jobs)
    assert total == pytest.approx(advice.queue.wait)
    changes = [one.after - one.before for one in advice.winners.losers]
    assert changes == sorted(changes, reverse=True)
    assert advice.winners.worse + advice.winners.better <= 1


def test_the_jobs_that_lose_most_are_called_as_the_log_calls_them(
    log: zw.Log, advice: zw.Advice
) -> None:
    named = replace(
        log, jobs=log.jobs.with_columns(id=np.array([f"j{at}" for at in range(len(log.jobs))]))
    )
    assert advice.looked_at is not None
    assert advice.winners is not None
    known = log_jobs(named, SERVERS)
    today = Candidate(zw.parse_policy("easy"))
    easy, own = (run_jobs(known.sample, one, SERVERS) for one in (today, advice.looked_at))
    losers = who_wins(named, known, easy, own).losers
    arrival = np.asarray(log.jobs.arrival)
    for one, unnamed in zip(losers, advice.winners.losers, strict=True):
        at = int(one.job.removeprefix("j"))
        assert arrival[at] - arrival[0] == one.arrival
        assert unnamed.job == str(at + 1)


def test_the_worth_in_servers_is_the_fewest_that_do(log: zw.Log, advice: zw.Advice) -> None:
    assert advice.worth is not None
    assert advice.looked_at is not None
    (sizing,) = advice.worth.sizing
    assert sizing.before is not None

    def wait_p95(servers: int) -> float:
        jobs = zw.replay(log.jobs, servers, "easy", jobs=True).jobs
        assert jobs is not None
        waits = (jobs["start"] - jobs["arrival"]).to_numpy()
        return float(np.quantile(waits, 0.95, method="inverted_cdf"))

    assert wait_p95(sizing.before) <= 36_000
    assert [one.at for one in advice.worth.loads] == [0.9, 1.0, 1.1, 1.2]
    assert advice.worth.loads[1].before == pytest.approx(advice.worth.today.before)
    assert advice.worth.estimates[2].before == pytest.approx(advice.worth.today.before)


def test_a_plan_is_a_file_that_is_read_again(advice: zw.Advice, tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    save_plan(advice.with_command("zerowait plan log.csv").plan(), path)
    known = load_plan(path)
    assert known.servers == SERVERS
    assert known.baseline == "easy"
    assert known.verdict == ("change" if advice.verdict.change else "change-nothing")
    assert known.command == "zerowait plan log.csv"
    assert len(known.front) == len(advice.choice.scored)  # type: ignore[union-attr]
    zw.parse_policy(known.choice or known.baseline)


def test_nothing_is_changed_where_nobody_waits(tmp_path: Path) -> None:
    idle = zw.read_log(small_log(tmp_path / "idle.csv", load=0.05))
    found = zw.plan(idle, SERVERS)
    assert not found.verdict.change
    assert "there is no queue" in found.verdict.reason
    assert found.choice is None
    assert found.plan().choice is None
    assert found.verdict.confidence == "low"
    arrival = np.asarray(idle.jobs.arrival)
    for wait, confidence in ((2.0, "high"), (7200.0, "low")):
        known = replace(idle, jobs=idle.jobs.with_columns(start=arrival + wait))
        told = zw.plan(known, SERVERS).verdict
        assert (told.confidence, told.change) == (confidence, False)


def test_nothing_is_changed_where_the_log_is_short(tmp_path: Path) -> None:
    short = zw.read_log(small_log(tmp_path / "short.csv", weeks=5))
    found = zw.plan(short, SERVERS)
    assert not found.verdict.change
    assert "the log says too little" in found.verdict.reason
    assert any("the log covers 5 whole weeks" in one for one in found.audit.limits)
    assert found.verdict.confidence == "low"


def test_weeks_are_whole_ones(log: zw.Log) -> None:
    arrival = np.asarray(log.jobs.arrival)
    for days, weeks in ((60.5, 8), (54.0, 7), (55.5, 8)):
        part = log.select(arrival < arrival[0] + days * 86_400)
        assert audit_log(part, log_jobs(part, SERVERS), SERVERS).weeks == weeks


def test_protected_classes_have_enough_jobs_in_both_halves(log: zw.Log) -> None:
    bins = protected_classes(log, SERVERS)
    assert bins == "bins=1/4/8/16/32/64"
    for step in (10, 40, 400):
        few = log.select(np.arange(len(log.jobs)) % step == 0)
        known = log_jobs(few, SERVERS, protected_classes(few, SERVERS))
        counts = [np.bincount(known.drawn.index[half], minlength=1) for half in known.halves()]
        assert len(known.names) == 1 or np.min(counts) >= 50


def test_only_orders_are_tried_under_which_everybody_starts() -> None:
    rng = np.random.default_rng(1)
    ground = Ground(64, [64], [1.0], [3600.0], 3600.0, in_seconds=True)
    for arm in orders():
        for point in (*rng.random((50, arm.n_axes)), np.ones(arm.n_axes), np.zeros(arm.n_axes)):
            policy = arm.candidate(point, lambda cut: ground).policy
            assert isinstance(policy, Backfill)
            assert policy.order in ("arrival", "due")
            assert policy.allowance is None
            assert policy.reserve_after < np.inf
