"""`zerowait split`."""

from zerowait.cli.arguments import (
    Json,
    Load,
    Servers,
    WorkloadName,
    find_workload,
)
from zerowait.cli.output import command, print_json


def split(
    workload: WorkloadName,
    servers: Servers,
    load: Load = None,
    as_json: Json = False,
) -> None:
    """The balanced split of the servers for a workload."""
    from zerowait.model import balanced_split

    described = find_workload(workload, servers)
    if load is not None:
        described = described.with_load(servers, load)
    result = balanced_split(described, servers)
    rate = described.arrivals.rate
    offered = [] if rate is None else (rate * described.shares * described.mean_services).tolist()
    if as_json:
        print_json(result.as_dict() | {"offered": offered or None, "command": command()})
        return
    from zerowait.report.tables import show_split, terminal

    show_split(terminal(), result, described.class_names, offered)
