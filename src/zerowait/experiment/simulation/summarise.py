"""The result of a simulation: its runs put together, with intervals."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from zerowait.analysis.validity import corollary_1
from zerowait.engine.statistics.tally import Tally, merge
from zerowait.experiment.results.assemble import Setting, assembled
from zerowait.experiment.results.job_table import RecordingStream, job_table
from zerowait.experiment.results.result import Result
from zerowait.experiment.results.summaries import tally_quantiles
from zerowait.experiment.simulation.replications import Replication
from zerowait.experiment.simulation.run_length import notes_on_length, relaxation
from zerowait.experiment.simulation.setup import Setup
from zerowait.experiment.simulation.stability import Stability, judge
from zerowait.experiment.statistics.samples import Samples, numbered, samples_of, samples_of_parts
from zerowait.model import Exponential
from zerowait.policies import Policy
from zerowait.policies.families.splitting import Splitting

if TYPE_CHECKING:
    import polars


def summarise(setup: Setup, policy: Policy, runs: Sequence[Replication]) -> Result:
    """All replications together."""
    spelled = ", ".join(f"{key}={value!r}" for key, value in setup.parameters.items())
    setting = Setting(
        policy,
        setup.servers,
        runs[0].stream.kinds,
        setup.workload.class_names,
        parameters={"load": setup.load} | setup.parameters,
        command=f"zw.simulate({setup.workload!r}, {setup.servers}, {policy.spec!r}, {spelled})",
    )
    segments = [one.segments for one in runs]
    split = policy.split_of(setting.system) if isinstance(policy, Splitting) else None
    stability = judge(setup, policy, segments, split)
    tallies = [one.tally for one in runs]
    return assembled(
        Result,
        setting,
        tallies,
        samples=_samples(setup, runs, merge(tallies)),
        level=setup.options.level,
        dropped=tuple(one.dropped for one in runs),
        batches=setup.batches,
        diverging=stability.diverging,
        notes=(
            *stability.notes,
            *_notes_on_length(setup, runs, stability),
            *_notes_on_the_bound(setup, policy),
        ),
        jobs=_job_table(runs),
    )


def _notes_on_length(
    setup: Setup, runs: Sequence[Replication], stability: Stability
) -> tuple[str, ...]:
    if stability.diverging:
        return ()
    return notes_on_length(
        setup.arrivals,
        relaxation(setup.workload, setup.load, stability.limit),
        [one.unsettled for one in runs],
    )


def _notes_on_the_bound(setup: Setup, policy: Policy) -> tuple[str, ...]:
    """Results of splits speak of the paper's bound on what helpers serve; is it one here?"""
    if not isinstance(policy, Splitting):
        return ()
    claim = corollary_1(
        getattr(policy, "refill", None),  # mbs has none
        preemptive=policy.auxiliary.preemptive,
        size_aware=policy.auxiliary.size_aware,
        exponential=all(isinstance(one.service, Exponential) for one in setup.workload.classes),
    )
    if claim.relation is not None:
        return ()
    return (f"the Erlang bound on served_by_helpers is no theorem here: {claim.reason}",)


def _samples(setup: Setup, runs: Sequence[Replication], total: Tally) -> Samples:
    """The groups are the replications, or the batches that each is cut into."""
    points = tally_quantiles(total)
    if setup.batches is None:
        found = [tally_quantiles(one.tally) for one in runs]
        quantiles = {name: np.array([one[name] for one in found]) for name in points}
        samples = samples_of([one.stretch for one in runs], setup.servers)
        return replace(samples, quantiles=quantiles, points=points)
    samples = samples_of_parts([one.stretch for one in runs], setup.batches, setup.servers)
    blocks = [one.block_quantiles for one in runs]
    quantiles = {name: np.concatenate([one[name] for one in blocks]) for name in points}
    some = next(iter(points))
    return replace(
        samples,
        quantiles=quantiles,
        points=points,
        quantile_runs=numbered([one[some] for one in blocks]),
    )


def _job_table(runs: Sequence[Replication]) -> "polars.DataFrame | None":
    recorded = [
        (one.stream, one.records)
        for one in runs
        if isinstance(one.stream, RecordingStream) and one.records is not None
    ]
    return job_table(recorded) if recorded else None
