"""Simulate a workload: random streams, replications, threads."""

import os
import threading
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np

from zerowait.engine.run import Options, Outcome, run
from zerowait.engine.stream import Stream, WorkloadStream
from zerowait.experiment.job_table import RecordingStream, job_table
from zerowait.experiment.result import Result
from zerowait.experiment.summarise import summarise
from zerowait.model import FixedTimes, InputError, Workload
from zerowait.model.quantities import finite, refuse, whole
from zerowait.policies import Policy, parse_policy

Progress = Callable[[int], None]


class UnstableWarning(UserWarning):
    """The load is one or more: queues grow for as long as the run lasts."""


@dataclass(frozen=True)
class Plan:
    """A simulation, checked and ready: everything but the policy."""

    workload: Workload
    servers: int
    load: float
    arrivals: int
    warmup: float
    seed: int
    replications: int

    @property
    def n_jobs(self) -> int:
        return self.arrivals * self.replications


def plan(
    workload: Workload,
    servers: int,
    *,
    load: float | None = None,
    arrival_rate: float | None = None,
    arrivals: int | None = None,
    warmup: float = 0.1,
    seed: int = 1,
    replications: int = 1,
    allow_unstable: bool = False,
) -> Plan:
    """Check what `simulate` and `compare` are given, before anything runs."""
    if not isinstance(workload, Workload):
        raise refuse("workload", workload, "must be a Workload; see zerowait.workloads")
    servers = whole("servers", servers)
    workload.check_fits(servers)
    if load is not None and arrival_rate is not None:
        raise InputError(f"load = {load}, arrival_rate = {arrival_rate}: give one, not both")
    if load is not None:
        workload = workload.with_load(servers, load)
    elif arrival_rate is not None:
        workload = workload.with_arrival_rate(arrival_rate)
    actual = workload.load(servers)
    if actual >= 1:
        if not allow_unstable:
            remedy = "must be below 1 for a steady state; or allow unstable loads"
            raise refuse("load", load or actual, remedy)
        warnings.warn(
            f"load = {actual:.6g}: the system is not stable, its means depend on the run's length",
            UnstableWarning,
            stacklevel=3,
        )
    if finite("warmup", warmup) < 0 or warmup >= 1:
        raise refuse("warmup", warmup, "must be a share of the arrivals, at least 0 and below 1")
    return Plan(
        workload, servers, actual, _n_arrivals(workload, arrivals), warmup,
        whole("seed", seed, least=0), whole("replications", replications),
    )  # fmt: skip


def _n_arrivals(workload: Workload, arrivals: int | None) -> int:
    process = workload.arrivals
    listed = len(process.instants) if isinstance(process, FixedTimes) else None
    if arrivals is None:
        return listed or 1_000_000
    arrivals = whole("arrivals", arrivals)
    if listed is not None and arrivals > listed:
        raise refuse("arrivals", arrivals, f"the list of arrival times has {listed}; ask for fewer")
    return arrivals


def simulate(
    workload: Workload,
    servers: int,
    policy: str | Policy | type[Policy] = "fcfs",
    *,
    load: float | None = None,
    arrival_rate: float | None = None,
    arrivals: int | None = None,
    warmup: float = 0.1,
    seed: int = 1,
    replications: int = 1,
    jobs: bool = False,
    allow_unstable: bool = False,
    jit: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Simulate `arrivals` jobs (a million by default) of `workload` in each replication.

    The stream depends on the workload and the seed alone, never on the policy. The first
    `warmup` share of the arrivals is run, but not counted; all jobs are run to their end, and
    time averages are taken from the end of the warm-up to the last arrival.
    """
    chosen = parse_policy(policy)
    planned = plan(
        workload, servers, load=load, arrival_rate=arrival_rate, arrivals=arrivals, warmup=warmup,
        seed=seed, replications=replications, allow_unstable=allow_unstable,
    )  # fmt: skip
    return simulate_plan(planned, chosen, jobs=jobs, jit=jit, threads=threads, progress=progress)


def simulate_plan(
    plan: Plan,
    policy: Policy,
    *,
    jobs: bool = False,
    jit: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Run every replication of a plan, each in a thread (kernels release the GIL)."""
    options = Options(warmup=int(plan.warmup * plan.arrivals), records=jobs, jit=jit)
    seeds = np.random.SeedSequence(plan.seed).spawn(plan.replications)
    streams = [WorkloadStream(plan.workload, plan.arrivals, seed) for seed in seeds]
    recorded = [RecordingStream(stream) for stream in streams] if jobs else []
    outcomes = _run_all(recorded or streams, policy, plan.servers, options, threads, progress)
    frame = job_table(recorded, outcomes) if jobs else None
    chosen = {
        "arrival_rate": plan.workload.arrivals.rate,
        "arrivals": plan.arrivals,
        "warmup": plan.warmup,
        "seed": plan.seed,
        "replications": plan.replications,
    }
    spelled = ", ".join(f"{key}={value!r}" for key, value in chosen.items())
    return summarise(
        policy,
        plan.servers,
        streams[0].kinds,
        outcomes,
        plan.workload.class_names,
        parameters={"load": plan.load} | chosen,
        command=f"zw.simulate({plan.workload!r}, {plan.servers}, {policy.spec!r}, {spelled})",
        jobs=frame,
    )


class _StoppedError(Exception):
    """Raised inside a worker whose siblings have failed or been interrupted."""


def _run_all(
    streams: Sequence[Stream],
    policy: Policy,
    servers: int,
    options: Options,
    threads: int | None,
    progress: Progress | None,
) -> list[Outcome]:
    stop = threading.Event()

    def tick(n_jobs: int) -> None:
        if stop.is_set():
            raise _StoppedError
        if progress is not None:
            progress(n_jobs)

    workers = min(len(streams), threads or os.cpu_count() or 1)
    if workers == 1:
        return [run(stream, policy, servers, options, tick) for stream in streams]
    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(run, stream, policy, servers, options, tick) for stream in streams]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
            return [future.result() for future in futures]
        finally:
            # After an error or Ctrl-C the other threads end at their next chunk.
            stop.set()
