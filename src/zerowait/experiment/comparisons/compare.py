"""Several policies on the same stream of jobs."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from zerowait.engine.batches import Tally, merge
from zerowait.experiment.checks import MeasureName
from zerowait.experiment.comparisons.log_comparison import LogComparison, compare_on_log
from zerowait.experiment.comparisons.paired import Estimate, Paired, pair
from zerowait.experiment.comparisons.ranking import (
    AnyPolicy,
    Ranking,
    contenders,
    policy_number,
    rank,
)
from zerowait.experiment.files.workload_file import AnyWorkload, find_workload
from zerowait.experiment.measures import MEASURES, measure_of
from zerowait.experiment.options import BOUND_S, MSER, CompareOptions, Progress, WarmUp
from zerowait.experiment.replays.ready import is_log
from zerowait.experiment.results.result import ClassKey, Result
from zerowait.experiment.simulation.replications import (
    Execution,
    Replication,
    n_threads,
    run_replications,
    wanted_replications,
    with_precision_note,
)
from zerowait.experiment.simulation.setup import Setup, set_up, warn_if_unstable
from zerowait.experiment.simulation.simulate import summarise
from zerowait.experiment.statistics.intervals import Interval
from zerowait.model import InputError, Jobs
from zerowait.model.display import Drawable, json_ready
from zerowait.model.quantities import refuse
from zerowait.policies import Policy
from zerowait.traces import Log
from zerowait.traces.reading import Trace

if TYPE_CHECKING:
    import polars


MEASURE = MeasureName()
PolicyKey = Result | int | str  # a policy by its result, its number, or its name


@dataclass(frozen=True, repr=False)
class Comparison(Drawable):
    """One result per policy, on common random numbers, and what that says of their differences.

    Means here are estimates of the comparison: the warm-up is that of the slowest policy to settle
    in each replication, and controls are used where they help.
    """

    results: tuple[Result, ...]
    mean_service: float  # the mean response where nobody waits
    class_services: tuple[float, ...]  # the same of each class
    baseline: int  # number of the policy that others are compared with
    measure: str
    level: float
    paired: Paired

    def __repr__(self) -> str:
        told = ", ".join(
            f"{one.policy} {'diverging' if one.diverging else self.interval(one)}"
            for one in self.results
        )
        return f"<Comparison by {self.measure} on {self.results[0].servers} servers: {told}>"

    def interval(
        self,
        policy: PolicyKey,
        measure: str | None = None,
        job_class: ClassKey = None,
        level: float | None = None,
    ) -> Interval:
        """The mean of a policy."""
        measure, level = measure or self.measure, level or self.level
        result = self.results[self._number(policy)]
        if result.diverging:
            return result.interval(measure, level, job_class)
        return self._estimate(policy, measure, job_class).interval(level)

    def difference(
        self,
        policy: PolicyKey,
        measure: str | None = None,
        job_class: ClassKey = None,
        level: float | None = None,
    ) -> Interval:
        """`policy - baseline`: the stream is common, so that much of the noise cancels."""
        pair = self._pair(policy, measure, job_class)
        return (pair[0] - pair[1]).interval(level or self.level)

    def ratio(
        self,
        policy: PolicyKey,
        measure: str | None = None,
        job_class: ClassKey = None,
        level: float | None = None,
    ) -> Interval:
        """`policy / baseline`; the interval is that of the linearised ratio."""
        pair = self._pair(policy, measure, job_class)
        return (pair[0] / pair[1]).interval(level or self.level)

    def ratio_to_ideal(
        self, policy: PolicyKey, job_class: ClassKey = None, level: float | None = None
    ) -> Interval:
        """Mean response by mean service time, which is the response where nobody waits."""
        ideal = (*self.class_services, self.mean_service)[self.results[0].row(job_class)]
        return (
            self._estimate(policy, "response", job_class)
            .scaled(1 / ideal)
            .interval(level or self.level)
        )

    def ranking(self, measure: str | None = None, job_class: ClassKey = None) -> Ranking:
        """By the mean, with Holm's test over all pairs of policies that do not diverge."""
        measure = measure or self.measure
        ranked = {
            one.policy: self._estimate(one, measure, job_class)
            for one in self.results
            if not one.diverging
        }
        return rank(
            measure,
            self.level,
            {name: one.mean for name, one in ranked.items()},
            {(a, b): (ranked[a] - ranked[b]).p_value for a, b in combinations(ranked, 2)},
            diverging=[one.policy for one in self.results if one.diverging],
            higher_is_better=_is_high_better(measure),
        )

    def uses_controls(self, measure: str | None = None) -> bool:
        """Do controls help with a measure, so that they are used?"""
        return self.paired.helpful(measure or self.measure)

    def table(self) -> "polars.DataFrame":
        """One row per policy for all jobs, then one per policy and class."""
        import polars

        names = [None, *(one.name for one in self.results[0].classes)]
        rows = [json_ready(self._row(result, name)) for name in names for result in self.results]
        return polars.DataFrame(rows, infer_schema_length=None)

    def as_dict(self) -> dict[str, Any]:
        rows = self.table().to_dicts()
        n = len(self.results)
        everything: dict[str, Any] = json_ready(
            {
                "mean_service": self.mean_service,
                "baseline": self.results[self.baseline].policy,
                "measure": self.measure,
                "level": self.level,
                "controls": self.uses_controls(),
                "rows": rows[:n],
                "class_rows": rows[n:],
                "ranking": asdict(self.ranking()),
                "results": [result.as_dict() for result in self.results],
            }
        )
        return everything

    def _row(self, result: Result, job_class: str | None) -> dict[str, Any]:
        parts = {
            self.measure: self.interval(result, job_class=job_class),
            "response": self.interval(result, "response", job_class),
            "response_to_ideal": self.ratio_to_ideal(result, job_class),
            "difference": self.difference(result, job_class=job_class),
            "ratio": self.ratio(result, job_class=job_class),
            "wait": self.interval(result, "wait", job_class),
            "p_wait": self.interval(result, "p_wait", job_class),
            "utilisation": self.interval(result, "utilisation", job_class),
        }
        row: dict[str, Any] = {
            "policy": result.policy,
            "job_class": job_class,
            "diverging": result.diverging,
        }
        for name, found in parts.items():
            row |= {name: found.mean, f"{name}_half_width": found.half_width}
        shown = [name for name, one in MEASURES.items() if one.only == "splits"]
        return row | {
            "wait_p99": result.mean("wait_p99", job_class),
            **{name: result.mean(name, job_class) if result.split else None for name in shown},
        }

    def _number(self, policy: PolicyKey) -> int:
        if isinstance(policy, int):
            return policy
        name = policy if isinstance(policy, str) else policy.policy
        return policy_number(name, [one.policy for one in self.results])

    def _estimate(self, policy: PolicyKey, measure: str | None, job_class: ClassKey) -> Estimate:
        measure = MEASURE("measure", measure or self.measure)
        row = self.results[0].row(job_class)
        return self.paired.estimate(self._number(policy), measure, row)

    def _pair(
        self, policy: PolicyKey, measure: str | None, job_class: ClassKey
    ) -> tuple[Estimate, Estimate]:
        own = self._estimate(policy, measure, job_class)
        return own, self._estimate(self.baseline, measure, job_class)


