"""`zerowait theory`."""

from typing import Annotated, Any

import typer

from zerowait.cli.arguments import Json, Servers, WorkloadName, find_offered
from zerowait.cli.options import with_options
from zerowait.cli.output import command, print_json, progress
from zerowait.experiment.options import Offered


@with_options(servers=Offered)
def theory(
    workload: WorkloadName,
    servers: Servers,
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
    as_json: Json = False,
    **options: Any,
) -> None:
    """The paper's results for a workload: bounds, stability, limits; nothing is simulated."""
    from zerowait.analysis.theory import convergence_of, theory_of

    described = find_offered(workload, servers, options)
    with progress("theory", 1):  # a thousand classes take some seconds
        found = theory_of(described, servers)
    rows = convergence_of(described, servers, subcritical, exponent, up_to) if table else None
    if as_json:
        from zerowait.analysis.limits import as_dicts

        more = {"convergence": as_dicts(rows)} if rows is not None else {}
        print_json(found.as_dict() | more | {"command": command()})
        return
    from zerowait.report.terminal.console import terminal
    from zerowait.report.terminal.formulas import show_convergence, show_theory

    show_theory(terminal(), found)
    if rows is not None:
        show_convergence(terminal(), rows, subcritical)
