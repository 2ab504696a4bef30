"""`zerowait compare`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import zerowait as zw
from zerowait.cli.logs import note_cleaning, read
from zerowait.cli.options import (
    JobsOut,
    Json,
    PolicyFile,
    Report,
    Threads,
    Wide,
    complete_policy,
    complete_workload,
    expected_jobs,
    load_policies,
    part_of,
    with_options,
)
from zerowait.cli.output import command, print_json, print_page, progress, written
from zerowait.experiment.options import CompareOptions, LogFileOptions

if TYPE_CHECKING:
    from zerowait.experiment.comparisons.comparison import Comparison


@with_options(baseline=CompareOptions, policy_file=LogFileOptions)
def compare_command(
    workload: Annotated[
        str,
        typer.Argument(
            metavar="WORKLOAD|LOG",
            help="figure1, sdsc-sp2, kit-fh2 (options: 'sdsc-sp2,table=described'), a TOML file, "
            "or a log.",
            autocompletion=complete_workload,
        ),
    ],
    policies: Annotated[
        list[str],
        typer.Argument(
            metavar="POLICY", help="Policies to compare.", autocompletion=complete_policy
        ),
    ],
    servers: Annotated[
        int | None,
        typer.Option("--servers", "-k", help="Number of servers [default: as the log says]."),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(help="The policy that others are compared with [default: the first]."),
    ] = None,
    policy_file: PolicyFile = None,
    threads: Threads = None,
    jobs_out: JobsOut = None,
    report: Report = None,
    wide: Wide = False,
    as_json: Json = False,
    **options: Any,
) -> None:
    """Several policies on the same jobs: of a workload, or of a log."""
    from zerowait.experiment.files.plan_file import planned_policy
    from zerowait.experiment.simulation.log_setup import is_log

    load_policies(policy_file)
    policies = [planned_policy(one) for one in policies]
    given = part_of(options, CompareOptions) | {"baseline": baseline}
    if is_log(workload):
        _on_log(Path(workload), policies, servers, given, options, jobs_out, report, wide, as_json)
        return
    from zerowait.model import InputError

    if jobs_out is not None:
        raise InputError(f"jobs-out = {str(jobs_out)!r}: jobs of a comparison are those of a log")
    comparison = _on_workload(workload, policies, servers, threads, given)
    if report is not None:
        from zerowait.report.html import comparison_page

        print_page(comparison_page(comparison, command(), workload), report)
    if as_json:
        print_json(comparison.as_dict() | {"command": command()})
        return
    from zerowait.report.terminal.comparison import show_comparison
    from zerowait.report.terminal.console import terminal

    show_comparison(terminal(), comparison, wide)


def _on_workload(
    workload: str,
    policies: list[str],
    servers: int | None,
    threads: int | None,
    given: dict[str, Any],
) -> "Comparison":
    from zerowait.experiment.files.workload_file import find_workload
    from zerowait.model import InputError

    if servers is None:
        if Path(workload).suffix not in ("", ".toml"):
            raise InputError(f"{workload}: there is no such file")
        raise InputError("servers: a workload does not say how many there are; give --servers")
    described = find_workload(workload, servers)
    own = CompareOptions(**part_of(given, CompareOptions)).of_simulation()
    n_jobs = expected_jobs(described, servers, vars(own))
    with progress("comparing", n_jobs and n_jobs * len(policies)) as tick:
        return zw.compare(described, servers, policies, threads=threads, progress=tick, **given)


def _on_log(
    path: Path,
    policies: list[str],
    servers: int | None,
    given: dict[str, Any],
    options: dict[str, Any],
    jobs_out: Path | None,
    report: Path | None,
    wide: bool,
    as_json: bool,
) -> None:
    from zerowait.experiment.comparisons.ranking import contenders

    contenders(policies, given["baseline"])  # refused here, before a long log is read
    log = read(path, options)
    note_cleaning(log)
    with progress("comparing", len(log.jobs) * len(policies)) as tick:
        comparison = zw.compare(log, servers, policies, progress=tick, **given)
    if jobs_out is not None:
        from zerowait.report.files import write_table

        with written(jobs_out):
            write_table(comparison.jobs(), jobs_out)
    if report is not None:
        from zerowait.report.html import log_comparison_page

        print_page(log_comparison_page(comparison, command(), path.name), report)
    if as_json:
        print_json(comparison.as_dict() | {"command": command()})
        return
    from zerowait.report.terminal.console import terminal
    from zerowait.report.terminal.log_comparison import show_log_comparison

    show_log_comparison(terminal(), comparison, wide)
