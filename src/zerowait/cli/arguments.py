"""Arguments that several commands share, and what they turn into."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerowait.cli.completion import complete_policy, complete_workload

if TYPE_CHECKING:
    from zerowait.model import Workload

NOWHERE = "none"  # instead of a folder

WorkloadName = Annotated[
    str,
    typer.Argument(
        metavar="WORKLOAD",
        help="figure1, sdsc-sp2, kit-fh2 (options: 'sdsc-sp2,table=described') or a TOML file.",
        autocompletion=complete_workload,
    ),
]
Servers = Annotated[int, typer.Option("--servers", "-k", help="Number of servers.")]
PolicyName = Annotated[
    str,
    typer.Option(
        "--policy",
        "-p",
        help="name[:auxiliary][,key=value...]; see 'policies'. Or a plan.toml.",
        autocompletion=complete_policy,
    ),
]
PolicyFile = Annotated[
    Path | None,
    typer.Option(help="Python file with policies of your own to make known; its code is run."),
]
Threads = Annotated[int | None, typer.Option(help="Threads [default: one per core].")]
KeepStale = Annotated[
    bool, typer.Option(help="Keep points that other code has made, do not run them again.")
]
DryRun = Annotated[
    bool, typer.Option(help="Say what would be run; run nothing, not even code of policy files.")
]
Dask = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS|FILE.json|local",
        help="Run on a Dask cluster: its address or scheduler file, or one on this machine.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Wide = Annotated[bool, typer.Option(help="On a terminal, too: all columns of tables.")]


def output_file(*names: str, help: str, suffixes: tuple[str, ...]) -> Any:
    """An option that names a file to write: refused before the run if it could not be written."""

    def check(path: Path | None) -> Path | None:
        from zerowait.report.files import check_writable

        if path is not None:
            check_writable(path, suffixes)
        return path

    return typer.Option(*names, help=help, callback=check)


def output_folder(help: str) -> Any:
    """The same of a folder; 'none' is none."""

    def check(path: Any) -> Any:
        from zerowait.report.files import check_folder

        if path is not None and str(path) != NOWHERE:
            check_folder(Path(path))
        return path

    return typer.Option(help=help, callback=check)


Report = Annotated[
    Path | None,
    output_file(
        help="Write a page with charts and tables to this .html file.", suffixes=(".html",)
    ),
]
JobsOut = Annotated[
    Path | None,
    output_file(
        help="Write one row per job to this .csv or .parquet file.", suffixes=(".csv", ".parquet")
    ),
]


def find_offered(text: str, servers: int, options: dict[str, Any]) -> "Workload":
    """A workload by its name or file, at the load or rate of the options."""
    from zerowait.experiment.files.workload_file import find_workload
    from zerowait.experiment.options import Offered
    from zerowait.experiment.simulation.workload_setup import offered

    return offered(find_workload(text, servers), servers, Offered(**options))


def expected_jobs(
    workload: "Workload", servers: int, options: dict[str, Any], jobs: bool = False
) -> int | None:
    """For a bar of progress: the arrivals of a simulation; None where a precision decides."""
    from zerowait.experiment.options import SimulationOptions
    from zerowait.experiment.simulation.workload_setup import n_jobs_of

    given = SimulationOptions(**options)
    return n_jobs_of(workload, servers, given, jobs) if given.precision is None else None


def load_policies(file: Path | None) -> None:
    """Make the user's policies known."""
    from zerowait.policies.user_file import load_policy_file

    if file is not None:
        load_policy_file(file)
