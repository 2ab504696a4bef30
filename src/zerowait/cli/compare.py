"""`zerowait compare`."""

from typing import Annotated

import typer

from zerowait.cli.arguments import (
    AllowUnstable,
    ArrivalRate,
    Arrivals,
    Batches,
    Budget,
    Json,
    Level,
    Load,
    Measure,
    PolicyFile,
    Precision,
    Replications,
    Report,
    Seed,
    Servers,
    Threads,
    WarmUp,
    WorkloadName,
    check_files,
    find_workload,
    parse_warmup,
)
from zerowait.cli.output import command, print_json, print_page, progress


def compare(
    workload: WorkloadName,
    policies: Annotated[list[str], typer.Argument(metavar="POLICY", help="Policies to compare.")],
    servers: Servers,
    load: Load = None,
    arrival_rate: ArrivalRate = None,
    arrivals: Arrivals = None,
    baseline: Annotated[
        str | None,
        typer.Option(help="The policy that others are compared with [default: the first]."),
    ] = None,
    replications: Replications = None,
    batches: Batches = None,
    precision: Precision = None,
    measure: Measure = "response",
    budget: Budget = None,
    level: Level = 0.95,
    warmup: WarmUp = "mser",
    seed: Seed = 1,
    allow_unstable: AllowUnstable = False,
    policy_file: PolicyFile = None,
    threads: Threads = None,
    report: Report = None,
    as_json: Json = False,
) -> None:
    """Simulate several policies on the same random stream."""
    from zerowait.experiment.comparisons.compare import compare_plan
    from zerowait.experiment.simulation.simulate import plan
    from zerowait.policies import parse_policy

    check_files(policy_file, report=report)
    chosen = [parse_policy(policy) for policy in policies]
    planned = plan(
        find_workload(workload, servers), servers, load=load, arrival_rate=arrival_rate,
        arrivals=arrivals, replications=replications, batches=batches, precision=precision,
        measure=measure, budget=budget, level=level, warmup=parse_warmup(warmup), seed=seed,
        allow_unstable=allow_unstable,
    )  # fmt: skip
    n_jobs = planned.n_jobs * len(chosen) if precision is None else None
    with progress("comparing", n_jobs) as tick:
        comparison = compare_plan(
            planned, chosen, baseline=baseline, threads=threads, progress=tick
        )
    if report is not None:
        from zerowait.report.html import comparison_page

        print_page(comparison_page(comparison, command(), workload), report)
    if as_json:
        print_json(comparison.as_dict() | {"command": command()})
        return
    from zerowait.report.terminal.comparison import show_comparison
    from zerowait.report.terminal.console import terminal

    show_comparison(terminal(), comparison)
