"""`zerowait capacity`."""

from typing import TYPE_CHECKING, Any

import zerowait as zw
from zerowait.cli.arguments import (
    Json,
    PolicyFile,
    PolicyName,
    Servers,
    Threads,
    WorkloadName,
    load_policies,
)
from zerowait.cli.options import with_options
from zerowait.cli.output import command, print_json, progress
from zerowait.experiment.options import CapacityOptions

if TYPE_CHECKING:
    from zerowait.model import Workload


@with_options(policy=CapacityOptions)
def capacity(
    workload: WorkloadName,
    servers: Servers,
    policy: PolicyName = "fcfs",
    policy_file: PolicyFile = None,
    threads: Threads = None,
    as_json: Json = False,
    **options: Any,
) -> None:
    """The largest stable load of a policy, by simulation, with an interval."""
    from zerowait.experiment.files.workload_file import find_workload

    load_policies(policy_file)
    described = find_workload(workload, servers)
    # How long the search takes depends on what it finds; the bar counts jobs against a guess.
    guess = options["replications"] * options["max_arrivals"] * 4
    with progress(policy, guess) as tick:
        found = zw.capacity(described, servers, policy, threads=threads, progress=tick, **options)
        in_order = zw.parse_policy(policy).in_order
        exact = _saturated(described, servers, options["seed"]) if in_order else None
    if as_json:
        print_json(found.as_dict() | {"saturated": exact, "command": command()})
        return
    from zerowait.report.terminal.console import terminal
    from zerowait.report.terminal.formulas import show_capacity

    show_capacity(terminal(), found, exact)


def _saturated(workload: "Workload", servers: int, seed: int) -> dict[str, Any]:
    """FCFS has a second, sharper answer: the saturated system, exactly or by simulation."""
    from zerowait.analysis.stability import fcfs_capacity
    from zerowait.experiment.simulation.saturated import simulate_saturated

    try:
        return fcfs_capacity(workload, servers, max_states=20_000).as_dict()
    except zw.InputError:  # not exponential, or too many states
        arrivals = max(200_000, 40 * servers // int(workload.needs.min()))
        return simulate_saturated(workload, servers, arrivals=arrivals, seed=seed).as_dict()
