"""`zerowait deploy rehearse`."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerowait.cli.arguments import JobsOut, Json, Report, output_file, with_options
from zerowait.cli.deploy.check import STOPPING_S, slurm_failures
from zerowait.cli.deploy.slurm import PlanFile
from zerowait.cli.interrupts import keeping
from zerowait.cli.logs import LogFile, read_noting
from zerowait.cli.output import command, note, print_json, print_page, progress, write_rows, writing
from zerowait.cli.progress import NowAndThen, about_left
from zerowait.experiment.options import LogFileOptions
from zerowait.report import show

if TYPE_CHECKING:
    from zerowait.deploy.rehearsal import Rehearsal
    from zerowait.experiment.files.plan_file import Plan
    from zerowait.experiment.schedules.twin_run import BusyStretch
    from zerowait.traces.log import Log


@with_options(report=LogFileOptions)
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
    jobs_out: JobsOut = None,
    jobcomp: Annotated[
        Path | None,
        output_file(
            help="Keep Slurm's own record of the plan's run in this .txt.", suffixes=(".txt",)
        ),
    ] = None,
    report: Report = None,
    as_json: Json = False,
    **options: Any,
) -> None:
    """Run a busy stretch of a log on a real Slurm, under the baseline and under the plan."""
    from zerowait.deploy.cluster.processes import require_slurm
    from zerowait.deploy.rehearsal import RehearsalOptions, refuse_unfit
    from zerowait.deploy.rehearsal import run_rehearsal as run
    from zerowait.experiment.files.plan_file import load_plan

    wanted, setting = load_plan(plan), RehearsalOptions(speed, draws, seed, restart)
    if wanted.choice is None:
        note(f"{plan}: says to change nothing ({wanted.reason}); there is nothing to rehearse")
        return
    refuse_unfit(wanted, setting)
    require_slurm()
    found = read_noting(log, options)
    chosen = _stretch(found, wanted, jobs, stretch)
    with (
        keeping("the Slurm that was started is stopped", STOPPING_S),
        slurm_failures(),
        progress("rehearsing", 4 * jobs) as tick,
    ):
        done = run(wanted, chosen.jobs, setting, _telling(tick, 4 * jobs))
    _write(done, _names(found, wanted, chosen), jobs_out, jobcomp)
    from zerowait.report.documents.deployment import RehearsalDocument

    if report is not None:
        about = _facts(done, chosen, log)
        print_page(RehearsalDocument(done.twins, about, command=command()), report)
    if as_json:
        print_json(_summary(done, chosen, log))
        return
    show(RehearsalDocument(done.twins))


def _stretch(log: "Log", plan: "Plan", n_jobs: int, rank: int) -> "BusyStretch":
    """Choose the stretch; estimates become time limits, which no job outlasts."""
    from zerowait.deploy.rehearsal import jobs_that_fit, with_time_limits
    from zerowait.experiment.schedules.twin_run import busy_stretch

    usable, dropped = jobs_that_fit(log.jobs, plan.servers)
    if dropped:
        note(f"{log.path}: left out {dropped} jobs that need more than {plan.servers} servers")
    with progress("choosing a stretch", len(usable) // max(n_jobs, 1)) as tick:
        return busy_stretch(
            with_time_limits(usable), plan.servers, plan.baseline, n_jobs=n_jobs, rank=rank,
            progress=tick,
        )  # fmt: skip


def _telling(tick: Callable[[int], None], total: int) -> Callable[[int], None]:
    """Make a tick that also writes lines for logs, where no bar can be shown."""
    done, begun, lines = 0, time.monotonic(), NowAndThen()

    def told() -> str:
        left = about_left((time.monotonic() - begun) * (total - done) / done)
        return f"{done} of {total} submissions and ends of jobs, {left}"

    def tell(n: int) -> None:
        nonlocal done
        tick(n)
        done += n
        if done:
            lines.tell(told)

    return tell


def _names(log: "Log", plan: "Plan", stretch: "BusyStretch") -> Sequence[object]:
    """Return what the log calls the jobs of a stretch: its own names, or their places, from 1."""
    import numpy as np

    names = np.arange(1, len(log.jobs) + 1) if log.job is None else log.job
    usable = names[np.asarray(log.jobs.need) <= plan.servers]
    chosen: list[object] = usable[stretch.first : stretch.first + len(stretch.jobs)].tolist()
    return chosen


def _write(
    done: "Rehearsal", names: Sequence[object], jobs_out: Path | None, jobcomp: Path | None
) -> None:
    from zerowait.report.files import write_text

    if jobs_out is not None:
        write_rows(done.job_rows(names), jobs_out)
    if jobcomp is not None:
        with writing(jobcomp):
            write_text(done.runs[1].jobcomp, jobcomp)


def _facts(done: "Rehearsal", stretch: "BusyStretch", log: Path) -> dict[str, Any]:
    from zerowait.deploy.cluster.processes import slurm_version

    late = (float((one.submit - done.jobs.arrival).max()) for one in done.runs)
    return {
        "log": log.name,
        "first job": stretch.first,
        "jobs": len(done.jobs),
        "servers": done.plan.servers,
        "speed": done.speed,
        "scheduler": slurm_version(),
        "latest submission (s)": max(late),
        "real time (s)": sum(one.took_s for one in done.runs),
    }


def _summary(done: "Rehearsal", stretch: "BusyStretch", log: Path) -> dict[str, Any]:
    from dataclasses import asdict

    from zerowait.report.documents.deployment import twins_dict

    facts = {key.replace(" ", "_"): value for key, value in _facts(done, stretch, log).items()}
    delays = [asdict(one) for one in done.delays]
    return twins_dict(done.twins) | facts | {"delays": delays, "command": command()}
