"""`zerowait deploy rehearse`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerowait.cli.arguments import Json, Report
from zerowait.cli.deploy.slurm import PlanFile
from zerowait.cli.logs import LogFile, note_cleaning
from zerowait.cli.output import command, note, print_json, print_page, progress

if TYPE_CHECKING:
    from zerowait.deploy.rehearsal.rehearse import Rehearsal
    from zerowait.experiment.replays.busy_stretch import Stretch


def rehearse(
    plan: PlanFile,
    log: LogFile,
    jobs: Annotated[int, typer.Option(help="Jobs of the stretch.")] = 400,
    speed: Annotated[float, typer.Option(help="How many times faster than real time.")] = 600.0,
    stretch: Annotated[
        int,
        typer.Option(help="Which stretch: 1 is where jobs wait longest under the baseline."),
    ] = 1,
    restart: Annotated[
        bool, typer.Option("--restart", help="Restart the controller in the middle.")
    ] = False,
    draws: Annotated[int, typer.Option(help="Draws of the delays, for the bands.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the draws.")] = 1,
    jobcomp: Annotated[
        Path | None, typer.Option(help="Keep Slurm's own record of the plan's run here.")
    ] = None,
    report: Report = None,
    as_json: Json = False,
) -> None:
    """Run a busy stretch of a log on a real Slurm, under the baseline and under the plan."""
    from zerowait.deploy.cluster.programs import require_slurm
    from zerowait.deploy.rehearsal.rehearse import Setting
    from zerowait.deploy.rehearsal.rehearse import rehearse as run
    from zerowait.deploy.rehearsal.stage import setup_of, staged
    from zerowait.experiment.files.plan_file import load_plan
    from zerowait.report.files import check_writable, write_text

    wanted = load_plan(plan)
    if wanted.choice is None:
        note(f"{plan}: says to change nothing ({wanted.reason}); there is nothing to rehearse")
        return
    for policy in (wanted.baseline, wanted.choice):
        setup_of(staged(wanted, policy), speed)  # what cannot be staged is refused at once
    if report is not None:
        check_writable(report, (".html",))
    if jobcomp is not None:
        check_writable(jobcomp, (".txt",))
    require_slurm()
    chosen = _stretch(log, wanted.servers, wanted.baseline, jobs, stretch)
    with progress("rehearsing", 4 * jobs) as tick:
        done = run(wanted, chosen.jobs, Setting(speed, draws, seed, restart), lambda _, n: tick(n))
    if jobcomp is not None:
        write_text(done.performances[1].jobcomp, jobcomp)
    if report is not None:
        from zerowait.report.html import rehearsal_page

        print_page(rehearsal_page(done.twins, _facts(done, chosen, log), command()), report)
    if as_json:
        print_json(_summary(done, chosen))
        return
    from zerowait.report.terminal.rehearsal import show_twins

    show_twins(done.twins)


def _stretch(log: Path, servers: int, baseline: str, n_jobs: int, rank: int) -> "Stretch":
    """Estimates as time limits: whole minutes, no job runs longer."""
    from zerowait.deploy.rehearsal.limits import fitting, with_limits
    from zerowait.experiment.replays.busy_stretch import busy_stretch
    from zerowait.traces import read_log

    with progress(f"reading {log.name}", None) as tick:
        found = read_log(log, progress=tick)
    note_cleaning(found)
    usable, dropped = fitting(found.jobs, servers)
    if dropped:
        note(f"{log}: left out {dropped} jobs that need more than {servers} servers")
    with progress("choosing a stretch", len(usable) // max(n_jobs, 1)) as tick:
        return busy_stretch(
            with_limits(usable), servers, baseline, n_jobs=n_jobs, rank=rank, progress=tick
        )


def _facts(done: "Rehearsal", stretch: "Stretch", log: Path) -> dict[str, Any]:
    from zerowait.deploy.cluster.programs import slurm_version

    return {
        "log": log.name,
        "first job": stretch.first,
        "jobs": len(done.jobs),
        "servers": done.plan.servers,
        "speed": done.speed,
        "scheduler": slurm_version(),
        "latest submission (s)": max(
            float((one.submit - done.jobs.arrival).max()) for one in done.performances
        ),
        "real time (s)": sum(one.took_s for one in done.performances),
    }


def _summary(done: "Rehearsal", stretch: "Stretch") -> dict[str, Any]:
    from zerowait.report.terminal.rehearsal import twins_dict

    return twins_dict(done.twins) | {
        "first_job": stretch.first,
        "jobs": len(done.jobs),
        "speed": done.speed,
        "command": command(),
    }
