"""Simulate a workload under a policy."""

from dataclasses import replace
from typing import Any

from zerowait.experiment.results.result import Result
from zerowait.experiment.results.summarise import summarise_plan
from zerowait.experiment.simulation.plan import MSER, Plan, UnstableWarning, WarmUp, plan
from zerowait.experiment.simulation.precision import is_precise, next_replications
from zerowait.experiment.simulation.replications import Progress, run_replications
from zerowait.model import Workload
from zerowait.policies import Policy, parse_policy

__all__ = ["Plan", "Progress", "UnstableWarning", "plan", "simulate", "simulate_plan"]


def simulate(
    workload: Workload,
    servers: int,
    policy: str | Policy | type[Policy] = "fcfs",
    *,
    load: float | None = None,
    arrival_rate: float | None = None,
    arrivals: int | None = None,
    warmup: WarmUp = MSER,
    seed: int = 1,
    replications: int | None = None,
    batches: int | None = None,
    precision: float | None = None,
    measure: str = "response",
    budget: int | None = None,
    level: float = 0.95,
    jobs: bool = False,
    allow_unstable: bool = False,
    jit: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Simulate `arrivals` jobs (a million by default) of `workload` in each replication.

    The stream depends on the workload and the seed alone, never on the policy. All jobs are run to
    their end; those of the warm-up are not counted (found by MSER-5 in each replication, or a
    given share of the arrivals), and time averages are taken from its end to the last arrival.

    Intervals come from the replications (4 by default), or from `batches` of each of them; with
    `jobs` or a list of arrival times there is one replication, in 20 batches, unless you say
    otherwise. With a `precision`, replications are added until the half-width of `measure` is
    within that share of its mean, or the `budget` of arrivals is spent (a hundred replications).
    """
    chosen = parse_policy(policy)
    planned = plan(
        workload, servers, load=load, arrival_rate=arrival_rate, arrivals=arrivals, warmup=warmup,
        seed=seed, replications=replications, batches=batches, precision=precision,
        measure=measure, budget=budget, level=level, jobs=jobs, allow_unstable=allow_unstable,
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
    """Run the replications of a plan, and more of them where a precision asks for it."""
    how: dict[str, Any] = {"jobs": jobs, "jit": jit, "threads": threads, "progress": progress}
    runs = run_replications(plan, policy, range(plan.replications), **how)
    result = summarise_plan(plan, policy, runs)
    while (n := wanted_replications(plan, result)) > len(runs):
        runs += run_replications(plan, policy, range(len(runs), n), **how)
        result = summarise_plan(plan, policy, runs)
    return with_precision_note(plan, result)


def wanted_replications(plan: Plan, result: Result) -> int:
    """At the next look; as many as there are where nothing is gained by more."""
    n = len(result.replicates)
    if plan.precision is None or result.diverging:
        return n
    found = result.interval(plan.measure, plan.level)
    return next_replications(found, plan.precision, n, plan.most_replications)


def with_precision_note(plan: Plan, result: Result) -> Result:
    """Say so where the precision was not reached."""
    if plan.precision is None or result.diverging:
        return result
    found = result.interval(plan.measure, plan.level)
    if is_precise(found, plan.precision):
        return result
    n = len(result.replicates)
    note = (
        f"precision {plan.precision:g} of {plan.measure} was not reached within the budget: "
        f"{found} after {n} replications ({n * plan.arrivals} arrivals)"
    )
    return replace(result, notes=(*result.notes, note))
