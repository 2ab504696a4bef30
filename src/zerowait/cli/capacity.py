"""`zerowait capacity`."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerowait.cli.arguments import (
    Json,
    PolicyFile,
    PolicyName,
    Seed,
    Servers,
    Threads,
    WorkloadName,
    check_files,
    find_workload,
)
from zerowait.cli.output import command, print_json, progress

if TYPE_CHECKING:
    from zerowait.model import Workload


def capacity(
    workload: WorkloadName,
    servers: Servers,
    policy: PolicyName = "fcfs",
    tolerance: Annotated[
        float, typer.Option(help="Width of the interval to reach, as a load.")
    ] = 0.01,
    error: Annotated[float, typer.Option(help="Chance that the interval is wrong.")] = 0.05,
    arrivals: Annotated[
        int, typer.Option(help="Arrivals per replication of the first look at a load.")
    ] = 10_000,
    max_arrivals: Annotated[int, typer.Option(help="... and of the longest.")] = 640_000,
    replications: Annotated[int, typer.Option(help="Independent replications per look.")] = 16,
    seed: Seed = 1,
    policy_file: PolicyFile = None,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """The largest stable load of a policy, by simulation, with an interval."""
    from zerowait.experiment.simulation.capacity import capacity as find_capacity
    from zerowait.policies import parse_policy

    check_files(policy_file)
    chosen = parse_policy(policy)
    described = find_workload(workload, servers)
    # How long the search takes depends on what it finds; the bar counts jobs against a guess.
    guess = replications * max_arrivals * 4
    with progress(chosen.spec, guess) as tick:
        found = find_capacity(
            described, servers, chosen, tolerance=tolerance, error=error, arrivals=arrivals,
            max_arrivals=max_arrivals, replications=replications, seed=seed, threads=threads,
            progress=tick,
        )  # fmt: skip
        exact = _saturated(described, servers, seed) if chosen.name == "fcfs" else None
    if as_json:
        print_json(found.as_dict() | {"saturated": exact, "command": command()})
        return
    from zerowait.report.terminal.console import terminal
    from zerowait.report.terminal.formulas import show_capacity

    show_capacity(terminal(), found, exact)


def _saturated(workload: "Workload", servers: int, seed: int) -> dict[str, Any]:
    """FCFS has a second, sharper answer: the saturated system, exactly or by simulation."""
    from zerowait.analysis import fcfs_capacity
    from zerowait.experiment.simulation.saturated_fcfs import simulate_saturated
    from zerowait.model import InputError

    try:
        return fcfs_capacity(workload, servers, max_states=20_000).as_dict()
    except InputError:  # not exponential, or too many states
        arrivals = max(200_000, 40 * servers // int(workload.needs.min()))
        return simulate_saturated(workload, servers, arrivals=arrivals, seed=seed).as_dict()
