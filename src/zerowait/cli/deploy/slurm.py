"""`zerowait deploy slurm`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerowait.cli.arguments import Json
from zerowait.cli.output import command, note, print_json

if TYPE_CHECKING:
    from zerowait.deploy.slurm.deployment import SlurmDeployment

PlanFile = Annotated[Path, typer.Argument(metavar="PLAN.toml", help="What to deploy.")]


def slurm(
    plan: PlanFile,
    slurm_conf: Annotated[
        Path, typer.Option(help="The cluster's own slurm.conf; it is read, never changed.")
    ],
    out: Annotated[Path, typer.Option(help="New folder for the files.")],
    partition: Annotated[
        list[str] | None,
        typer.Option(help="Partition that the plan is for; may be repeated [default: all]."),
    ] = None,
    server: Annotated[
        str | None,
        typer.Option(help="What a server is: node or cpu [default: whichever number matches]."),
    ] = None,
    conf_dir: Annotated[
        Path | None,
        typer.Option(
            help="Where the controller has its slurm.conf [default: the folder of --slurm-conf]."
        ),
    ] = None,
    despite_contradictions: Annotated[
        bool,
        typer.Option(
            "--despite-contradictions", help="Write the files although settings contradict them."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Write a plan as files for Slurm: settings, keys of jobs, and how to apply and undo them."""
    from zerowait.deploy.slurm.deployment import deployment_files, make_deployment
    from zerowait.deploy.slurm.folder import check_folder_free, write_deployment
    from zerowait.deploy.slurm.site import read_slurm_site
    from zerowait.deploy.slurm.trial import try_start
    from zerowait.experiment.files.plan_file import load_plan

    wanted = load_plan(plan)
    if wanted.choice is None:
        note(f"{plan}: says to change nothing ({wanted.reason}); no files are written")
        return
    check_folder_free(out)
    site = read_slurm_site(slurm_conf)
    planned = make_deployment(
        wanted, site, partitions=partition or (), server=server, conf_dir=conf_dir
    )
    if planned.against and not despite_contradictions:
        _refuse(planned)
    tried = try_start(deployment_files(planned), site.conf)
    write_deployment(planned, out, command())
    if as_json:
        print_json(_summary(planned, out) | {"trial": tried})
        return
    for one in planned.against:
        note(f"contradicts the plan: {one}")
    note(f"{tried}; {out / 'trial.sh'} tries it on the controller")
    note(f"wrote {out}; {out / 'README.md'} says what changes, how to apply it and how to undo it")


def _refuse(planned: "SlurmDeployment") -> None:
    from zerowait.model import InputError

    for one in planned.against:
        note(f"contradicts the plan: {one}")
    n = len(planned.against)
    raise InputError(
        f"{planned.site.conf.path}: contradicts the plan in {n} {'place' if n == 1 else 'places'}; "
        "mend that, or write the files all the same with --despite-contradictions"
    )


def _summary(planned: "SlurmDeployment", out: Path) -> dict[str, Any]:
    return {
        "policy": planned.order.spelling,
        "server": planned.server,
        "partitions": [one.name for one in planned.planned],
        "contradictions": [str(one) for one in planned.against],
        "files": sorted(path.name for path in out.iterdir()),
        "command": command(),
    }
