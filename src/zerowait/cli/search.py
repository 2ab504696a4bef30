"""`zerowait optimise` and `zerowait plan`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import zerowait as zw
from zerowait.cli import arguments
from zerowait.cli.logs import LogFile, read_noting
from zerowait.cli.output import command, note, print_found, print_page, writing
from zerowait.cli.progress import searching
from zerowait.experiment.options import LogFileOptions, OptimiseOptions, PlanOptions

if TYPE_CHECKING:
    from zerowait.traces.log import Log


@arguments.with_options(policy=OptimiseOptions, report=LogFileOptions)
def optimise_command(
    what: Annotated[
        str,
        typer.Argument(
            metavar="WORKLOAD|LOG",
            help="figure1, sdsc-sp2, ... or a TOML file; or a log (SWF, sacct dump, CSV, Parquet).",
        ),
    ],
    servers: arguments.LogServers = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            "-p",
            help="Family to search, its options given or not; may be repeated [default: backfill].",
        ),
    ] = None,
    store: arguments.Store = "results",
    threads: arguments.Threads = None,
    dask: arguments.Dask = None,
    policy_file: arguments.PolicyFile = None,
    report: arguments.Report = None,
    as_json: arguments.Json = False,
    **options: Any,
) -> None:
    """Search the parameters of policies for an objective, under constraints."""
    from zerowait.experiment.simulation.simulate import is_log

    arguments.load_policies(policy_file)
    subject: str | Log = what
    if is_log(what):
        subject = read_noting(Path(what), options)
    with searching(store, threads, dask) as how:
        own = arguments.part_of(options, OptimiseOptions)
        outcome = zw.optimise(subject, servers, policies=policy or "backfill", **own, **how)
    outcome = outcome.with_command(command())
    for text in outcome.notes:
        note(text)
    if report is not None:
        print_page(outcome, report, Path(what).name)
    print_found(outcome, as_json)


@arguments.with_options(servers=PlanOptions, report=LogFileOptions)
def plan_command(
    log: LogFile,
    servers: arguments.LogServers = None,
    out: Annotated[
        Path | None,
        arguments.output_file(help="Write the decision to this .toml file.", suffixes=(".toml",)),
    ] = None,
    store: arguments.Store = "results",
    threads: arguments.Threads = None,
    dask: arguments.Dask = None,
    policy_file: arguments.PolicyFile = None,
    report: arguments.Report = None,
    as_json: arguments.Json = False,
    **options: Any,
) -> None:
    """Decide from a log what to change: what it gains, who loses, and how sure that is."""
    arguments.load_policies(policy_file)
    found = read_noting(log, options)
    with searching(store, threads, dask) as how:
        advice = zw.plan(found, servers, **arguments.part_of(options, PlanOptions), **how)
    advice = advice.with_command(command())
    if out is not None:
        from zerowait.experiment.files.plan_file import save_plan

        with writing(out):
            save_plan(advice.plan(), out)
    if report is not None:
        print_page(advice, report, log.name)
    print_found(advice, as_json)
