"""`zerowait policies` and `zerowait schema`: what can be named, and what files can hold."""

from enum import StrEnum
from typing import Annotated

import typer

from zerowait.cli.arguments import Json, PolicyFile, load_policies
from zerowait.cli.output import print_json
from zerowait.report import show


class Kind(StrEnum):
    """Files that have a schema."""

    workload = "workload"
    sweep = "sweep"
    plan = "plan"


def policies_command(policy_file: PolicyFile = None, as_json: Json = False) -> None:
    """The policies that can be named: what they need, what is known of them, their sources."""
    load_policies(policy_file)
    from zerowait.report.documents.policies import PoliciesDocument, policy_rows

    if as_json:
        print_json(policy_rows())
    else:
        show(PoliciesDocument(policy_rows()))


def schema_command(
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
