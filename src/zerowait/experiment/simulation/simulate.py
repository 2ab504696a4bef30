"""Simulate a workload under a policy, and put the runs together into a result."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from zerowait.analysis.bounds import corollary_1
from zerowait.engine.batches import Tally, merge
from zerowait.experiment.files.workload_file import AnyWorkload, find_workload
from zerowait.experiment.options import MSER, Progress, SimulationOptions, WarmUp
from zerowait.experiment.results.job_table import RecordingStream, job_table
from zerowait.experiment.results.result import Result, Setting, assembled
from zerowait.experiment.results.summaries import tally_quantiles
from zerowait.experiment.simulation.replications import (
    Execution,
    Replication,
    run_replications,
    wanted_replications,
    with_precision_note,
)
from zerowait.experiment.simulation.setup import Setup, set_up, warn_if_unstable
from zerowait.experiment.simulation.stability import Stability, judge, notes_on_length, relaxation
from zerowait.experiment.statistics.samples import Samples, numbered, samples_of, samples_of_parts
from zerowait.model import Exponential
from zerowait.policies import Policy, parse_policy

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
    split = policy.split_of(setting.system)
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
    if policy.auxiliary is None:
        return ()
    claim = corollary_1(
        policy.refill,
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


def simulate(
    workload: AnyWorkload,
    servers: int,
    policy: str | Policy | type[Policy] = "fcfs",
    *,
    load: float | None = None,
    arrival_rate: float | None = None,
    arrivals: int | None = None,
    replications: int | None = None,
    batches: int | None = None,
    precision: float | None = None,
    measure: str = "response",
    budget: int | None = None,
    level: float = 0.95,
    warmup: WarmUp = MSER,
    preemption_cost: str | float = "0",
    allow_unstable: bool = False,
    seed: int = 1,
    jobs: bool = False,
    jit: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Simulate `arrivals` jobs (a million by default) of `workload` in each replication.

    A workload is given itself, by its name (`figure1`) or as a TOML file. The stream depends on
    it and the seed alone, never on the policy. All jobs are run to their end; those of the warm-up
    are not counted (found by MSER-5 in each replication, or a given share of the arrivals), and
    time averages are taken from its end to the last arrival.

    Intervals come from the replications (4 by default), or from `batches` of each of them; with
    `jobs` or a list of arrival times there is one replication, in 20 batches, unless you say
    otherwise. With a `precision`, replications are added until the half-width of `measure` is
    within that share of its mean, or the `budget` of arrivals is spent (a hundred replications).
    """
    options = SimulationOptions.among(locals())
    chosen = parse_policy(policy)
    setup = set_up(find_workload(workload, servers), servers, options, jobs)
    warn_if_unstable(setup)
    return _run(setup, chosen, Execution(jobs, jit, threads, progress))


def _run(setup: Setup, policy: Policy, how: Execution) -> Result:
    """The replications of a setup, and more of them where a precision asks for it."""
    runs = run_replications(setup, policy, range(setup.replications), how)
    result = summarise(setup, policy, runs)
    while (n := wanted_replications(setup, result)) > len(runs):
        runs += run_replications(setup, policy, range(len(runs), n), how)
        result = summarise(setup, policy, runs)
    return with_precision_note(setup, result)
