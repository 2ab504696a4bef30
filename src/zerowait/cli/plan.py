"""`zerowait plan`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from zerowait.cli.arguments import (
    Dask,
    Json,
    PolicyFile,
    Report,
    Threads,
    load_policies,
    output_file,
)
from zerowait.cli.logs import LogFile, note_cleaning, read
from zerowait.cli.options import with_options
from zerowait.cli.output import command, print_json, print_page, written
from zerowait.cli.searching import Evaluations, Seed, Store, searching
from zerowait.experiment.options import LogFileOptions


@with_options(report=LogFileOptions)
def plan(
    log: LogFile,
    servers: Annotated[
        int | None, typer.Option("--servers", "-k", help="Servers [default: as the log says].")
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            help="Today's policy [default: easy, unless another explains the waits much better]."
        ),
    ] = None,
    goal: Annotated[str, typer.Option(help="Measure to minimise.")] = "bounded_slowdown",
    protect: Annotated[
        list[str] | None,
        typer.Option(
            help="'longest_wait <= 1.25x easy', 'wait[each] <= 1.25x easy'; may be repeated "
            "[default: these two and 'weekly_longest_wait <= 1.25x easy', of the baseline].",
        ),
    ] = None,
    size_for: Annotated[
        list[str] | None,
        typer.Option(help="Servers for a promise, as 'wait_p95 <= 10min'; may be repeated."),
    ] = None,
    out: Annotated[
        Path | None,
        output_file(help="Write the decision to this .toml file.", suffixes=(".toml",)),
    ] = None,
    overruns: Annotated[
        str, typer.Option(help="Jobs beyond their estimate: extend, kill or as-recorded.")
    ] = "extend",
    evaluations: Evaluations = 200,
    seed: Seed = 1,
    store: Store = "results",
    threads: Threads = None,
    dask: Dask = None,
    policy_file: PolicyFile = None,
    report: Report = None,
    as_json: Json = False,
    **options: Any,
) -> None:
    """From a log to a decision: what to change, what it gains, who loses, how sure that is."""
    from zerowait.experiment.plans.advice import plan as make_plan

    load_policies(policy_file)
    found = read(log, options)
    note_cleaning(found)
    with searching(store, threads, dask) as how:
        advice = make_plan(
            found, servers, baseline=baseline, goal=goal, protect=protect,
            size_for=size_for or (), overruns=overruns, evaluations=evaluations, seed=seed,
            **how,
        )  # fmt: skip
    advice = advice.with_command(command())
    if out is not None:
        from zerowait.experiment.files.plan_file import save_plan

        with written(out):
            save_plan(advice.plan(), out)
    if report is not None:
        from zerowait.report.html import plan_page

        print_page(plan_page(advice, command(), log.name), report)
    if as_json:
        print_json(advice.as_dict())
        return
    from zerowait.report.terminal.console import terminal
    from zerowait.report.terminal.plan import show_advice

    show_advice(terminal(), advice)
