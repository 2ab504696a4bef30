"""`zerowait compare`."""

from typing import Annotated

import typer

from zerowait.cli.arguments import (
    AllowUnstable,
    ArrivalRate,
    Arrivals,
    Json,
    Load,
    PolicyFile,
    Report,
    Seed,
    Servers,
    Threads,
    Warmup,
    WorkloadName,
    check_files,
    find_workload,
)
from zerowait.cli.output import command, print_json, print_page, progress


def compare(
    workload: WorkloadName,
    policies: Annotated[
        list[str], typer.Argument(metavar="POLICY", help="Policies; the first is the baseline.")
    ],
    servers: Servers,
    load: Load = None,
    arrival_rate: ArrivalRate = None,
    arrivals: Arrivals = None,
    replications: Annotated[int, typer.Option(help="Independent replications.")] = 4,
    warmup: Warmup = 0.1,
    seed: Seed = 1,
    allow_unstable: AllowUnstable = False,
    policy_file: PolicyFile = None,
    threads: Threads = None,
    report: Report = None,
    as_json: Json = False,
) -> None:
    """Simulate several policies on the same random stream."""
    from zerowait.experiment.compare import compare_plan
    from zerowait.experiment.simulate import plan
    from zerowait.policies import parse_policy

    check_files(policy_file, report=report)
    chosen = [parse_policy(policy) for policy in policies]
    planned = plan(
        find_workload(workload, servers), servers, load=load, arrival_rate=arrival_rate,
        arrivals=arrivals, replications=replications, warmup=warmup, seed=seed,
        allow_unstable=allow_unstable,
    )  # fmt: skip
    with progress("comparing", planned.n_jobs * len(chosen)) as tick:
        comparison = compare_plan(planned, chosen, threads=threads, progress=tick)
    if report is not None:
        from zerowait.report.html import comparison_page

        print_page(comparison_page(comparison, command(), workload), report)
    if as_json:
        print_json(comparison.as_dict() | {"command": command()})
        return
    from zerowait.report.tables import show_comparison, terminal

    show_comparison(terminal(), comparison)
