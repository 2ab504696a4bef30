"""`zerowait simulate`."""

from typing import Annotated

import typer

from zerowait.cli.arguments import (
    AllowUnstable,
    ArrivalRate,
    Arrivals,
    JobsOut,
    Json,
    Load,
    PolicyFile,
    PolicyName,
    Seed,
    Servers,
    Threads,
    Warmup,
    WorkloadName,
    check_files,
    find_workload,
)
from zerowait.cli.output import print_result, progress


def simulate(
    workload: WorkloadName,
    servers: Servers,
    policy: PolicyName = "fcfs",
    load: Load = None,
    arrival_rate: ArrivalRate = None,
    arrivals: Arrivals = None,
    replications: Annotated[int, typer.Option(help="Independent replications.")] = 1,
    warmup: Warmup = 0.1,
    seed: Seed = 1,
    jobs_out: JobsOut = None,
    allow_unstable: AllowUnstable = False,
    policy_file: PolicyFile = None,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Simulate a workload under one policy."""
    from zerowait.experiment.simulate import plan, simulate_plan
    from zerowait.policies import parse_policy

    check_files(policy_file, jobs_out)
    chosen = parse_policy(policy)
    planned = plan(
        find_workload(workload, servers), servers, load=load, arrival_rate=arrival_rate,
        arrivals=arrivals, replications=replications, warmup=warmup, seed=seed,
        allow_unstable=allow_unstable,
    )  # fmt: skip
    with progress(chosen.spec, planned.n_jobs) as tick:
        result = simulate_plan(
            planned, chosen, jobs=jobs_out is not None, threads=threads, progress=tick
        )
    print_result(result, jobs_out, as_json)
