"""Compare several policies on the same jobs: of a workload, or of a log."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import overload

from zerowait.engine.batches import Tally, merge
from zerowait.experiment.comparisons.comparison import AnyPolicy, Comparison, contenders
from zerowait.experiment.files.workload_file import AnyWorkload
from zerowait.experiment.options import BOUND_S, MSER, CompareOptions, Progress, WarmUp
from zerowait.experiment.results.result import Result
from zerowait.experiment.simulation.setup import Execution, Replication, Setup
from zerowait.experiment.simulation.simulate import n_threads, run_replications, set_up
from zerowait.experiment.simulation.workload_setup import warn_if_unstable
from zerowait.model import Jobs
from zerowait.policies import Policy
from zerowait.traces.log import Log
from zerowait.traces.reading import Trace


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
) -> Comparison: ...


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
) -> Comparison:
    """Compare policies on the same jobs.

    Jobs of a workload come on common random numbers, with the options of `simulate`; those of a log
    (or its file, or `zerowait.Jobs`) with those of `replay`.

    The `baseline` is the first policy unless you name another of them; policies are ranked by
    `measure`. All get as many replications as the one that needs most for the `precision`. Where a
    log is run, its own servers are taken unless `servers` are given, differences are paired over
    its weeks, and policies are ranked by their wait where no other `measure` is given (responses
    differ as waits do: the services are the same).
    """
    options = CompareOptions.among(locals())
    chosen, number = contenders(policies, baseline)
    setup = set_up(workload, servers, options)
    warn_if_unstable(setup)
    return compare_on(setup, chosen, number, Execution(False, jit, threads, progress))


def compare_on(
    setup: Setup, policies: Sequence[Policy], baseline: int, how: Execution
) -> Comparison:
    """Run each policy as often as the one that needs most replications for the precision."""
    how = replace(how, jobs=setup.keeps_jobs)
    runs: list[list[Replication]] = [[] for _ in policies]
    results: list[Result] = []
    n = setup.replications
    while n > len(runs[0]):
        for policy, known in zip(policies, runs, strict=True):
            known += run_replications(setup, policy, range(len(known), n), how)
        results = [setup.result(*one) for one in zip(policies, runs, strict=True)]
        n = max(map(setup.wanted, results))
    return put_together(setup, baseline, runs, results)


def put_together(
    setup: Setup, baseline: int, runs: Sequence[Sequence[Replication]], results: Sequence[Result]
) -> Comparison:
    """Return what the replications of each policy, and their results, say of the differences."""
    groups, paired_groups = setup.grouped(results)
    return Comparison(
        tuple(map(setup.finished, results)),
        setup.mean_services,
        baseline,
        setup.measure,
        setup.level,
        setup.paired(runs, results),
        setup.in_seconds,
        groups,
        paired_groups,
        setup.recorded(results),
    )


@dataclass(frozen=True)
class Growth:
    """The comparison over the first replications, and each policy's sums over them."""

    comparison: Comparison
    tallies: tuple[Tally, ...]  # per policy
    replications: int


def growing(
    setup: Setup, policies: Sequence[Policy], baseline: int, how: Execution
) -> Iterator[Growth]:
    """Yield the comparison after each replication; the last is what `compare` gives."""
    how = replace(how, jobs=setup.keeps_jobs)
    runs: list[list[Replication]] = [[] for _ in policies]
    with ThreadPoolExecutor(min(len(policies), n_threads(how.threads))) as pool:
        for number in range(setup.replications):
            one = range(number, number + 1)
            futures = [pool.submit(run_replications, setup, each, one, how) for each in policies]
            found = [future.result() for future in futures]
            for known, new in zip(runs, found, strict=True):
                known += new
            so_far = setup.with_replications(number + 1)
            results = [so_far.result(*each) for each in zip(policies, runs, strict=True)]
            tallies = tuple(merge([run.tally for run in known]) for known in runs)
            yield Growth(put_together(so_far, baseline, runs, results), tallies, number + 1)
