"""What a rehearsal is made of, without a Slurm."""

from dataclasses import replace

import numpy as np
import polars
import pytest
import typer

import zerowait as zw
from tests.unit.deploy.sites import SPLIT_PLAN, plan
from zerowait.cli.deploy.check import slurm_failures
from zerowait.cli.deploy.rehearse import _names, _telling
from zerowait.deploy.cluster.answers import parse_passes, parse_slurm_jobs
from zerowait.deploy.cluster.cluster import SlurmError
from zerowait.deploy.cluster.log_run import ClusterRun
from zerowait.deploy.order import chosen_order, queue_key
from zerowait.deploy.rehearsal import (
    RehearsalOptions,
    jobs_that_fit,
    refuse_unfit,
    rehearsal_deployment,
    rehearsal_rows,
    rehearsal_setup,
    twin_of,
    with_classes,
    with_time_limits,
)
from zerowait.experiment.files.plan_file import Plan
from zerowait.experiment.schedules.order_audit import Schedule, SchedulerRules
from zerowait.experiment.schedules.scheduler_cycle import SchedulerDelays
from zerowait.experiment.schedules.twin_run import BusyStretch, TwinRun, cut_stretch
from zerowait.model import InputError
from zerowait.traces.log import Log

SHOWN = (
    "JobId=7 JobName=check UserId=root(0) Priority=2051 Nice=0 JobState=RUNNING Reason=None "
    "SubmitTime=2026-11-15T19:30:44 EligibleTime=2026-11-15T19:30:44 "
    "StartTime=2026-11-15T19:30:45 EndTime=2026-11-16T19:30:45 Partition=batch "
    "NodeList=n[1-2] NumNodes=2 NumCPUs=2\n"
    "JobId=8 JobName=check UserId=root(0) Priority=0 Nice=0 JobState=PENDING Reason=Resources "
    "SubmitTime=2026-11-15T19:30:44 EligibleTime=Unknown StartTime=2026-11-17T19:31:12 "
    "EndTime=Unknown Partition=a,b NodeList= NumNodes=4-4 NumCPUs=4\n"
)


def test_jobs_as_scontrol_shows_them() -> None:
    running, waiting = parse_slurm_jobs(SHOWN)
    assert (running.id, running.partition, running.n_nodes) == (7, "batch", 2)
    assert running.start == running.submit + 1
    assert running.has_started
    assert waiting.waits
    assert waiting.start is None  # Slurm only expects it then
    assert not waiting.has_started


def test_passes_as_sdiag_shows_them() -> None:
    text = (
        "Main schedule statistics (microseconds):\n\tLast cycle:   765\n\tTotal cycles: 17\n"
        "Backfilling stats\n\tTotal cycles: 3\n"
        "\tLast cycle when: Sun Nov 15 19:35:09 2026 (1794771309)\n"
    )
    assert parse_passes(text).main == 17
    assert parse_passes(text).has_backfilled_since(1794771308)
    assert not parse_passes(text).has_backfilled_since(1794771309)
    going_on = text.replace(
        "stats\n", "stats (WARNING: data obtained in the middle of backfilling execution.)\n"
    )
    assert not parse_passes(going_on).has_backfilled_since(1794771308)
    assert parse_passes(text.partition("Last cycle when")[0]).last_backfill == 0


def test_keys_of_orders() -> None:
    wanted = {
        "easy": 100.0,
        "backfill,order=need": 8.0,
        "backfill,order=area": 8 * 600.0,
        "backfill,order=due,patience=1h": 100 + 3600 * np.log(8 * 600),
        "backfill,order=due,patience=1h,need_weight=0": 100 + 3600 * np.log(600),
    }
    for choice, expected in wanted.items():
        assert queue_key(chosen_order(plan(choice)), 100.0, 8, 600.0) == pytest.approx(expected)


def test_time_is_scaled_where_slurm_counts_real_seconds() -> None:
    setup = rehearsal_setup(rehearsal_deployment(plan(), "easy"), 600.0)
    conf = setup.files["zerowait.conf"]
    assert "CompleteWait=6000" in conf
    assert conf.rstrip().endswith("max_sched_time=5999,bf_max_time=600")
    assert (setup.speed, setup.pace, len(setup.nodes)) == (600.0, 20.0, 8)


def test_rehearsals_that_cannot_run_are_refused() -> None:
    with pytest.raises(InputError, match="512 virtual nodes at most"):
        rehearsal_deployment(Plan(2000, "easy", "first-fit", ""), "easy")
    with pytest.raises(InputError, match="Slurm cannot run it"):
        rehearsal_deployment(plan(), "maxweight")
    for speed, expected in ((1e6, "must be between 1 and 2000"), (0.0, "above zero")):
        with pytest.raises(InputError, match=f"speed = {speed}: .*{expected}"):
            refuse_unfit(plan(), RehearsalOptions(speed))
    with pytest.raises(InputError, match="draws = 0: "):
        refuse_unfit(plan(), RehearsalOptions(600.0, draws=0))
    with pytest.raises(InputError, match="Slurm cannot run it"):
        refuse_unfit(plan("maxweight"), RehearsalOptions(600.0))


