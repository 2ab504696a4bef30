"""Replays of logs: load, size, estimates, classes, warm-up and cool-down, users, intervals."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerowait as zw
from tests.logs import swf_line
from zerowait.experiment.statistics.intervals import Interval
from zerowait.experiment.statistics.samples import (
    WEEK_S,
    job_measures,
    present_weeks,
    samples_of_weeks,
)
from zerowait.model import InputError

WEEKS = 20
N = 2000


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> zw.Log:
    rng = np.random.default_rng(5)
    submit = np.sort(rng.integers(0, int(WEEKS * WEEK_S), N))
    need = rng.choice([1, 2, 3, 5, 8, 16], N)
    run = np.ceil(rng.lognormal(8.8, 1.2, N))
    estimate = np.ceil(run * rng.uniform(1, 4, N))
    lines = [
        swf_line(i, int(submit[i]), 0, int(run[i]), int(need[i]), -1, int(estimate[i]), 1, i % 7)
        for i in range(N)
    ]
    path = tmp_path_factory.mktemp("logs") / "log.swf"
    path.write_text("; MaxProcs: 16\n" + "\n".join(lines))
    return zw.read_log(path)


def test_load_is_reached_by_stretching_gaps(log: zw.Log) -> None:
    outcome = zw.replay(log, policy="first-fit", load=0.9, jobs=True)
    rows = outcome.jobs
    assert rows is not None
    jobs = zw.Jobs(rows["arrival"].to_numpy(), rows["need"].to_numpy(), rows["service"].to_numpy())
    assert jobs.offered_load(16) == pytest.approx(0.9)
    assert np.array_equal(jobs.service, log.jobs.service)
    gaps, own = np.diff(jobs.arrival), np.diff(log.jobs.arrival)
    assert gaps == pytest.approx(own * outcome.own_load / 0.9, rel=1e-6, abs=1e-6)
    assert outcome.parameters["load"] == 0.9
    assert zw.replay(log.jobs, 16, "first-fit", load=0.9).wait == outcome.wait


def test_a_log_its_file_and_its_jobs_are_replayed_alike(log: zw.Log) -> None:
    asked: dict[str, Any] = {"servers": 16, "policy": "easy", "load": 0.8}
    found = [zw.replay(one, **asked) for one in (log, log.path, Path(log.path), log.jobs)]
    for one in found:
        assert isinstance(one, zw.Result)
        assert (one.overall, one.classes) == (found[0].overall, found[0].classes)
        assert one.interval("wait") == found[0].interval("wait")
        assert one.jobs is None
    assert zw.replay(log, policy="easy", load=0.8).servers == 16  # as the log says
    command = found[1].command.replace("zw.", "")
    again = eval(command, {"replay": zw.replay})
    assert again.overall == found[0].overall
    with pytest.raises(InputError, match=r"trace = 3: must be a log, its file, or zerowait.Jobs"):
        zw.replay(3)  # type: ignore[arg-type]


def test_jobs_that_come_all_at_once_have_no_load() -> None:
    jobs = zw.Jobs([5, 5, 5], [1, 2, 1], [3, 1, 2])
    found = zw.replay(jobs, 2)
    assert found.own_load is None
    assert found.as_dict()["parameters"]["load"] is None
    with pytest.raises(InputError, match=r"load = 0.5: all jobs arrive at one instant"):
        zw.replay(jobs, 2, load=0.5)
    with pytest.raises(InputError, match=r"^jobs: does not say how many servers there were"):
        zw.replay(jobs)


def test_jobs_that_are_too_large(log: zw.Log) -> None:
    large = int((np.asarray(log.jobs.need) > 8).sum())
    with pytest.raises(
        InputError, match=rf"{large} jobs need more than the 8 servers \(up to 16\)"
    ):
        zw.replay(log, 8)
    outcome = zw.replay(log, 8, exclude_too_large=True, users=True)
    assert outcome.excluded == large
    assert outcome.overall.count == N - large
    assert sum(one.jobs for one in outcome.users) == N - large
    with pytest.raises(InputError, match="none is left"):
        zw.replay(log.select(np.asarray(log.jobs.need) > 8), 8, exclude_too_large=True)


def test_servers_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("arrival,need,service\n0,2,10\n1,1,1\n")
    with pytest.raises(InputError, match="give servers"):
        zw.replay(path)
    with pytest.raises(InputError, match="leave out users"):
        zw.replay(str(path), 4, users=True)
    outcome = zw.replay(zw.read_log(path), 4)
    assert outcome.samples is None
    assert outcome.notes == ()  # times may be in any unit, and FCFS asks for no estimates


def test_what_a_short_log_lacks_is_said(tmp_path: Path) -> None:
    class Curious(zw.POLICIES["first-fit"]):  # type: ignore[misc]
        size_aware = True

    path = tmp_path / "log.swf"
    header = "; UnixStartTime: 1704063600\n; MaxProcs: 4\n"
    path.write_text(header + swf_line(1) + "\n" + swf_line(2, submit=5))
    notes = zw.replay(path, policy=Curious()).notes
    assert any("fewer than 4 weeks" in note for note in notes)
    assert any("no estimates" in note for note in notes)


def test_estimates(log: zw.Log) -> None:
    seen = [
        zw.replay(log, policy="first-fit", estimates=estimates).wait
        for estimates in ("user", "exact")
    ]
    assert seen[0] == seen[1]  # first-fit looks at no estimate
    with pytest.raises(InputError, match="estimates = 'guess'"):
        zw.replay(log, estimates="guess")


def test_classes(log: zw.Log) -> None:
    outcome = zw.replay(log, 64, "bs:first-fit", classes="bins=2/16")
    assert [one.name for one in outcome.classes] == ["need 1-2", "need 3-16"]
    assert [one.need for one in outcome.classes] == [2, 16]
    assert outcome.split is not None
    assert outcome.split.needs == (2, 16)
    assert outcome.samples is not None
    assert outcome.interval("wait", job_class="need 3-16").known


@pytest.mark.parametrize("policy", ["fcfs", "first-fit", "bs:fcfs"])
def test_warm_up_and_cool_down(log: zw.Log, policy: str) -> None:
    """Against the rows of the jobs that count."""
    result = zw.replay(log.jobs, 40, policy, load=0.7, warmup=0.1, cooldown=0.2, jobs=True)
    assert result.jobs is not None
    rows = result.jobs[N // 10 : N - N // 5]
    measures = job_measures(rows, 10.0)
    assert result.overall.count == rows.height == N * 7 // 10
    for name in ("response", "wait", "slowdown", "bounded_slowdown", "p_wait"):
        assert getattr(result, name) == pytest.approx(float(measures[name].mean()), rel=1e-9)
    # Time averages: all jobs' overlap with the window from the warm-up's end to the cool-down.
    begin, end = result.jobs["arrival"][N // 10 - 1], rows["arrival"][-1]
    every = result.jobs
    for since, until, weight, expected in (
        ("start", "end", every["need"].to_numpy() / 40, result.utilisation),
        ("arrival", "end", np.ones(N), result.in_system),
    ):
        low = np.maximum(every[since].to_numpy(), begin)
        high = np.minimum(every[until].to_numpy(), end)
        area = float((np.maximum(high - low, 0) * weight).sum())
        assert expected == pytest.approx(area / (end - begin), rel=1e-9)


def test_compiled_and_not_agree_on_the_cool_down(log: zw.Log) -> None:
    few = log.select(np.arange(N) < 300).jobs
    fast, slow = (
        zw.replay(few, 16, "fcfs", warmup=0.1, cooldown=0.3, jit=jit) for jit in (True, False)
    )
    assert fast.overall == slow.overall


@pytest.mark.parametrize(
    "options", [{"cooldown": 1.0}, {"cooldown": -0.1}, {"warmup": 0.6, "cooldown": 0.4}]
)
def test_a_replay_without_counted_jobs_is_refused(log: zw.Log, options: dict[str, float]) -> None:
    with pytest.raises(InputError, match="cooldown"):
        zw.replay(log.jobs, 16, **options)  # type: ignore[arg-type]


def test_users(log: zw.Log) -> None:
    outcome = zw.replay(log, policy="first-fit", users=True)
    assert len(outcome.users) == 7
    assert sum(one.jobs for one in outcome.users) == N
    assert sum(one.work for one in outcome.users) == pytest.approx(1)
    waits = sum(one.wait * one.jobs for one in outcome.users) / N
    assert waits == pytest.approx(outcome.wait)
    assert [one.work for one in outcome.users] == sorted(u.work for u in outcome.users)[::-1]


def weekly_wait(values: np.ndarray, arrival: np.ndarray) -> Interval:
    """Return the interval over weeks of the mean wait of jobs that wait for the given times."""
    week, _ = present_weeks(arrival)
    ones = {"response": values, "wait": values}
    return samples_of_weeks(ones, week, []).estimate("wait", 0).interval(0.95)


def test_intervals_know_that_weeks_hang_together() -> None:
    """Waits that are alike within a week: the interval is that of the weeks, not of the jobs."""
    rng = np.random.default_rng(1)
    per_week, weeks = 50, 200
    arrival = np.repeat(np.arange(weeks) * WEEK_S, per_week) + np.tile(np.arange(per_week), weeks)
    level = rng.normal(1000, 100, weeks)
    wait = weekly_wait(np.repeat(level, per_week), arrival)
    assert wait.mean == pytest.approx(level.mean())
    expected = 1.96 * level.std() / np.sqrt(weeks)
    assert (wait.high - wait.low) / 2 == pytest.approx(expected, rel=0.1)


def test_intervals_cover() -> None:
    """Of 200 logs of 30 weeks, about 95% have the true mean in their interval."""
    rng = np.random.default_rng(2)
    covered = 0
    arrival = np.repeat(np.arange(30) * WEEK_S, 5) + np.tile(np.arange(5), 30)
    for _ in range(200):
        found = weekly_wait(np.repeat(rng.exponential(500, 30), 5), arrival)
        covered += found.low <= 500 <= found.high
    # Thirty skewed weeks cover a little less: 0.941 by 20,000 logs, give or take three errors.
    assert 0.89 <= covered / 200 <= 0.991


def test_intervals_of_classes_that_come_and_go(log: zw.Log) -> None:
    outcome = zw.replay(log, 64)
    for number, one in enumerate(outcome.classes):
        found = outcome.interval("wait", job_class=number)
        assert found.mean == pytest.approx(one.wait.mean)
        assert found.known
    assert not zw.replay(log, 64, resamples=0).interval("wait").known


def test_the_longest_wait_has_a_name(log: zw.Log) -> None:
    outcome = zw.replay(log, policy="first-fit", load=0.9, warmup=0.1, jobs=True)
    assert outcome.jobs is not None
    assert outcome.longest is not None
    rows = outcome.jobs[int(0.1 * N) :]
    waits = rows["end"] - rows["arrival"] - rows["service"]
    row = rows.row(int(waits.arg_max() or 0), named=True)
    assert outcome.longest.wait == pytest.approx(outcome.overall.wait.max)
    assert outcome.longest.job == str(row["job"])
    assert str(outcome.longest) == f"job {row['job']} (need {row['need']}, user {row['user']})"
    assert outcome.as_dict()["longest"]["need"] == row["need"]
    # Without names a job goes by its place.
    bare = zw.Jobs(log.jobs.arrival, log.jobs.need, log.jobs.service)
    alone = zw.replay(bare, 16, "first-fit", load=0.9, warmup=0.1, jobs=True)
    assert alone.longest is not None
    assert alone.longest.job == str(int(row["job"]) + 1)
    assert alone.longest.user is None
