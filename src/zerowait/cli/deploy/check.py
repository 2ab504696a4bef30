"""`zerowait deploy check`."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from zerowait.cli.arguments import Json
from zerowait.cli.interrupts import keeping
from zerowait.cli.output import command, note, print_json, progress
from zerowait.report import show

STOPPING_S = 30.0  # that Slurm's daemons may take


def check(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder that 'deploy slurm' has written.")
    ],
    as_json: Json = False,
) -> None:
    """Try every promise of a deployment on a real Slurm, started here and stopped again."""
    from zerowait.deploy.check.scenarios import play_scenarios, scenarios_for
    from zerowait.deploy.cluster.processes import require_slurm, slurm_version
    from zerowait.deploy.slurm.folder import read_deployment
    from zerowait.report.documents.deployment import PromisesDocument

    planned, files = read_deployment(folder)
    require_slurm()
    begun, outcomes = time.monotonic(), []
    promises = scenarios_for(planned)
    with (
        keeping("the Slurm that was started is stopped", STOPPING_S),
        slurm_failures(),
        progress("trying promises", len(promises)) as tick,
    ):
        for one in play_scenarios(planned, files):
            outcomes.append(one)
            tick(1)
    broken = [one for one in outcomes if not one.holds]
    if as_json:
        rows = [asdict(one) | {"holds": one.holds} for one in outcomes]
        print_json({"promises": rows, "slurm": slurm_version(), "command": command()})
    else:
        show(PromisesDocument(outcomes))
        untried = sum(bool(one.skipped) for one in outcomes)
        kept = len(outcomes) - len(broken) - untried
        took = time.monotonic() - begun
        note(f"{kept} promises kept, {len(broken)} broken, {untried} not tried; "
             f"{slurm_version()}, {took:.0f} s")  # fmt: skip
    if broken:
        raise typer.Exit(1)


@contextmanager
def slurm_failures() -> Iterator[None]:
    """Turn a failure of Slurm into one line and exit code 1: the input is not to blame."""
    from zerowait.deploy.cluster.cluster import SlurmError

    try:
        yield
    except SlurmError as error:
        note(f"error: Slurm: {error}")
        raise typer.Exit(1) from None
