"""`zerowait compare`."""

from typing import Annotated, Any

import typer

import zerowait as zw
from zerowait.cli.arguments import (
    Json,
    PolicyFile,
    Report,
    Servers,
    Threads,
    Wide,
    WorkloadName,
    expected_jobs,
    load_policies,
)
from zerowait.cli.options import with_options
from zerowait.cli.output import command, print_json, print_page, progress
from zerowait.experiment.options import SimulationOptions


@with_options(baseline=SimulationOptions)
def compare(
    workload: WorkloadName,
    policies: Annotated[list[str], typer.Argument(metavar="POLICY", help="Policies to compare.")],
    servers: Servers,
    baseline: Annotated[
        str | None,
        typer.Option(help="The policy that others are compared with [default: the first]."),
    ] = None,
    policy_file: PolicyFile = None,
    threads: Threads = None,
    report: Report = None,
    wide: Wide = False,
    as_json: Json = False,
    **options: Any,
) -> None:
    """Simulate several policies on the same random stream."""
    from zerowait.experiment.files.workload_file import find_workload

    load_policies(policy_file)
    described = find_workload(workload, servers)
    n_jobs = expected_jobs(described, servers, options)
    with progress("comparing", n_jobs and n_jobs * len(policies)) as tick:
        comparison = zw.compare(
            described, servers, policies, baseline=baseline, threads=threads, progress=tick,
            **options,
        )  # fmt: skip
    if report is not None:
        from zerowait.report.html import comparison_page

        print_page(comparison_page(comparison, command(), workload), report)
    if as_json:
        print_json(comparison.as_dict() | {"command": command()})
        return
    from zerowait.report.terminal.comparison import show_comparison
    from zerowait.report.terminal.console import terminal

    show_comparison(terminal(), comparison, wide)
