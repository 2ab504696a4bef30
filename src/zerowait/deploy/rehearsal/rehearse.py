"""A rehearsal: a stretch of a log on a real Slurm, under today's policy and under the plan's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from zerowait.deploy.cluster.cluster import Cluster
from zerowait.deploy.order import Order, chosen_order, class_of, key_of
from zerowait.deploy.rehearsal.delays import delays_of, measured_release
from zerowait.deploy.rehearsal.job_rows import job_rows
from zerowait.deploy.rehearsal.performance import Performance, perform
from zerowait.deploy.rehearsal.stage import PARTITION, setup_of, staged
from zerowait.experiment.files.plan_file import Plan
from zerowait.experiment.replays.replay import replay
from zerowait.experiment.schedules.order_audit import Rules, Schedule
from zerowait.experiment.schedules.scheduler_cycle import (
    Range,
    SchedulerDelays,
    cleaned_starts,
    predicted_starts,
)
from zerowait.experiment.schedules.twin_run import TwinRun, Twins
from zerowait.model import InputError, Jobs
from zerowait.model.quantities import Floats, whole

if TYPE_CHECKING:
    import polars

FLAW = 1  # idle servers that each of Slurm's reservations takes, needed or not
HICCUP_S = 0.1  # real time for which a busy machine may hold up a scheduler: no breach of order
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Rehearsal:
    """What was rehearsed, and how it went; a performance for each of the two policies."""

    plan: Plan
    jobs: Jobs
    speed: float
    twins: Twins
    performances: tuple[Performance, Performance]
    delays: tuple[SchedulerDelays, SchedulerDelays]

    def job_rows(self, names: Sequence[object]) -> "polars.DataFrame":
        """`names` are the log's, of the jobs rehearsed."""
        runs = (self.twins.baseline, self.twins.choice)
        return job_rows(self.jobs, names, list(zip(runs, self.performances, strict=True)))


@dataclass(frozen=True)
class Setting:
    """How to rehearse."""

    speed: float
    draws: int = 100
    seed: int = 1
    restart: bool = False  # of the controller, in the middle


def refuse_unfit(plan: Plan, setting: Setting) -> None:
    """Refuse, before anything is started, what cannot be rehearsed."""
    assert plan.choice is not None
    whole("draws", setting.draws)
    for policy in (plan.baseline, plan.choice):
        setup_of(staged(plan, policy), setting.speed)


def rehearse(
    plan: Plan, jobs: Jobs, setting: Setting, progress: Progress = lambda _: None
) -> Rehearsal:
    """Both policies, one after the other."""
    assert plan.choice is not None
    jobs = with_classes(jobs, chosen_order(plan))
    runs = [_run(plan, policy, jobs, setting, progress) for policy in (plan.baseline, plan.choice)]
    baseline, choice = runs
    return Rehearsal(
        plan, jobs, setting.speed, Twins(baseline[0], choice[0]),
        (baseline[1], choice[1]), (baseline[2], choice[2]),
    )  # fmt: skip


def _run(
    plan: Plan, policy: str, jobs: Jobs, setting: Setting, progress: Progress
) -> tuple[TwinRun, Performance, SchedulerDelays]:
    one = staged(plan, policy)
    setup = setup_of(one, setting.speed)
    with Cluster(setup) as cluster:
        release = measured_release(cluster)
        middle = len(jobs) // 2 if setting.restart else None
        done = perform(cluster, jobs, PARTITION, restart_after=middle, progress=progress)
    pause = setup.speed / setup.pace
    delays = delays_of(release, done, jobs, pause, FLAW if one.order.reserves else 0)
    return twin_of(plan, one.order, jobs, done, delays, setting), done, delays


def twin_of(
    plan: Plan,
    order: Order,
    jobs: Jobs,
    done: Performance,
    delays: SchedulerDelays,
    setting: Setting,
) -> TwinRun:
    """The prediction is for the jobs as they were submitted: a late submission is no wait."""
    submitted = np.maximum.accumulate(np.maximum(done.submit, 0.0))
    seen = replace(jobs, arrival=submitted)
    arrival, need = np.asarray(seen.arrival), np.asarray(seen.need)
    estimate = np.asarray(seen.estimate)
    keys = np.array(
        [
            key_of(order, *one)
            for one in zip(arrival.tolist(), need.tolist(), estimate.tolist(), strict=True)
        ]
    )
    release = delays.release_one[1] + (need - 1) / max(plan.servers - 1, 1) * (
        delays.release_all[1] - delays.release_one[1]
    )
    # With servers of their own, classes are lines of their own.
    line = None if order.slots is None else np.asarray(jobs.job_class)
    real = Schedule(
        plan.servers, arrival, need, estimate, keys, done.start, done.end, done.end + release, line
    )
    at_once = max(delays.cycle[1], HICCUP_S * setting.speed)
    rules = Rules(order.backfills, order.reserve_after, at_once, delays.over_reserve)
    ideal = replay(seen, plan.servers, order.spelling, resamples=0, jobs=True).jobs
    assert ideal is not None
    predicted = _predicted(order, seen, real, rules, delays, done.closed, setting)
    n_ended = int((done.end >= done.start).sum())
    return TwinRun(order.spelling, real, rules, ideal["start"].to_numpy(), predicted, n_ended,
                   len(done.closed))  # fmt: skip


def _predicted(
    order: Order,
    jobs: Jobs,
    real: Schedule,
    rules: Rules,
    delays: SchedulerDelays,
    closed: tuple[Range, ...],
    setting: Setting,
) -> Floats:
    """Starts, one row per draw."""
    draws, seed = setting.draws, setting.seed
    if real.line is not None:
        return predicted_starts(jobs, real.servers, order.spelling, delays, draws=draws, seed=seed)
    return cleaned_starts(
        jobs, real.key, real.servers, rules, delays, closed=closed, draws=draws, seed=seed
    )


def with_classes(jobs: Jobs, order: Order) -> Jobs:
    """The jobs labelled by the plan's classes, where it has a split or a table of allowances."""
    if not order.classes:
        return jobs
    pairs = zip(np.asarray(jobs.need).tolist(), np.asarray(jobs.estimate).tolist(), strict=True)
    labels = [class_of(order, need, estimate) for need, estimate in pairs]
    for number, one in enumerate(order.classes):
        if number not in labels:
            raise InputError(f"class {one.name!r}: the stretch has no job of it; take more --jobs")
    if None in labels:
        at = labels.index(None)
        raise InputError(
            f"a job of need {jobs.need[at]:.0f} is in no class of the plan; widen a [[class]]"
        )
    return replace(jobs, job_class=np.array(labels, dtype=np.int64))
