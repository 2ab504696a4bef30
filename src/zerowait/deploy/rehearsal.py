"""A rehearsal: a stretch of a log on a real Slurm, under today's policy and under the plan's."""

import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from zerowait.deploy.cluster.cluster import SlurmCluster, SlurmSetup, VirtualNode
from zerowait.deploy.cluster.log_run import (
    ClusterRun,
    measure_release,
    run_on_cluster,
    scheduler_delays,
)
from zerowait.deploy.order import QueueOrder, chosen_order, queue_key
from zerowait.deploy.slurm.deployment import (
    CONF_FILE,
    SlurmDeployment,
    deployment_files,
    make_deployment,
)
from zerowait.deploy.slurm.site import read_slurm_site
from zerowait.experiment.files.plan_file import Plan, class_numbers
from zerowait.experiment.schedules.order_audit import Schedule, SchedulerRules
from zerowait.experiment.schedules.scheduler_cycle import (
    Range,
    SchedulerDelays,
    cleaned_starts,
    predicted_starts,
)
from zerowait.experiment.schedules.twin_run import BAND, TwinRun, Twins
from zerowait.experiment.simulation.simulate import replay
from zerowait.model import InputError, Jobs
from zerowait.model.quantities import Floats, positive, whole

if TYPE_CHECKING:
    import polars

FLAW = 1  # idle servers that each of Slurm's reservations takes, needed or not
HICCUP_S = 0.1  # real time for which a busy machine may hold up a scheduler: no breach of order
Progress = Callable[[int], None]
MOST_NODES = 512  # each is a process of about 6 MB
PARTITION = "rehearsal"
PASS_PAUSE_S = 30.0  # of the controller's time between passes: what Slurm has by default
FASTEST, SLOWEST = 2000.0, 1.0


@dataclass(frozen=True)
class Rehearsal:
    """What was rehearsed, and how it went under the baseline and under the choice."""

    plan: Plan
    jobs: Jobs
    speed: float
    twins: Twins
    runs: tuple[ClusterRun, ClusterRun]
    delays: tuple[SchedulerDelays, SchedulerDelays]

    def job_rows(self, names: Sequence[object]) -> "polars.DataFrame":
        """Return a row per policy and job; `names` are what the log calls the jobs."""
        import polars

        twins = (self.twins.baseline, self.twins.choice)
        pairs = zip(twins, self.runs, strict=True)
        return polars.concat([rehearsal_rows(self.jobs, names, *pair) for pair in pairs])


@dataclass(frozen=True)
class RehearsalOptions:
    """Speed, draws and seed of a rehearsal."""

    speed: float
    draws: int = 100
    seed: int = 1
    restart: bool = False  # of the controller, in the middle


def refuse_unfit(plan: Plan, setting: RehearsalOptions) -> None:
    """Refuse, before anything is started, what cannot be rehearsed."""
    assert plan.choice is not None
    whole("draws", setting.draws)
    for policy in (plan.baseline, plan.choice):
        rehearsal_setup(rehearsal_deployment(plan, policy), setting.speed)


