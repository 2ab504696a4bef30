"""`zerowait replay`."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import zerowait as zw
from zerowait.cli.logs import LogFile, check_window, note_cleaning, parse_window, read
from zerowait.cli.options import (
    JobsOut,
    Json,
    LogServers,
    PolicyFile,
    PolicyName,
    Report,
    Wide,
    load_policies,
    output_file,
    part_of,
    with_options,
)
from zerowait.cli.output import command, note, print_page, print_result, progress, writing
from zerowait.experiment.options import LogFileOptions, ReplayOptions

if TYPE_CHECKING:
    from zerowait.experiment.results.result import Replay
    from zerowait.traces.clock import Clock

GANTTS = (".html", ".png")


@with_options(policy=ReplayOptions, window=LogFileOptions)
def replay_command(
    log: LogFile,
    servers: LogServers = None,
    policy: PolicyName = "fcfs",
    jobs_out: JobsOut = None,
    gantt: Annotated[
        Path | None,
        output_file(help="Draw the schedule to this .html or .png file.", suffixes=GANTTS),
    ] = None,
    report: Report = None,
    window: Annotated[
        str | None,
        typer.Option(help="What --gantt draws, as in 10d:17d (s, min, h, d, w)."),
    ] = None,
    policy_file: PolicyFile = None,
    wide: Wide = False,
    as_json: Json = False,
    **options: Any,
) -> None:
    """Run the jobs of a log under one policy."""
    from zerowait.experiment.files.plan_file import in_planned_classes, plan_named
    from zerowait.model import InputError

    load_policies(policy_file)
    drawn = parse_window(window)
    if window is not None and gantt is None:
        raise InputError(f"window = {window!r}: says what to draw; name a --gantt file as well")
    own = part_of(options, ReplayOptions)
    plan = plan_named(policy)
    policy = policy if plan is None else plan.policy
    zw.parse_policy(policy)  # refused here, before a long log is read
    ReplayOptions(**own)
    found = read(log, options)
    note_cleaning(found)
    check_window(drawn, found, own["load"], servers)
    if plan is not None:
        found = replace(found, jobs=in_planned_classes(found.jobs, plan))
    with progress(policy, len(found.jobs)) as tick:
        result = zw.replay(found, servers, policy, jobs=True, progress=tick, **own)
    if gantt is not None:
        _draw(result, gantt, drawn, found.clock if own["load"] is None else None)
    if report is not None:
        print_page(result, report, Path(log).name)
    for text in result.notes if as_json else ():  # tables show them
        note(f"{log}: {text}")
    print_result(result, jobs_out, as_json, wide)


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

    with writing(path), progress("drawing", None):
        chart = gantt_of(result, *window, clock)
        if path.suffix == ".png":
            from zerowait.report.gantt.image import write_image

            with whole_file(path) as part:
                write_image(chart, part)
            return
        write_text(page(chart, command()), path)