@overload
def compare(
    workload: AnyWorkload,
    servers: int | None,
    policies: Sequence[AnyPolicy],
    *,
    baseline: str | None = None,
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
    jit: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Comparison: ...


@overload
def compare(
    workload: Jobs | Log,
    servers: int | None,
    policies: Sequence[AnyPolicy],
    *,
    baseline: str | None = None,
    load: float | None = None,
    measure: str = "wait",
    level: float = 0.95,
    exclude_too_large: bool = False,
    estimates: str = "user",
    overruns: str = "extend",
    preemption_cost: str | float = "0",
    classes: str | None = None,
    warmup: WarmUp = 0.0,
    cooldown: float = 0.0,
    bound: float = BOUND_S,
    resamples: int = 1000,
    seed: int = 1,
    jit: bool = True,
    progress: Progress | None = None,
) -> LogComparison: ...


def compare(
    workload: AnyWorkload | Trace,
    servers: int | None,
    policies: Sequence[AnyPolicy],
    *,
    baseline: str | None = None,
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
    allow_unstable: bool = False,
    exclude_too_large: bool = False,
    estimates: str = "user",
    overruns: str = "extend",
    preemption_cost: str | float = "0",
    classes: str | None = None,
    cooldown: float = 0.0,
    bound: float = BOUND_S,
    resamples: int = 1000,
    seed: int = 1,
    jit: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Comparison | LogComparison:
    """Each policy on the same jobs: of a workload, on common random numbers with the options of
    `simulate`; of a log (or its file, or `zerowait.Jobs`) with those of `replay`.

    The `baseline` is the first policy unless you name another of them; policies are ranked by
    `measure`. All get as many replications as the one that needs most for the `precision`. Where a
    log is run, its own servers are taken unless `servers` are given, differences are paired over
    its weeks, and policies are ranked by their wait where no other `measure` is given (responses
    differ as waits do: the services are the same).
    """
    options = CompareOptions.among(locals())
    chosen, number = contenders(policies, baseline)
    if is_log(workload):
        ranked = "wait" if options.measure == "response" else options.measure
        return compare_on_log(
            workload, servers, chosen, number, options.of_replay(),
            measure=ranked, level=level, jit=jit, progress=progress,
        )  # fmt: skip
    assert not isinstance(workload, (Jobs, Log))
    if servers is None:
        raise InputError("servers: a workload does not say how many there are; give servers")
    setup = set_up(find_workload(workload, servers), servers, options.of_simulation())
    if setup.batches is not None and measure not in MEASURES:
        raise refuse("measure", measure, "quantiles are compared over replications, not batches")
    warn_if_unstable(setup)
    return _run(setup, chosen, number, Execution(False, jit, threads, progress))


def _run(setup: Setup, policies: Sequence[Policy], baseline: int, how: Execution) -> Comparison:
    runs: list[list[Replication]] = [[] for _ in policies]
    results: list[Result] = []
    n = setup.replications
    while n > len(runs[0]):
        for policy, known in zip(policies, runs, strict=True):
            known += run_replications(setup, policy, range(len(known), n), how)
        results = [summarise(setup, *one) for one in zip(policies, runs, strict=True)]
        n = max(wanted_replications(setup, one) for one in results)
    return put_together(setup, baseline, runs, results)


def put_together(
    setup: Setup, baseline: int, runs: Sequence[Sequence[Replication]], results: Sequence[Result]
) -> Comparison:
    """What the replications of each policy, and their results, say of the differences."""
    return Comparison(
        tuple(with_precision_note(setup, one) for one in results),
        setup.workload.mean_service,
        tuple(np.asarray(setup.workload.mean_services).tolist()),
        baseline,
        setup.options.measure,
        setup.options.level,
        pair(setup, runs, results),
    )


def _is_high_better(column: str) -> bool:
    measure = measure_of(column)
    return measure is not None and measure.better == "high"


@dataclass(frozen=True)
class Growth:
    """The comparison over the first replications, and each policy's sums over them."""

    comparison: Comparison
    tallies: tuple[Tally, ...]  # per policy
    replications: int


def growing(
    setup: Setup, policies: Sequence[Policy], baseline: int, how: Execution
) -> Iterator[Growth]:
    """After each replication of all policies; the last is what `compare` gives for this setup."""
    runs: list[list[Replication]] = [[] for _ in policies]
    with ThreadPoolExecutor(min(len(policies), n_threads(how.threads))) as pool:
        for number in range(setup.replications):
            one = range(number, number + 1)
            futures = [pool.submit(run_replications, setup, each, one, how) for each in policies]
            found = [future.result() for future in futures]
            for known, new in zip(runs, found, strict=True):
                known += new
            so_far = replace(setup, replications=number + 1)
            results = [summarise(so_far, *each) for each in zip(policies, runs, strict=True)]
            tallies = tuple(merge([run.tally for run in known]) for known in runs)
            yield Growth(put_together(so_far, baseline, runs, results), tallies, number + 1)
