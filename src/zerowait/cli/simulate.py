"""`zerowait simulate`, `replay` and `compare`: policies on the jobs of a workload or a log."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import zerowait as zw
from zerowait.cli import arguments, output
from zerowait.cli.logs import LogFile, check_window, parse_window, read_noting
from zerowait.experiment.options import (
    CompareOptions,
    LogFileOptions,
    ReplayOptions,
    SimulationOptions,
)
from zerowait.report import show

if TYPE_CHECKING:
    from zerowait.experiment.results.result import Replay
    from zerowait.model import Workload
    from zerowait.traces.clock import Clock
    from zerowait.traces.log import Log


@arguments.with_options(policy=SimulationOptions)
def simulate_command(
    workload: arguments.WorkloadName,
    servers: arguments.Servers,
    policy: arguments.PolicyName = "fcfs",
    jobs_out: arguments.JobsOut = None,
    policy_file: arguments.PolicyFile = None,
    threads: arguments.Threads = None,
    wide: arguments.Wide = False,
    as_json: arguments.Json = False,
    **options: Any,
) -> None:
    """Simulate a workload under one policy."""
    from zerowait.experiment.files.workload_file import find_workload
    from zerowait.experiment.simulation.setup import Execution
    from zerowait.experiment.simulation.simulate import run_setup
    from zerowait.experiment.simulation.workload_setup import set_up_workload, warn_if_unstable
    from zerowait.policies import parse_policy

    arguments.load_policies(policy_file)
    described, given = find_workload(workload, servers), SimulationOptions(**options)
    chosen, jobs = parse_policy(policy), jobs_out is not None
    setup = set_up_workload(described, servers, given, jobs)
    warn_if_unstable(setup)
    with output.progress(policy, setup.n_jobs if given.precision is None else None) as tick:
        result = run_setup(setup, chosen, Execution(jobs, threads=threads, progress=tick))
    output.print_result(result, jobs_out, as_json, wide)


GANTTS = (".html", ".png")


@arguments.with_options(policy=ReplayOptions, window=LogFileOptions)
def replay_command(
    log: LogFile,
    servers: arguments.LogServers = None,
    policy: arguments.PolicyName = "fcfs",
    jobs_out: arguments.JobsOut = None,
    gantt: Annotated[
        Path | None,
        arguments.output_file(
            help="Draw the schedule to this .html or .png file.", suffixes=GANTTS
        ),
    ] = None,
    report: arguments.Report = None,
    window: Annotated[
        str | None,
        typer.Option(help="What --gantt draws, as in 10d:17d (s, min, h, d, w)."),
    ] = None,
    policy_file: arguments.PolicyFile = None,
    wide: arguments.Wide = False,
    as_json: arguments.Json = False,
    **options: Any,
) -> None:
    """Run the jobs of a log under one policy."""
    from zerowait.experiment.files.plan_file import in_planned_classes, plan_named
    from zerowait.model import InputError

    arguments.load_policies(policy_file)
    drawn = parse_window(window)
    if window is not None and gantt is None:
        raise InputError(f"window = {window!r}: says what to draw; name a --gantt file as well")
    own = arguments.part_of(options, ReplayOptions)
    plan = plan_named(policy)
    policy = policy if plan is None else plan.policy
    zw.parse_policy(policy)  # refused here, before a long log is read
    ReplayOptions(**own)
    found = read_noting(log, options)
    check_window(drawn, found, own["load"], servers)
    if plan is not None:
        found = replace(found, jobs=in_planned_classes(found.jobs, plan))
    with output.progress(policy, len(found.jobs)) as tick:
        result = zw.replay(found, servers, policy, jobs=True, progress=tick, **own)
    if gantt is not None:
        _draw(result, gantt, drawn, found.clock if own["load"] is None else None)
    if report is not None:
        output.print_page(result, report, Path(log).name)
    for text in result.notes if as_json else ():  # tables show them
        output.note(f"{log}: {text}")
    output.print_result(result, jobs_out, as_json, wide)


def _draw(
    result: "Replay",
    path: Path,
    window: tuple[float | None, float | None],
    clock: "Clock | None",
) -> None:
    from zerowait.experiment.files.whole_file import whole_file
    from zerowait.report import page
    from zerowait.report.files import write_text
    from zerowait.report.gantt.layout import gantt_of

    with output.writing(path), output.progress("drawing", None):
        chart = gantt_of(result, *window, clock)
        if path.suffix == ".png":
            from zerowait.report.gantt.image import write_image

            with whole_file(path) as part:
                write_image(chart, part)
            return
        write_text(page(chart, output.command()), path)


@arguments.with_options(baseline=CompareOptions, policy_file=LogFileOptions)
def compare_command(
    workload: Annotated[
        str,
        typer.Argument(
            metavar="WORKLOAD|LOG",
            help="figure1, sdsc-sp2, kit-fh2 (options: 'sdsc-sp2,table=described'), a TOML file, "
            "or a log.",
            autocompletion=arguments.complete_workload,
        ),
    ],
    policies: Annotated[
        list[str],
        typer.Argument(
            metavar="POLICY", help="Policies to compare.", autocompletion=arguments.complete_policy
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
    policy_file: arguments.PolicyFile = None,
    threads: arguments.Threads = None,
    jobs_out: arguments.JobsOut = None,
    report: arguments.Report = None,
    wide: arguments.Wide = False,
    as_json: arguments.Json = False,
    **options: Any,
) -> None:
    """Compare several policies on the same jobs: of a workload, or of a log."""
    from zerowait.experiment.comparisons.compare import compare_on
    from zerowait.experiment.comparisons.comparison import contenders
    from zerowait.experiment.files.plan_file import planned_policy
    from zerowait.experiment.simulation.setup import Execution
    from zerowait.experiment.simulation.simulate import set_up
    from zerowait.experiment.simulation.workload_setup import warn_if_unstable

    arguments.load_policies(policy_file)
    # Policies are refused here, before a long log is read.
    chosen, number = contenders([planned_policy(one) for one in policies], baseline)
    what = _opened(workload, servers, jobs_out, options)
    given = CompareOptions(**arguments.part_of(options, CompareOptions))
    setup = set_up(what, servers, given)
    warn_if_unstable(setup)
    n_jobs = setup.n_jobs * len(chosen) if given.precision is None else None
    with output.progress("comparing", n_jobs) as tick:
        how = Execution(threads=threads, progress=tick)
        comparison = compare_on(setup, chosen, number, how)
    if jobs_out is not None:
        output.write_rows(comparison.jobs(), jobs_out)
    if report is not None:
        output.print_page(
            comparison, report, Path(workload).name if comparison.in_seconds else workload
        )
    if as_json:
        output.print_json(comparison.as_dict() | {"command": output.command()})
        return
    show(comparison, wide)


def _opened(
    what: str, servers: int | None, jobs_out: Path | None, options: dict[str, Any]
) -> "Workload | Log":
    """Return the workload or the log; refuse what only the other has."""
    from zerowait.experiment.files.workload_file import find_workload
    from zerowait.experiment.simulation.simulate import is_log
    from zerowait.model import InputError

    if is_log(what):
        return read_noting(Path(what), options)
    if jobs_out is not None:
        raise InputError(f"jobs-out = {str(jobs_out)!r}: jobs of a comparison are those of a log")
    if servers is None:
        if Path(what).suffix not in ("", ".toml"):
            raise InputError(f"{what}: there is no such file")
        raise InputError("servers: a workload does not say how many there are; give --servers")
    return find_workload(what, servers)
