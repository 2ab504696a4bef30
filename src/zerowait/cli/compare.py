"""`zerowait compare`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

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
    load_policies,
    part_of,
    with_options,
)
from zerowait.cli.output import command, print_json, print_page, progress, writing
from zerowait.experiment.options import CompareOptions, LogFileOptions
from zerowait.report import show

if TYPE_CHECKING:
    from zerowait.model import Workload
    from zerowait.traces.log import Log


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
    """Compare several policies on the same jobs: of a workload, or of a log."""
    from zerowait.experiment.comparisons.compare import compare_on
    from zerowait.experiment.comparisons.ranking import contenders
    from zerowait.experiment.files.plan_file import planned_policy
    from zerowait.experiment.simulation.setup import Execution
    from zerowait.experiment.simulation.sources import set_up
    from zerowait.experiment.simulation.workload_setup import warn_if_unstable

    load_policies(policy_file)
    # Policies are refused here, before a long log is read.
    chosen, number = contenders([planned_policy(one) for one in policies], baseline)
    what = _opened(workload, servers, jobs_out, options)
    given = CompareOptions(**part_of(options, CompareOptions))
    setup = set_up(what, servers, given)
    warn_if_unstable(setup)
    n_jobs = setup.n_jobs * len(chosen) if given.precision is None else None
    with progress("comparing", n_jobs) as tick:
        how = Execution(threads=threads, progress=tick)
        comparison = compare_on(setup, chosen, number, how)
    if jobs_out is not None:
        from zerowait.report.files import write_table

        with writing(jobs_out):
            write_table(comparison.jobs(), jobs_out)
    if report is not None:
        print_page(comparison, report, Path(workload).name if comparison.in_seconds else workload)
    if as_json:
        print_json(comparison.as_dict() | {"command": command()})
        return
    show(comparison, wide)


def _opened(
    what: str, servers: int | None, jobs_out: Path | None, options: dict[str, Any]
) -> "Workload | Log":
    """Return the workload or the log; refuse what only the other has."""
    from zerowait.experiment.files.workload_file import find_workload
    from zerowait.experiment.simulation.sources import is_log
    from zerowait.model import InputError

    if is_log(what):
        log = read(Path(what), options)
        note_cleaning(log)
        return log
    if jobs_out is not None:
        raise InputError(f"jobs-out = {str(jobs_out)!r}: jobs of a comparison are those of a log")
    if servers is None:
        if Path(what).suffix not in ("", ".toml"):
            raise InputError(f"{what}: there is no such file")
        raise InputError("servers: a workload does not say how many there are; give --servers")
    return find_workload(what, servers)
