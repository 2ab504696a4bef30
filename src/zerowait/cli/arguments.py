"""Arguments that several commands share, and what they turn into."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from zerowait.model import Workload

WorkloadName = Annotated[
    str,
    typer.Argument(
        metavar="WORKLOAD",
        help="figure1, sdsc-sp2, kit-fh2 (options: 'sdsc-sp2,table=described') or a TOML file.",
    ),
]
Servers = Annotated[int, typer.Option("--servers", "-k", help="Number of servers.")]
Load = Annotated[float | None, typer.Option(help="Offered work per server; below 1.")]
ArrivalRate = Annotated[float | None, typer.Option(help="Arrivals per unit of time.")]
PolicyName = Annotated[
    str, typer.Option("--policy", "-p", help="name[:auxiliary][,key=value...]; see 'policies'.")
]
PolicyFile = Annotated[
    Path | None, typer.Option(help="Python file with policies of your own to make known.")
]
Arrivals = Annotated[int | None, typer.Option(help="Arrivals per replication [default: 1000000].")]
Warmup = Annotated[float, typer.Option(help="Share of the arrivals that is not counted.")]
WarmUp = Annotated[
    str, typer.Option(help="mser, or the share of the arrivals that is not counted.")
]
Replications = Annotated[
    int | None,
    typer.Option(help="Independent replications [default: 4; 10 with --precision, 1 in batches]."),
]
Batches = Annotated[
    int | None, typer.Option(help="Intervals from so many batches of one long run.")
]
Precision = Annotated[
    float | None,
    typer.Option(help="Add replications until half-width / mean is this, such as 0.01."),
]
Measure = Annotated[
    str, typer.Option(help="The measure that --precision is of: response, p_wait, wait_p99, ...")
]
Budget = Annotated[
    int | None,
    typer.Option(help="Arrivals at most, with --precision [default: 100 replications]."),
]
Level = Annotated[float, typer.Option(help="Level of the intervals.")]
Seed = Annotated[int, typer.Option(help="Seed of the random stream.")]
AllowUnstable = Annotated[bool, typer.Option(help="Simulate loads of 1 and more all the same.")]
Threads = Annotated[int | None, typer.Option(help="Threads [default: one per core].")]
KeepStale = Annotated[
    bool, typer.Option(help="Keep points that other code has made, do not run them again.")
]
DryRun = Annotated[bool, typer.Option(help="Say what would be run, and run nothing.")]
Dask = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS|FILE.json|local",
        help="Run on a Dask cluster: its address or scheduler file, or one on this machine.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Report = Annotated[
    Path | None, typer.Option(help="Write a page with charts and tables to this .html file.")
]
JobsOut = Annotated[
    Path | None, typer.Option(help="Write one row per job to this .csv or .parquet file.")
]


def find_workload(text: str, servers: int) -> "Workload":
    """A published workload by name, or one from a TOML file."""
    if text.endswith(".toml"):
        from zerowait.experiment.files.workload_file import load_workload

        return load_workload(text)
    from zerowait.model.workloads import named_workload

    return named_workload(text, servers)


def parse_warmup(text: str) -> float | Literal["mser"]:
    """mser, or a number."""
    if text == "mser":
        return "mser"
    try:
        return float(text)
    except ValueError:
        from zerowait.model.quantities import refuse

        raise refuse("warmup", text, "must be mser, or a share of the arrivals") from None


def check_files(
    policy_file: Path | None, jobs_out: Path | None = None, report: Path | None = None
) -> None:
    """Make the user's policies known, and refuse at once what would only fail after the run."""
    if policy_file is not None:
        from zerowait.policies.user_file import load_policy_file

        load_policy_file(policy_file)
    if jobs_out is not None:
        from zerowait.report.files import check_writable

        check_writable(jobs_out)
    if report is not None:
        from zerowait.report.files import check_writable

        check_writable(report, (".html",))
