"""`zerowait split`, `zerowait theory` and `zerowait capacity`: what can be said of a workload."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

import zerowait as zw
from zerowait.cli import arguments
from zerowait.cli.output import command, note, print_json, progress
from zerowait.experiment.options import CapacityOptions, Offered
from zerowait.report import show

if TYPE_CHECKING:
    from zerowait.analysis.bounds import HelperBounds, OwnServersWait
    from zerowait.model import Split, Workload


@arguments.with_options(servers=Offered)
def split_command(
    workload: arguments.WorkloadName,
    servers: arguments.Servers,
    max_need: Annotated[
        int | None, typer.Option(help="Set classes aside that need more, and split for the others.")
    ] = None,
    as_json: arguments.Json = False,
    **options: Any,
) -> None:
    """The balanced split of the servers, and what the paper's formulas say of it."""
    from zerowait.model.split import proportional_demands, why_no_split

    described = arguments.find_offered(workload, servers, options)
    if max_need is not None:
        described = described.up_to(max_need)
    result = zw.balanced_split(described, servers)
    lost = why_no_split(described.needs, proportional_demands(described), servers)
    if lost is not None:
        note(lost)
    rate = described.arrivals.rate
    offered = [] if rate is None else (rate * described.shares * described.mean_services).tolist()
    theory = _split_theory(described, servers, result) if offered else None
    if as_json:
        more = {"offered": offered or None, "theory": theory and theory[0].as_dict()}
        print_json(result.as_dict() | more | {"command": command()})
        return
    from zerowait.report.documents.split import SplitDocument

    show(SplitDocument(result, described.class_names, offered))
    if theory is not None:
        from zerowait.report.documents.formulas import BoundsDocument

        show(BoundsDocument(*theory))
    elif not offered:
        note("no load is given: --load shows what the split does with it")


def _split_theory(
    workload: "Workload", servers: int, split: "Split"
) -> "tuple[HelperBounds, OwnServersWait] | None":
    """Erlang's formulas for the split, where they hold."""
    from zerowait.analysis.bounds import helper_bounds, own_servers_wait
    from zerowait.model import Poisson

    if not isinstance(workload.arrivals, Poisson):
        return None
    return helper_bounds(workload, servers, split), own_servers_wait(workload, servers, split)


@arguments.with_options(servers=Offered)
def theory_command(
    workload: arguments.WorkloadName,
    servers: arguments.Servers,
    table: Annotated[
        bool, typer.Option("--table", help="Convergence over k, from here up to --up-to.")
    ] = False,
    subcritical: Annotated[
        bool,
        typer.Option("--subcritical", help="With --table: the same load (Theorem 1), not slack."),
    ] = False,
    exponent: Annotated[
        float, typer.Option(help="With --table: needs grow like k to this power.")
    ] = 2 / 3,
    up_to: Annotated[float, typer.Option(help="... up to this many servers.")] = 1e9,
    as_json: arguments.Json = False,
    **options: Any,
) -> None:
    """The paper's results for a workload: bounds, stability, limits; nothing is simulated."""
    from zerowait.analysis.theory import convergence_of, theory_of

    described = arguments.find_offered(workload, servers, options)
    with progress("theory", 1):  # a thousand classes take some seconds
        found = theory_of(described, servers)
    rows = convergence_of(described, servers, subcritical, exponent, up_to) if table else None
    if as_json:
        from zerowait.analysis.limits import as_dicts

        more = {"convergence": as_dicts(rows)} if rows is not None else {}
        print_json(found.as_dict() | more | {"command": command()})
        return
    from zerowait.report.documents.formulas import TheoryDocument

    show(TheoryDocument(found, rows or (), subcritical))


@arguments.with_options(policy=CapacityOptions)
def capacity_command(
    workload: arguments.WorkloadName,
    servers: arguments.Servers,
    policy: arguments.PolicyName = "fcfs",
    policy_file: arguments.PolicyFile = None,
    threads: arguments.Threads = None,
    as_json: arguments.Json = False,
    **options: Any,
) -> None:
    """The largest stable load of a policy, by simulation, with an interval."""
    from zerowait.experiment.files.workload_file import find_workload

    arguments.load_policies(policy_file)
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
    from zerowait.report.documents.formulas import CapacityDocument

    show(CapacityDocument(found, exact))


def _saturated(workload: "Workload", servers: int, seed: int) -> dict[str, Any]:
    """FCFS has a second, sharper answer: the saturated system, exactly or by simulation."""
    from zerowait.analysis.stability import fcfs_capacity
    from zerowait.experiment.simulation.stability import simulate_saturated

    try:
        return fcfs_capacity(workload, servers, max_states=20_000).as_dict()
    except zw.InputError:  # not exponential, or too many states
        arrivals = max(200_000, 40 * servers // int(workload.needs.min()))
        return simulate_saturated(workload, servers, arrivals=arrivals, seed=seed).as_dict()
