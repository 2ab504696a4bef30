"""`zerowait explore`."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerowait.cli.arguments import (
    PolicyFile,
    complete_workload,
    load_policies,
    part_of,
    with_options,
)
from zerowait.cli.interrupts import keeping
from zerowait.cli.logs import read_noting
from zerowait.cli.output import note
from zerowait.experiment.options import ExploreOptions, LogFileOptions

if TYPE_CHECKING:
    from zerowait.explore.subject import Subject

TICK_S = 0.5  # at most so long no signal is heard


@with_options(what=ExploreOptions, policy_file=LogFileOptions)
def explore_command(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORKLOAD|LOG] [PLAN.toml]",
            help="figure1, sdsc-sp2, ..., a TOML file, or a log; a plan, alone or with its log "
            "[default: figure1].",
            autocompletion=complete_workload,
        ),
    ] = None,
    policy_file: PolicyFile = None,
    **options: Any,
) -> None:
    """Serve a page to play with a cluster: move the servers, watch the waits. Ctrl-C ends it."""
    from zerowait.model import InputError

    chosen = ExploreOptions(**part_of(options, ExploreOptions))

    try:
        from zerowait.explore.server import serving
    except ModuleNotFoundError as error:
        if error.name not in ("starlette", "uvicorn"):
            raise
        raise InputError(
            f"explore: {error.name} is not installed; pip install 'zerowait[explore]'"
        ) from None
    load_policies(policy_file)
    subject = _subject(what or [], chosen.servers, options)
    with keeping("the explorer is closed"), serving(subject, chosen.port) as explorer:
        print(explorer.address, flush=True)
        note("the explorer listens on this machine alone; Ctrl-C ends it")
        if chosen.browser:
            import webbrowser

            webbrowser.open(explorer.address)
        while True:
            threading.Event().wait(TICK_S)


def _subject(what: list[str], servers: int | None, options: dict[str, Any]) -> "Subject":
    """Open what was named: at most one workload or log, and at most one plan."""
    from zerowait.experiment.files.plan_file import in_planned_classes, load_plan
    from zerowait.explore.subject import Subject
    from zerowait.model import InputError

    plans = [text for text in what if _is_plan(text)]
    others = [text for text in what if text not in plans]
    if len(plans) > 1 or len(others) > 1:
        raise InputError(f"{what[-1]}: one workload or log and one plan are enough; leave it out")
    subject = Subject(servers=servers)
    if others:
        subject = _opened(others[0], servers, options)
    if plans:
        plan = load_plan(plans[0])
        subject = replace(subject, plan=plan, plan_name=plans[0], servers=servers or plan.servers)
        if subject.log is not None and plan.classes:
            jobs = in_planned_classes(subject.log.jobs, plan)
            subject = replace(subject, log=replace(subject.log, jobs=jobs))
    return subject


def _opened(text: str, servers: int | None, options: dict[str, Any]) -> "Subject":
    from zerowait.experiment.files.workload_file import load_workload
    from zerowait.experiment.simulation.simulate import is_log
    from zerowait.explore.subject import Subject
    from zerowait.model.workloads import named_workload

    if is_log(text):
        log = read_noting(Path(text), options)
        return Subject(text, servers, log=log, reading=part_of(options, LogFileOptions))
    if text.endswith(".toml"):
        return Subject(text, servers, workload=load_workload(text))
    named_workload(text, servers or 1 << 20)  # refused here, where it is not known
    return Subject(text, servers)


def _is_plan(text: str) -> bool:
    """Tell whether a TOML file says that it is a plan."""
    from zerowait.experiment.files.toml_file import TomlFile

    if not text.endswith(".toml"):
        return False
    return str(TomlFile.read(text).data.get("schema", "")).startswith("zerowait-plan/")