def rehearsal_deployment(plan: Plan, policy: str) -> SlurmDeployment:
    """Deploy a policy of the plan on its cluster, one virtual node of one CPU per server."""
    if plan.servers > MOST_NODES:
        raise InputError(
            f"cluster.servers = {plan.servers}: a rehearsal starts {MOST_NODES} virtual nodes at "
            "most; make a plan for a part of the cluster"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "slurm.conf"
        path.write_text(
            f"SelectType=select/cons_tres\nNodeName=n[1-{plan.servers}] CPUs=1\n"
            f"PartitionName={PARTITION} Nodes=ALL Default=YES MaxTime=INFINITE\n",
            encoding="utf-8",
        )
        return make_deployment(replace(plan, choice=policy), read_slurm_site(path))


def rehearsal_setup(one: SlurmDeployment, speed: float) -> SlurmSetup:
    """Return the cluster to start: the deployment's files, with Slurm's real seconds scaled."""
    if not SLOWEST <= positive("speed", speed) <= FASTEST:
        raise InputError(f"speed = {speed}: must be between {SLOWEST:.0f} and {FASTEST:.0f}")
    files = deployment_files(one)
    files[CONF_FILE] = scale_waits(files[CONF_FILE], speed)
    nodes = [VirtualNode(name) for name in one.planned[0].nodes]
    lines = [
        "MessageTimeout=6000",  # a longer pass is cut short
        f"PartitionName={PARTITION} Nodes=ALL Default=YES MaxTime=INFINITE",
        f"Include {CONF_FILE}",
    ]
    pace = max(1.0, speed / PASS_PAUSE_S)
    return SlurmSetup(nodes, "\n".join(lines) + "\n", files, speed=speed, pace=pace)


def scale_waits(conf: str, speed: float) -> str:
    """Scale what Slurm counts in real seconds and a fast clock would make too short.

    Nodes get ten real seconds to come back, and passes no end: a few milliseconds look long.
    """
    wait = min(65_000, int(10 * speed))
    conf = re.sub(r"(?m)^CompleteWait=10$", f"CompleteWait={wait}", conf)
    return re.sub(
        r"(?m)^(SchedulerParameters=.*)$", r"\1,max_sched_time=5999,bf_max_time=600", conf
    )


def jobs_that_fit(jobs: Jobs, servers: int) -> tuple[Jobs, int]:
    """Return the jobs that can run on so many servers, and how many cannot."""
    fits = np.asarray(jobs.need) <= servers
    return (jobs, 0) if fits.all() else (jobs.select(fits), int((~fits).sum()))


def with_time_limits(jobs: Jobs) -> Jobs:
    """Round estimates up to minutes, at least to the service time: Slurm kills at the limit."""
    longest = np.maximum(np.asarray(jobs.estimate), np.asarray(jobs.service))
    return replace(jobs, estimate=np.maximum(np.ceil(longest / 60), 1) * 60)


def run_rehearsal(
    plan: Plan, jobs: Jobs, setting: RehearsalOptions, progress: Progress = lambda _: None
) -> Rehearsal:
    """Run a stretch of a log under the baseline, then under the choice of a plan."""
    assert plan.choice is not None
    jobs = with_classes(jobs, chosen_order(plan))
    runs = [_run(plan, policy, jobs, setting, progress) for policy in (plan.baseline, plan.choice)]
    baseline, choice = runs
    return Rehearsal(
        plan, jobs, setting.speed, Twins(baseline[0], choice[0]),
        (baseline[1], choice[1]), (baseline[2], choice[2]),
    )  # fmt: skip


def _run(
    plan: Plan, policy: str, jobs: Jobs, setting: RehearsalOptions, progress: Progress
) -> tuple[TwinRun, ClusterRun, SchedulerDelays]:
    one = rehearsal_deployment(plan, policy)
    setup = rehearsal_setup(one, setting.speed)
    with SlurmCluster(setup) as cluster:
        release = measure_release(cluster)
        middle = len(jobs) // 2 if setting.restart else None
        done = run_on_cluster(cluster, jobs, PARTITION, restart_after=middle, progress=progress)
    pause = setup.speed / setup.pace
    delays = scheduler_delays(release, done, jobs, pause, FLAW if one.order.reserves else 0)
    return twin_of(plan, one.order, jobs, done, delays, setting), done, delays


def with_classes(jobs: Jobs, order: QueueOrder) -> Jobs:
    """Label the jobs by the plan's classes, where it has any."""
    if not order.classes:
        return jobs
    numbers = class_numbers(jobs, order.classes)
    for number, one in enumerate(order.classes):
        if number not in numbers:
            raise InputError(f"class {one.name!r}: the stretch has no job of it; take more --jobs")
    if (numbers < 0).any():
        need = jobs.need[int(np.argmax(numbers < 0))]
        raise InputError(f"a job of need {need:.0f} is in no class of the plan; widen a [[class]]")
    return replace(jobs, job_class=numbers)


def twin_of(
    plan: Plan,
    order: QueueOrder,
    jobs: Jobs,
    done: ClusterRun,
    delays: SchedulerDelays,
    setting: RehearsalOptions,
) -> TwinRun:
    """Set a run beside its prediction, for the jobs as they were submitted.

    A late submission is no wait.
    """
    submitted = np.maximum.accumulate(np.maximum(done.submit, 0.0))
    seen = replace(jobs, arrival=submitted)
    arrival, need = np.asarray(seen.arrival), np.asarray(seen.need)
    estimate = np.asarray(seen.estimate)
    keys = np.array(
        [
            queue_key(order, *one)
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
    rules = SchedulerRules(order.backfills, order.reserve_after, at_once, delays.over_reserve)
    ideal = replay(seen, plan.servers, order.spelling, resamples=0, jobs=True).jobs
    assert ideal is not None
    predicted = _predicted(order, seen, real, rules, delays, done.closed, setting)
    n_ended = int((done.end >= done.start).sum())
    return TwinRun(order.spelling, real, rules, ideal["start"].to_numpy(), predicted, n_ended,
                   len(done.closed))  # fmt: skip


def _predicted(
    order: QueueOrder,
    jobs: Jobs,
    real: Schedule,
    rules: SchedulerRules,
    delays: SchedulerDelays,
    closed: tuple[Range, ...],
    setting: RehearsalOptions,
) -> Floats:
    """Predict the starts, one row per draw."""
    draws, seed = setting.draws, setting.seed
    if real.line is not None:
        return predicted_starts(jobs, real.servers, order.spelling, delays, draws=draws, seed=seed)
    return cleaned_starts(
        jobs, real.key, real.servers, rules, delays, closed=closed, draws=draws, seed=seed
    )


def rehearsal_rows(
    jobs: Jobs, names: Sequence[object], twin: TwinRun, done: ClusterRun
) -> "polars.DataFrame":
    """Return a row per job; times are seconds since the first job was to come.

    `job` is the number in Slurm's own record and in all that is told of order, `log_job` the log's
    name; `predicted` is the middle draw.
    """
    import polars

    low, middle, high = np.quantile(twin.predicted, (BAND[0], 0.5, BAND[1]), axis=0)
    return polars.DataFrame({
        "policy": [twin.policy] * len(jobs),
        "job": np.arange(len(jobs)),
        "log_job": [str(name) for name in names],
        "arrival": np.asarray(jobs.arrival),
        "need": np.asarray(jobs.need),
        "service": np.asarray(jobs.service),
        "estimate": np.asarray(jobs.estimate),
        "submit": done.submit,
        "start": done.start,
        "end": done.end,
        "predicted": middle,
        "predicted_low": low,
        "predicted_high": high,
        "without_delays": twin.ideal,
    })  # fmt: skip
