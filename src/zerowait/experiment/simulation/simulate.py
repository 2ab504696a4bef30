"""Open what a user names, set it up, and run it under a policy in threads.

What is named is a workload (itself, published, a TOML file) or a log (itself, its file,
`zerowait.Jobs`). Nobody else asks which of the two it is by looking at a name.
"""

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeGuard

from zerowait.engine.run import run
from zerowait.engine.stream import Stream
from zerowait.experiment.files.workload_file import AnyWorkload, find_workload
from zerowait.experiment.measures import MEASURES
from zerowait.experiment.options import (
    BOUND_S,
    MSER,
    CompareOptions,
    Progress,
    ReplayOptions,
    SimulationOptions,
    WarmUp,
)
from zerowait.experiment.results.result import Result
from zerowait.experiment.simulation.log_setup import set_up_log
from zerowait.experiment.simulation.setup import Execution, Replication, Setup
from zerowait.experiment.simulation.workload_setup import set_up_workload, warn_if_unstable
from zerowait.model import InputError, Jobs, Workload
from zerowait.model.quantities import refuse, whole
from zerowait.model.workloads import is_published
from zerowait.policies import Policy, parse_policy
from zerowait.traces.log import Log
from zerowait.traces.reading import Trace, log_of


def is_log(what: object) -> TypeGuard[Trace]:
    """Say whether something is jobs, a log, or a file that is no TOML; the names of published
    workloads are none."""
    if isinstance(what, (Jobs, Log)):
        return True
    if not isinstance(what, (str, Path)) or str(what).endswith(".toml"):
        return False
    return Path(what).is_file() and not is_published(str(what))


def open_source(what: AnyWorkload | Trace, servers: int | None, function: str) -> Workload | Log:
    """Open what a user names for one of the public functions; refuse what is neither."""
    if is_log(what):
        return log_of(what, function)
    if not isinstance(what, (Workload, str, Path)):
        remedy = (
            "must be a Workload, the name of one, a TOML file, a log, its file, or "
            "zerowait.Jobs(arrival, need, service)"
        )
        raise refuse("what", what, f"{remedy}; {function} takes nothing else")
    if isinstance(what, Workload):
        return what
    if servers is None:
        raise InputError("servers: a workload does not say how many there are; give servers")
    return find_workload(what, servers)


def set_up(what: AnyWorkload | Trace, servers: int | None, options: CompareOptions) -> Setup:
    """Open what a user names, and make its jobs ready; nobody behind this asks what they are."""
    source = open_source(what, servers, "compare")
    if isinstance(source, Log):
        measure = "wait" if options.measure == "response" else options.measure
        return set_up_log(source, servers, options.of_replay(), measure, options.level)
    found = set_up_workload(source, servers, options.of_simulation())
    if found.batches is not None and options.measure not in MEASURES:
        remedy = "quantiles are compared over replications, not batches"
        raise refuse("measure", options.measure, remedy)
    return found


TICK_S = 0.2  # at most so long no signal is heard


def n_cores() -> int:
    """Cores that this process may use: a batch system or a container often grants but a few."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def n_threads(threads: int | None) -> int:
    """Return the number of threads: as given, or one per core."""
    return n_cores() if threads is None else whole("threads", threads)


def wait_for_all(futures: "Iterable[Future[Any]]") -> None:
    """Until all are finished, or one has failed. A wait without a limit would not hear Ctrl-C
    once polars has installed a handler of its own."""
    left = set(futures)
    while left:
        done, left = wait(left, TICK_S, FIRST_EXCEPTION)
        if any(future.exception() is not None for future in done):
            return


def run_replications(
    setup: Setup, policy: Policy, numbers: range, how: Execution
) -> list[Replication]:
    """Run the replications of these numbers, each in a thread (kernels release the GIL)."""
    options = setup.engine_options(how)
    streams = [setup.stream(number, how) for number in numbers]

    def replication(stream: Stream, tick: Progress) -> Replication:
        outcome = run(stream, policy, setup.servers, options, tick)
        return setup.replication(outcome, stream)

    return _run_all(streams, replication, how)


class _StoppedError(Exception):
    """Raised inside a worker whose siblings have failed or been interrupted."""


def _run_all(
    streams: Sequence[Stream],
    replication: Callable[[Stream, Progress], Replication],
    how: Execution,
) -> list[Replication]:
    """Run each replication in a thread (kernels release the GIL)."""
    stop = threading.Event()

    def tick(n_jobs: int) -> None:
        if stop.is_set():
            raise _StoppedError
        if how.progress is not None:
            how.progress(n_jobs)

    workers = min(len(streams), n_threads(how.threads))
    if workers == 1:
        return [replication(stream, tick) for stream in streams]
    pool = ThreadPoolExecutor(workers)
    waits = True
    try:
        futures = [pool.submit(replication, stream, tick) for stream in streams]
        wait_for_all(futures)
        return [future.result() for future in futures]
    except KeyboardInterrupt:
        waits = False  # a hook of the user's may never return
        raise
    finally:
        # After an error or Ctrl-C the other threads end at their next chunk.
        stop.set()
        pool.shutdown(waits, cancel_futures=True)


def run_setup(setup: Setup, policy: Policy, how: Execution) -> Result:
    """Run the replications of a setup, and more of them where a precision asks for it."""
    runs = run_replications(setup, policy, range(setup.replications), how)
    result = setup.result(policy, runs)
    while (n := setup.wanted(result)) > len(runs):
        runs += run_replications(setup, policy, range(len(runs), n), how)
        result = setup.result(policy, runs)
    return setup.finished(result)


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
    setup = set_up_workload(find_workload(workload, servers), servers, options, jobs)
    warn_if_unstable(setup)
    return run_setup(setup, chosen, Execution(jobs, jit, threads, progress))


def replay(
    trace: Trace,
    servers: int | None = None,
    policy: str | Policy | type[Policy] = "fcfs",
    *,
    load: float | None = None,
    exclude_too_large: bool = False,
    estimates: str = "user",
    overruns: str = "extend",
    preemption_cost: str | float = "0",
    classes: str | None = None,
    warmup: float = 0.0,
    cooldown: float = 0.0,
    bound: float = BOUND_S,
    users: bool = False,
    resamples: int = 1000,
    seed: int = 1,
    jobs: bool = False,
    jit: bool = True,
    progress: Progress | None = None,
) -> Result:
    """Run the jobs of a log, of its file, or of `zerowait.Jobs`, on `servers` servers.

    On the log's own servers and at its own load, unless others are given: its gaps between arrivals
    are then stretched to `load`. Every job is counted unless a `warmup` share of the first or a
    `cooldown` share of the last is left out; time averages run from the first arrival (or, with a
    warm-up, the last that is left out) to the last completion (or, with a cool-down, the last
    counted arrival).

    Classes are the jobs' own, or their distinct needs, or made by `classes` as in `fit_workload`;
    the slots of a split come from the jobs' own demand unless they are given. `estimates` are the
    users' or exact; jobs that outran them are told of, and settled by the rule of `overruns`
    (`extend`, `kill`, `as-recorded`). Intervals come from the log's weeks, where there are four or
    more.
    """
    options = ReplayOptions.among(locals())
    setup = set_up_log(log_of(trace, "replay"), servers, options)
    result = run_setup(setup, parse_policy(policy), Execution(jobs, jit, 1, progress))
    return result if jobs else replace(result, jobs=None)
