"""`zerowait replay`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zerowait.cli.arguments import (
    JobsOut,
    Json,
    PolicyFile,
    PolicyName,
    Report,
    Seed,
    Warmup,
    check_files,
)
from zerowait.cli.logs import (
    Arrival,
    Columns,
    Format,
    LogFile,
    Need,
    Strict,
    note_cleaning,
    parse_window,
    read,
)
from zerowait.cli.output import command, note, print_page, print_replay, progress

if TYPE_CHECKING:
    from zerowait.experiment.replays.log_replay import LogReplay
    from zerowait.traces.clock import Clock


def replay(
    log: LogFile,
    servers: Annotated[
        int | None, typer.Option("--servers", "-k", help="Servers [default: as the log says].")
    ] = None,
    policy: PolicyName = "fcfs",
    load: Annotated[
        float | None, typer.Option(help="Stretch the gaps between arrivals to this load.")
    ] = None,
    exclude_too_large: Annotated[
        bool, typer.Option("--exclude-too-large", help="Leave out jobs that need more than all.")
    ] = False,
    estimates: Annotated[
        str, typer.Option(help="What policies know of service times: user or exact.")
    ] = "user",
    classes: Annotated[
        str | None,
        typer.Option(help="Classes: auto[=waste], exact, down, up, bins=1/4/16 [default: needs]."),
    ] = None,
    warmup: Warmup = 0.0,
    cooldown: Annotated[
        float, typer.Option(help="Share of the jobs, the last, that is not counted.")
    ] = 0.0,
    users: Annotated[bool, typer.Option("--users", help="Measures of each user as well.")] = False,
    resamples: Annotated[
        int, typer.Option(help="Resampled logs for intervals over weeks; 0: none.")
    ] = 1000,
    seed: Seed = 1,
    jobs_out: JobsOut = None,
    gantt: Annotated[
        Path | None, typer.Option(help="Draw the schedule to this .html or .png file.")
    ] = None,
    report: Report = None,
    window: Annotated[
        str | None,
        typer.Option(help="What to draw, as in 10d:17d (s, min, h, d, w)."),
    ] = None,
    need: Need = "processors",
    arrival: Arrival = "submit",
    strict: Strict = None,
    columns: Columns = "",
    format: Format = None,
    policy_file: PolicyFile = None,
    as_json: Json = False,
) -> None:
    """Run the jobs of a log under one policy."""
    from zerowait.experiment.replays.log_replay import replay_log
    from zerowait.policies import parse_policy

    check_files(policy_file, jobs_out, report)
    if gantt is not None:
        from zerowait.report.files import check_writable

        check_writable(gantt, (".html", ".png"))
    drawn = parse_window(window)
    chosen = parse_policy(policy)
    found = read(log, need, arrival, strict, columns, format)
    note_cleaning(found)
    with progress(chosen.spec, len(found.jobs)) as tick:
        outcome = replay_log(
            found, chosen, servers=servers, load=load, exclude_too_large=exclude_too_large,
            estimates=estimates, classes=classes, warmup=warmup, cooldown=cooldown, users=users,
            resamples=resamples, seed=seed, progress=tick,
        )  # fmt: skip
    for text in outcome.notes:
        note(f"{log}: {text}")
    if gantt is not None:
        _draw(outcome, gantt, drawn, found.clock if load is None else None)
    if report is not None:
        from zerowait.report.html import replay_page

        print_page(replay_page(outcome, command(), Path(log).name), report)
    print_replay(outcome, jobs_out, as_json)
    if gantt is not None and not as_json:
        note(f"wrote {gantt}")


def _draw(
    outcome: "LogReplay",
    path: Path,
    window: tuple[float | None, float | None],
    clock: "Clock | None",
) -> None:
    from zerowait.report.files import whole_file, write_text
    from zerowait.report.gantt import chart_of

    with progress("drawing", None):
        chart = chart_of(outcome.result, *window, clock)
        if path.suffix == ".png":
            from zerowait.report.gantt.image import write_image

            with whole_file(path) as part:
                write_image(chart, part)
            return
        from zerowait.report.html import gantt_page

        write_text(gantt_page(chart, command()), path)
