"""`zerowait schema`."""

from zerowait.cli.output import print_json


def schema() -> None:
    """The JSON schema of a workload file, for editors."""
    from zerowait.experiment.workload_file import workload_schema

    print_json(workload_schema())
