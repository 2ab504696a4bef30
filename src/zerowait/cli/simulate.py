"""`zerowait simulate`."""

from zerowait.cli.arguments import (
    AllowUnstable,
    ArrivalRate,
    Arrivals,
    Batches,
    Budget,
    JobsOut,
    Json,
    Level,
    Load,
    Measure,
    PolicyFile,
    PolicyName,
    Precision,
    Replications,
    Seed,
    Servers,
    Threads,
    WarmUp,
    WorkloadName,
    check_files,
    find_workload,
    parse_warmup,
)
from zerowait.cli.output import print_result, progress


def simulate(
    workload: WorkloadName,
    servers: Servers,
    policy: PolicyName = "fcfs",
    load: Load = None,
    arrival_rate: ArrivalRate = None,
    arrivals: Arrivals = None,
    replications: Replications = None,
    batches: Batches = None,
    precision: Precision = None,
    measure: Measure = "response",
    budget: Budget = None,
    level: Level = 0.95,
    warmup: WarmUp = "mser",
    seed: Seed = 1,
    jobs_out: JobsOut = None,
    allow_unstable: AllowUnstable = False,
    policy_file: PolicyFile = None,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Simulate a workload under one policy."""
    from zerowait.experiment.simulation.simulate import plan, simulate_plan
    from zerowait.policies import parse_policy

    check_files(policy_file, jobs_out)
    chosen = parse_policy(policy)
    planned = plan(
        find_workload(workload, servers), servers, load=load, arrival_rate=arrival_rate,
        arrivals=arrivals, replications=replications, batches=batches, precision=precision,
        measure=measure, budget=budget, level=level, warmup=parse_warmup(warmup), seed=seed,
        jobs=jobs_out is not None, allow_unstable=allow_unstable,
    )  # fmt: skip
    n_jobs = planned.n_jobs if precision is None else None
    with progress(chosen.spec, n_jobs) as tick:
        result = simulate_plan(
            planned, chosen, jobs=jobs_out is not None, threads=threads, progress=tick
        )
    print_result(result, jobs_out, as_json)
