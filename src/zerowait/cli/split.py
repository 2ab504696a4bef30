"""`zerowait split`."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

import zerowait as zw
from zerowait.cli.arguments import Json, Servers, WorkloadName, find_offered
from zerowait.cli.options import with_options
from zerowait.cli.output import command, note, print_json
from zerowait.experiment.options import Offered

if TYPE_CHECKING:
    from zerowait.analysis.bounds import HelperBounds, OwnServersWait
    from zerowait.model import Split, Workload


@with_options(servers=Offered)
def split(
    workload: WorkloadName,
    servers: Servers,
    max_need: Annotated[
        int | None, typer.Option(help="Set classes aside that need more, and split for the others.")
    ] = None,
    as_json: Json = False,
    **options: Any,
) -> None:
    """The balanced split of the servers, and what the paper's formulas say of it."""
    from zerowait.model.split import proportional_demands, why_no_split

    described = find_offered(workload, servers, options)
    if max_need is not None:
        described = described.up_to(max_need)
    result = zw.balanced_split(described, servers)
    lost = why_no_split(described.needs, proportional_demands(described), servers)
    if lost is not None:
        note(lost)
    rate = described.arrivals.rate
    offered = [] if rate is None else (rate * described.shares * described.mean_services).tolist()
    theory = _theory(described, servers, result) if offered else None
    if as_json:
        more = {"offered": offered or None, "theory": theory and theory[0].as_dict()}
        print_json(result.as_dict() | more | {"command": command()})
        return
    from zerowait.report.terminal.console import terminal
    from zerowait.report.terminal.results import show_split

    show_split(terminal(), result, described.class_names, offered)
    if theory is not None:
        from zerowait.report.terminal.formulas import show_bounds

        show_bounds(terminal(), *theory)
    elif not offered:
        note("no load is given: --load shows what the split does with it")


def _theory(
    workload: "Workload", servers: int, split: "Split"
) -> "tuple[HelperBounds, OwnServersWait] | None":
    """Erlang's formulas for the split, where they hold."""
    from zerowait.analysis.bounds import helper_bounds, own_servers_wait
    from zerowait.model import Poisson

    if not isinstance(workload.arrivals, Poisson):
        return None
    return helper_bounds(workload, servers, split), own_servers_wait(workload, servers, split)
