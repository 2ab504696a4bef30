"""`zerowait policies`."""

from zerowait.cli.arguments import Json, PolicyFile, load_policies
from zerowait.cli.output import print_json


def policies(policy_file: PolicyFile = None, as_json: Json = False) -> None:
    """The policies that can be named: what they need, what is known of them, their sources."""
    load_policies(policy_file)
    from zerowait.report.terminal.console import terminal
    from zerowait.report.terminal.policies import policy_rows, show_policies

    if as_json:
        print_json(policy_rows())
    else:
        show_policies(terminal())
