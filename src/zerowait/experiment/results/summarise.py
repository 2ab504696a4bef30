"""Put the runs of a policy together into a result."""

from collections.abc import Sequence, Sized
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from zerowait._version import __version__
from zerowait.engine.arrays import Ints
from zerowait.engine.run import Outcome
from zerowait.engine.statistics.tally import Tally, merge
from zerowait.engine.stream import Kinds
from zerowait.engine.system import System
from zerowait.experiment.results.job_table import RecordingStream, job_table
from zerowait.experiment.results.result import ClassResult, Result
from zerowait.experiment.results.summaries import class_measures, overall_measures, tally_quantiles
from zerowait.experiment.simulation.divergence import is_diverging
from zerowait.experiment.simulation.plan import Plan
from zerowait.experiment.simulation.replications import Replication
from zerowait.experiment.simulation.run_length import notes_on_length
from zerowait.experiment.statistics.samples import Samples, samples_of
from zerowait.policies import Policy
from zerowait.policies.families.splitting import Splitting

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class Setting:
    """What ran where: all that the runs do not know themselves."""

    policy: Policy
    servers: int
    kinds: Kinds
    names: Sequence[str]  # of the classes
    parameters: dict[str, Any]
    command: str

    @property
    def system(self) -> System:
        return self.kinds.system(self.servers, 1)


def summarise_plan(plan: Plan, policy: Policy, runs: Sequence[Replication]) -> Result:
    """The result of a simulation, with intervals."""
    spelled = ", ".join(f"{key}={value!r}" for key, value in plan.parameters.items())
    setting = Setting(
        policy,
        plan.servers,
        runs[0].stream.kinds,
        plan.workload.class_names,
        parameters={"load": plan.load} | plan.parameters,
        command=f"zw.simulate({plan.workload!r}, {plan.servers}, {policy.spec!r}, {spelled})",
    )
    segments = [one.segments for one in runs]
    # At a load of one or more there is no steady state, however the queue looked in this run.
    diverging = plan.load >= 1 or is_diverging(np.mean(segments, axis=0))
    notes = () if diverging else notes_on_length(segments, [one.unsettled for one in runs])
    recorded = [one for one in runs if one.records is not None]
    tallies = [one.tally for one in runs]
    return _result(
        setting,
        tallies,
        samples=plan_samples(plan, runs, merge(tallies)),
        level=plan.level,
        dropped=tuple(one.dropped for one in runs),
        batches=plan.batches,
        diverging=diverging,
        notes=policy.notes_on(setting.system) + notes,
        jobs=_job_table(recorded) if recorded else None,
    )


def summarise_replay(
    setting: Setting, outcome: Outcome, bounded: bool, jobs: "polars.DataFrame | None"
) -> Result:
    """The result of a log: it is what it is, and stands for no steady state."""
    notes = setting.policy.notes_on(setting.system)
    return _result(setting, [outcome.tally], bounded=bounded, notes=notes, jobs=jobs)


def plan_samples(plan: Plan, runs: Sequence[Replication], total: Tally) -> Samples:
    """The groups are the replications, or the batches that each is cut into."""
    points = tally_quantiles(total)
    if plan.batches is None:
        found = [tally_quantiles(one.tally) for one in runs]
        quantiles = {name: np.array([one[name] for one in found]) for name in points}
        samples = samples_of([one.stretch for one in runs], plan.servers)
        return replace(samples, quantiles=quantiles, points=points)
    cut = [list(one.stretch.parts(plan.batches)) for one in runs]
    samples = samples_of([part for one in cut for part in one], plan.servers, numbered(cut))
    blocks = [one.block_quantiles for one in runs]
    quantiles = {name: np.concatenate([one[name] for one in blocks]) for name in points}
    some = next(iter(points))
    return replace(
        samples,
        quantiles=quantiles,
        points=points,
        quantile_runs=numbered([one[some] for one in blocks]),
    )


def numbered(groups: Sequence[Sized]) -> Ints:
    """For each member of each group the number of the group."""
    return np.repeat(np.arange(len(groups)), [len(one) for one in groups])


def _result(
    setting: Setting, tallies: Sequence[Tally], *, bounded: bool = False, **known: Any
) -> Result:
    total = merge(tallies)
    measured = class_measures(total, setting.servers, bounded)
    needs = setting.kinds.class_needs
    policy = setting.policy
    return Result(
        policy=policy.spec,
        servers=setting.servers,
        overall=overall_measures(total, setting.servers, bounded),
        classes=tuple(
            ClassResult(**vars(measures), name=name, need=int(need))
            for measures, name, need in zip(measured, setting.names, needs, strict=True)
        ),
        replicates=tuple(overall_measures(one, setting.servers, bounded) for one in tallies),
        parameters=setting.parameters,
        version=__version__,
        command=setting.command,
        split=policy.split_of(setting.system) if isinstance(policy, Splitting) else None,
        **known,
    )


def _job_table(runs: Sequence[Replication]) -> "polars.DataFrame":
    streams = [one.stream for one in runs if isinstance(one.stream, RecordingStream)]
    return job_table(streams, [one.records for one in runs if one.records is not None])
