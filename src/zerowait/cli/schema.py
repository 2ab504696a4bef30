"""`zerowait schema`."""

from enum import StrEnum
from typing import Annotated

import typer

from zerowait.cli.output import print_json


class Kind(StrEnum):
    """Files that have a schema."""

    workload = "workload"
    sweep = "sweep"
    plan = "plan"


def schema(
    kind: Annotated[Kind, typer.Argument(help="Kind of file.")] = Kind.workload,
) -> None:
    """The JSON schema of a workload, sweep or plan file, for editors."""
    if kind is Kind.sweep:
        from zerowait.experiment.sweeps.sweep import sweep_schema

        print_json(sweep_schema())
        return
    if kind is Kind.plan:
        from zerowait.experiment.files.plan_file import plan_schema

        print_json(plan_schema())
        return
    from zerowait.experiment.files.workload_file import workload_schema

    print_json(workload_schema())
