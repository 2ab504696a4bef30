"""`zerowait optimise`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerowait.cli.arguments import Dask, Json, PolicyFile, Report, Threads, load_policies
from zerowait.cli.logs import note_cleaning, read
from zerowait.cli.options import with_options
from zerowait.cli.output import command, note, print_json, print_page
from zerowait.cli.searching import Evaluations, Seed, Store, searching
from zerowait.experiment.options import LogFileOptions

if TYPE_CHECKING:
    from zerowait.traces import Log


@with_options(report=LogFileOptions)
def optimise(
    what: Annotated[
        str,
        typer.Argument(
            metavar="WORKLOAD|LOG",
            help="figure1, sdsc-sp2, ... or a TOML file; or a log (SWF, sacct dump, CSV, Parquet).",
        ),
    ],
    servers: Annotated[
        int | None, typer.Option("--servers", "-k", help="Servers [default: as the log says].")
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            "-p",
            help="Family to search, its options given or not; may be repeated [default: backfill].",
        ),
    ] = None,
    minimise: Annotated[
        list[str] | None,
        typer.Option(
            help="Measure, as wait, wait_p95, wait[small], '2*wait[a] + wait[b]'; two of them give "
            "a front [default: wait; of a log bounded_slowdown].",
        ),
    ] = None,
    subject_to: Annotated[
        list[str] | None,
        typer.Option(
            help="'longest_wait <= 1.25x easy', 'wait[each] <= 1.5x first-fit', "
            "'wait_p95 <= 10min'; may be repeated.",
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            help="Policy that gains are told against [default: the first that a constraint "
            "names, or first-fit; of a log easy].",
        ),
    ] = None,
    fix: Annotated[
        list[str] | None, typer.Option(help="Value of an option, as order=due; may be repeated.")
    ] = None,
    range_: Annotated[
        list[str] | None,
        typer.Option("--range", help="Range of an option, as patience=1h:30h; may be repeated."),
    ] = None,
    cut: Annotated[
        bool, typer.Option("--cut", help="Cut classes by size, too; where is searched as well.")
    ] = False,
    load: Annotated[
        float | None, typer.Option(help="Offered work per server, of a workload; below 1.")
    ] = None,
    arrivals: Annotated[
        int | None,
        typer.Option(help="Of a workload: arrivals of each searched run [default: 400000]."),
    ] = None,
    replications: Annotated[
        int | None, typer.Option(help="Of a workload: runs to search on [default: 5].")
    ] = None,
    scored_arrivals: Annotated[
        int | None,
        typer.Option(help="Of a workload: arrivals of each scored run [default: 1000000]."),
    ] = None,
    evaluations: Evaluations = 500,
    seed: Seed = 1,
    classes: Annotated[
        str, typer.Option(help="Classes of a log: auto[=waste], exact, down, up, bins=1/4/16.")
    ] = "auto",
    overruns: Annotated[
        str,
        typer.Option(help="Jobs of a log beyond their estimate: extend, kill or as-recorded."),
    ] = "extend",
    tune_on: Annotated[
        str, typer.Option(help="Half of a log to search on: first or second.")
    ] = "first",
    store: Store = "results",
    threads: Threads = None,
    dask: Dask = None,
    policy_file: PolicyFile = None,
    report: Report = None,
    as_json: Json = False,
    **options: Any,
) -> None:
    """Search the parameters of policies for an objective, under constraints."""
    from zerowait.experiment.optimisation.optimise import optimise as search
    from zerowait.experiment.simulation.log_setup import is_log

    load_policies(policy_file)
    subject: str | Log = what
    if is_log(what):
        subject = read(Path(what), options)
        note_cleaning(subject)
    with searching(store, threads, dask) as how:
        outcome = search(
            subject, servers, policies=policy or "backfill", minimise=minimise,
            subject_to=subject_to or (), baseline=baseline, fix=parse_pairs("fix", fix),
            ranges=parse_pairs("range", range_), cut=cut, evaluations=evaluations, seed=seed,
            load=load, arrivals=arrivals, replications=replications,
            scored_arrivals=scored_arrivals, classes=classes, overruns=overruns, tune_on=tune_on,
            **how,
        )  # fmt: skip
    outcome = outcome.with_command(command())
    for text in outcome.notes:
        note(text)
    if report is not None:
        from zerowait.report.html import optimise_page

        print_page(optimise_page(outcome, command(), Path(what).name), report)
    if as_json:
        print_json(outcome.as_dict())
        return
    from zerowait.report.terminal.console import terminal
    from zerowait.report.terminal.optimise import show_optimisation

    show_optimisation(terminal(), outcome)


def parse_pairs(what: str, texts: list[str] | None) -> dict[str, str]:
    """`order=due` by name."""
    from zerowait.model import InputError

    found = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not value:
            raise InputError(f"{what} {text!r}: must be of the form option=value")
        found[name.strip()] = value.strip()
    return found