def test_limits_are_whole_minutes_and_no_job_outlasts_them() -> None:
    jobs = zw.Jobs([0, 1, 2], [1, 2, 9], [30, 130, 5], estimate=[10, 180, 61])
    assert list(with_time_limits(jobs).estimate) == [60, 180, 120]
    kept, dropped = jobs_that_fit(jobs, 8)
    assert (len(kept), dropped) == (2, 1)


def test_jobs_are_labelled_by_the_plan_s_classes() -> None:
    order = chosen_order(SPLIT_PLAN)
    jobs = zw.Jobs([0, 1, 2, 3], [1, 4, 2, 3], [5, 5, 5, 5])
    assert list(with_classes(jobs, order).job_class) == [0, 2, 1, 2]
    with pytest.raises(InputError, match="'large': the stretch has no job of it"):
        with_classes(zw.Jobs([0, 1], [1, 2], [5, 5]), order)
    with pytest.raises(InputError, match="need 7 is in no class"):
        with_classes(zw.Jobs([0, 1, 2, 3], [1, 4, 2, 7], [5, 5, 5, 5]), order)


def test_every_job_has_a_row_per_policy() -> None:
    jobs = zw.Jobs([0, 1], [1, 2], [5, 7], estimate=[60, 60])
    times = np.array([0.0, 1.0])
    done = ClusterRun(times, times + 1, times + 10, (), 1.0, "")
    need, limit, end = np.array([1, 2]), np.full(2, 60.0), times + 10
    schedule = Schedule(2, times, need, limit, times, times + 1, end, end)
    draws = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    twins = [
        TwinRun(name, schedule, SchedulerRules(), times, draws, 2) for name in ("easy", "fcfs")
    ]
    rows = polars.concat(rehearsal_rows(jobs, ["811", "x"], twin, done) for twin in twins)
    assert rows["log_job"].to_list() == ["811", "x"] * 2
    assert rows["policy"].to_list() == ["easy", "easy", "fcfs", "fcfs"]
    assert rows["predicted"].to_list() == [3.0, 4.0] * 2
    assert rows["end"].to_list() == [10.0, 11.0] * 2
    assert rows["predicted_low"].to_list() == pytest.approx([1.1, 2.1] * 2)


CLOSED = ((90.0, 200.0),)
DELAYS = SchedulerDelays((1.0, 60.0), (5.0, 9.0), (1.0, 2.0), (10.0, 20.0))


@pytest.mark.parametrize("of", [plan("easy"), SPLIT_PLAN], ids=["one line", "split"])
def test_a_run_and_its_prediction(of: Plan) -> None:
    """What was done is compared with the jobs as they were submitted, late ones too."""
    order = chosen_order(of)
    jobs = zw.Jobs([0, 50, 100, 150], [1, 2, 3, 4], [60.0] * 4, estimate=[60.0] * 4)
    submit = np.array([-0.4, 50.0, 120.0, 150.0])
    done = ClusterRun(submit, submit + 90, submit + 155, CLOSED, 1.0, "")
    twin = twin_of(
        of, order, with_classes(jobs, order), done, DELAYS, RehearsalOptions(600.0, draws=5)
    )
    assert (twin.restarts, twin.n_jobs_ended) == (1, 4)
    assert list(twin.real.arrival) == [0.0, 50.0, 120.0, 150.0]
    assert twin.predicted.shape == (5, 4)
    assert (twin.predicted >= twin.real.arrival).all()
    if order.slots is None:
        # Nobody starts in a prediction either while the controller is restarted.
        assert not ((twin.predicted > 90) & (twin.predicted < 200)).any()


def test_a_slurm_that_fails_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended, slurm_failures():
        raise SlurmError("slurmctld has ended: no space left")
    assert ended.value.exit_code == 1
    assert capsys.readouterr().err == (
        "zerowait: error: Slurm: slurmctld has ended: no space left\n"
    )


def test_jobs_are_called_as_the_log_calls_them() -> None:
    """Jobs that are too large for the plan are not rehearsed, and count for no place."""
    log = Log.of_jobs(zw.Jobs([0, 1, 2, 3, 4], [1, 9, 1, 2, 1], [5] * 5))
    stretch = BusyStretch(1, cut_stretch(jobs_that_fit(log.jobs, 8)[0], 1, 2), 0.0)
    assert _names(log, plan(), stretch) == [3, 4]
    named = replace(log, jobs=log.jobs.with_columns(id=np.array(["a", "b", "c", "d", "e"])))
    assert _names(named, plan(), stretch) == ["c", "d"]


def test_where_no_bar_can_be_shown_lines_are_written_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("zerowait.cli.deploy.rehearse.time.monotonic", lambda: now)
    tell = _telling(lambda n: None, 8)
    for at, n in ((1.0, 0), (12.0, 2), (13.0, 1), (30.0, 1)):
        now = at
        tell(n)
    assert capsys.readouterr().err == (
        "zerowait: 2 of 8 submissions and ends of jobs, about 36 s left\n"
        "zerowait: 4 of 8 submissions and ends of jobs, about 30 s left\n"
    )
