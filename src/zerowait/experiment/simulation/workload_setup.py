"""Jobs of a workload made ready: how many, in how many replications, and what they come to."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from zerowait.analysis.bounds import corollary_1
from zerowait.engine.batches import Batches, Tally, merge
from zerowait.engine.run import Outcome, RunSettings
from zerowait.engine.stream import Kinds, Stream, WorkloadStream
from zerowait.experiment.checks import price_of
from zerowait.experiment.options import MSER, Offered, SimulationOptions
from zerowait.experiment.results.result import Result, Setting, assembled, tally_quantiles
from zerowait.experiment.results.single_jobs import RecordingStream, job_table
from zerowait.experiment.simulation import run_length
from zerowait.experiment.simulation.setup import Execution, Replication, Setup
from zerowait.experiment.simulation.stability import Stability, judge
from zerowait.experiment.statistics.paired import Paired, controls_of
from zerowait.experiment.statistics.samples import (
    Samples,
    Stretch,
    numbered,
    samples_of,
    samples_of_parts,
)
from zerowait.model import Exponential, FixedTimes, InputError, Workload
from zerowait.model.quantities import Floats, refuse, whole
from zerowait.model.workload import LARGEST_NEED
from zerowait.policies import Policy

if TYPE_CHECKING:
    import polars

ARRIVALS = 1_000_000
REPLICATIONS = 4
BUDGET = 100  # replications
GROUPS = 20  # that a single replication is cut into (Schmeiser, Operations Research 30, 1982)
PARTS = 10  # batches of a replication, for slopes of controls
# Enough for five in a point of MSER, and to cut what is left into twenty nearly equal parts.
BATCHES = 256
SEGMENTS = 16  # parts of a run, whose queues tell whether it grows


class UnstableWarning(UserWarning):
    """The load is one or more: queues grow for as long as the run lasts."""


@dataclass(frozen=True)
class WorkloadSetup(Setup):
    """A workload on its servers; what the options leave open is decided."""

    workload: Workload  # at the rate that is asked for
    servers: int
    load: float
    arrivals: int  # per replication
    replications: int
    batches: int | None  # per replication; None: a replication is one group
    options: SimulationOptions
    in_seconds = False

    @property
    def n_jobs(self) -> int:
        return self.arrivals * self.replications

    @property
    def expected_jobs(self) -> int | None:
        return self.n_jobs if self.options.precision is None else None

    @property
    def names(self) -> Sequence[str]:
        return self.workload.class_names

    @property
    def offered_load(self) -> float:
        return self.load

    @property
    def measure(self) -> str:
        return self.options.measure

    @property
    def level(self) -> float:
        return self.options.level

    @property
    def mean_services(self) -> tuple[float, ...]:
        own = np.asarray(self.workload.mean_services).tolist()
        return (*own, self.workload.mean_service)

    @cached_property
    def kinds(self) -> Kinds:
        return WorkloadStream(self.workload, 1, np.random.SeedSequence(0)).kinds

    @property
    def most_replications(self) -> int:
        if self.options.precision is None:
            return self.replications
        budget = self.options.budget or BUDGET * self.arrivals
        return max(budget // self.arrivals, self.replications)

    @property
    def parameters(self) -> dict[str, Any]:
        """Return what determines the numbers: what was decided, and what else was chosen."""
        decided: dict[str, Any] = {
            "arrival_rate": self.workload.arrivals.rate,
            "arrivals": self.arrivals,
            "warmup": self.options.warmup,
            "seed": self.options.seed,
            "replications": self.replications,
        }
        if self.batches is not None:
            decided["batches"] = self.batches
        chosen = self.options.chosen() | {"measure": self.options.measure}
        if self.options.precision is None:
            del chosen["measure"]
        return decided | {
            name: value for name, value in chosen.items() if name not in decided and name != "load"
        }

    @property
    def _finds_warmup(self) -> bool:
        return self.options.warmup == MSER

    @property
    def _warmup(self) -> int:
        """Arrivals that are not counted, where their share is given."""
        return 0 if self._finds_warmup else int(float(self.options.warmup) * self.arrivals)

    def engine_options(self, how: Execution) -> RunSettings:
        # Sums over batches differ from those over all jobs by rounding, so that none are made
        # where none are needed.
        batched = self._finds_warmup or self.batches is not None
        return RunSettings(
            warmup=self._warmup,
            records=how.jobs,
            batches=max(BATCHES, 8 * (self.batches or 0)) if batched else 1,
            segments=SEGMENTS,
            price=price_of(str(self.options.preemption_cost)),
            jit=how.jit,
            chunk_size=how.chunk_size,
        )

    def stream(self, number: int, how: Execution) -> Stream:
        """Depends on the seed and the number alone."""
        seed = np.random.SeedSequence(self.options.seed, spawn_key=(number,))
        stream = WorkloadStream(self.workload, self.arrivals, seed, jit=how.jit)
        return RecordingStream(stream) if how.jobs else stream

    def replication(self, outcome: Outcome, stream: Stream) -> Replication:
        batches = outcome.batches
        first, unsettled = run_length.mser_batches(batches) if self._finds_warmup else (0, False)
        return Replication(
            Stretch(_without_histograms(batches), first, len(batches)),
            batches.tally(first),
            _block_quantiles(batches, first) if self.batches is not None else {},
            outcome.segments,
            self._warmup + int(batches.arrivals[:first].sum()),
            unsettled,
            outcome.records,
            stream,
        )

    def result(self, policy: Policy, runs: Sequence[Replication]) -> Result:
        spelled = ", ".join(f"{key}={value!r}" for key, value in self.parameters.items())
        setting = Setting(
            policy,
            self.servers,
            runs[0].stream.kinds,
            self.names,
            parameters={"load": self.load} | self.parameters,
            command=f"zw.simulate({self.workload!r}, {self.servers}, {policy.spec!r}, {spelled})",
        )
        split = policy.split_of(setting.system)
        stability = judge(self, policy, [one.segments for one in runs], split)
        tallies = [one.tally for one in runs]
        return assembled(
            setting,
            tallies,
            samples=_samples(self, runs, merge(tallies)),
            level=self.level,
            dropped=tuple(one.dropped for one in runs),
            batches=self.batches,
            diverging=stability.diverging,
            notes=(
                *stability.notes,
                *_notes_on_length(self, runs, stability),
                *_notes_on_the_bound(self, policy),
            ),
            jobs=_job_table(runs),
        )

    def with_replications(self, replications: int) -> "WorkloadSetup":
        return replace(self, replications=replications)

    def shortened(self, arrivals: int) -> "WorkloadSetup":
        few = min(arrivals, self.arrivals)
        options = replace(self.options, arrivals=few, replications=1, load=None)
        return set_up_workload(self.workload, self.servers, options)

    def wanted(self, result: Result) -> int:
        """A sequential procedure; see `next_replications`."""
        n, precision = len(result.replicates), self.options.precision
        if precision is None or result.diverging:
            return n
        found = result.interval(self.measure, self.level)
        return run_length.next_replications(found, precision, n, self.most_replications)

    def finished(self, result: Result) -> Result:
        """Say so where the precision was not reached."""
        n, precision = len(result.replicates), self.options.precision
        if precision is None or result.diverging:
            return result
        found = result.interval(self.measure, self.level)
        if run_length.is_precise(found, precision):
            return result
        note = (
            f"precision {precision:g} of {self.measure} was not reached within the budget: "
            f"{found} after {n} replications ({n * self.arrivals} arrivals)"
        )
        return replace(result, notes=(*result.notes, note))

    def paired(self, runs: Sequence[Sequence[Replication]], results: Sequence[Result]) -> Paired:
        """Cut every replication where the last of the policies that have a steady state has
        settled."""
        steady = [not one.diverging for one in results]
        kept = [known for known, ok in zip(runs, steady, strict=True) if ok]
        firsts = [max(one.stretch.first for one in same) for same in zip(*kept, strict=True)]

        def samples(known: Sequence[Replication], result: Result) -> tuple[Samples, Samples]:
            whole_runs = [
                Stretch(one.stretch.batches, first, one.stretch.end)
                for one, first in zip(known, firsts, strict=True)
            ]
            fine = samples_of_parts(whole_runs, self.batches or PARTS, self.servers)
            groups = fine if self.batches else samples_of(whole_runs, self.servers)
            own = result.samples
            if own is not None and self.batches is None:  # blocks of histograms begin elsewhere
                groups = replace(groups, quantiles=own.quantiles, points=own.points)
            return groups, fine

        found = [
            samples(known, result) if ok else (None, None)
            for known, result, ok in zip(runs, results, steady, strict=True)
        ]
        groups, batches = (tuple(part) for part in zip(*found, strict=True))
        common = next(((a, b) for a, b in found if a is not None and b is not None), None)
        controls = None
        if common is not None and self.batches is None:
            controls = controls_of(self.workload, *common)
        return Paired(groups, batches, controls)


def set_up_workload(
    workload: Workload, servers: int | None, options: SimulationOptions, jobs: bool = False
) -> WorkloadSetup:
    """Check options against each other and the workload; where `jobs` are kept, one replication
    is enough."""
    if servers is None:
        raise InputError("servers: a workload does not say how many there are; give servers")
    servers = whole("servers", servers, most=LARGEST_NEED)
    workload.check_fits(servers)
    workload = offered(workload, servers, options)
    load = workload.load(servers)
    if load >= 1 and not options.allow_unstable:
        remedy = "must be below 1 for a steady state; or allow unstable loads"
        raise refuse("load", options.load or load, remedy)
    arrivals = _n_arrivals(workload, options.arrivals)
    replications = options.replications or _n_replications(workload, options, jobs)
    batches = options.batches or (GROUPS if replications == 1 else None)
    _check_precision(options, arrivals, replications)
    return WorkloadSetup(workload, servers, load, arrivals, replications, batches, options)


def offered(workload: Workload, servers: int, options: Offered) -> Workload:
    """The workload at the load, or the rate, that is asked for."""
    load, rate = options.load, options.arrival_rate
    if load is not None and rate is not None:
        raise InputError(f"load = {load}, arrival_rate = {rate}: give one, not both")
    if load is not None:
        return workload.with_load(servers, load)
    return workload if rate is None else workload.with_arrival_rate(rate)


def warn_if_unstable(setup: Setup) -> None:
    """Warn at the line that called the public function which calls this."""
    if isinstance(setup, WorkloadSetup) and setup.load >= 1:
        warnings.warn(
            f"load = {setup.load:.6g}: the system is not stable, its means depend on the run's "
            "length",
            UnstableWarning,
            stacklevel=3,
        )


def _n_arrivals(workload: Workload, arrivals: int | None) -> int:
    process = workload.arrivals
    listed = len(process.instants) if isinstance(process, FixedTimes) else None
    if arrivals is None:
        return listed or ARRIVALS
    if listed is not None and arrivals > listed:
        raise refuse("arrivals", arrivals, f"the list of arrival times has {listed}; ask for fewer")
    return arrivals


def _n_replications(workload: Workload, options: SimulationOptions, jobs: bool) -> int:
    if options.precision is not None:
        return run_length.PRECISE_REPLICATIONS
    single = options.batches is not None or jobs or isinstance(workload.arrivals, FixedTimes)
    return 1 if single else REPLICATIONS


def _check_precision(options: SimulationOptions, arrivals: int, replications: int) -> None:
    budget = options.budget
    if options.precision is None:
        if budget is not None:
            raise refuse("budget", budget, "is for a precision; give one, or leave it out")
        return
    if replications < 2:
        raise refuse("replications", replications, "a precision needs 2 or more; leave it out")
    least = arrivals * replications
    if budget is not None and budget < least:
        remedy = f"{replications} replications of {arrivals} arrivals need {least}"
        raise refuse("budget", budget, remedy)


def _block_quantiles(batches: Batches, first: int) -> dict[str, Floats]:
    """Quantiles of each block of histograms; a short last block is one with the block before."""
    blocks = batches.blocks(first, len(batches))
    starts = list(range(blocks.start, blocks.stop))
    short = len(batches) - starts[-1] * batches.per_block < batches.per_block / 2
    if short and len(starts) > 1:
        starts.pop()
    ends = [*starts[1:], blocks.stop]
    found = [
        tally_quantiles(batches.tally(start * batches.per_block, _end(batches, end)))
        for start, end in zip(starts, ends, strict=True)
    ]
    return {name: np.array([one[name] for one in found]) for name in found[0]}


def _end(batches: Batches, block: int) -> int:
    return min(block * batches.per_block, len(batches))


def _without_histograms(batches: Batches) -> Batches:
    none = np.zeros((0, 0, 0), np.int64)
    return replace(batches, response_histogram=none, wait_histogram=none)


def _notes_on_length(
    setup: WorkloadSetup, runs: Sequence[Replication], stability: Stability
) -> tuple[str, ...]:
    if stability.diverging:
        return ()
    return run_length.notes_on_length(
        setup.arrivals,
        run_length.relaxation(setup.workload, setup.load, stability.limit),
        [one.unsettled for one in runs],
    )


def _notes_on_the_bound(setup: WorkloadSetup, policy: Policy) -> tuple[str, ...]:
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


def _samples(setup: WorkloadSetup, runs: Sequence[Replication], total: Tally) -> Samples:
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
