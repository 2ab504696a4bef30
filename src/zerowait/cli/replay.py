"""`zerowait replay`."""

from pathlib import Path
from typing import Annotated

import typer

from zerowait.cli.arguments import (
    JobsOut,
    Json,
    PolicyFile,
    PolicyName,
    Warmup,
    check_files,
)
from zerowait.cli.output import note, print_result, progress


def replay(
    trace: Annotated[Path, typer.Argument(help="Log: .swf, .csv (.gz may follow) or .parquet.")],
    servers: Annotated[
        int | None, typer.Option("--servers", "-k", help="Servers [default: as the log says].")
    ] = None,
    policy: PolicyName = "fcfs",
    warmup: Warmup = 0.0,
    jobs_out: JobsOut = None,
    policy_file: PolicyFile = None,
    as_json: Json = False,
) -> None:
    """Run the jobs of a log under one policy."""
    from zerowait.experiment.replay import replay as run_replay
    from zerowait.model import InputError
    from zerowait.policies import parse_policy
    from zerowait.traces import read_log

    check_files(policy_file, jobs_out)
    chosen = parse_policy(policy)
    log = read_log(trace)
    for reason, count in log.dropped.items():
        note(f"{trace}: left out {count} jobs: {reason}")
    servers = servers or log.servers
    if servers is None:
        raise InputError(f"{trace}: does not say how many servers there were; give --servers")
    with progress(chosen.spec, len(log.jobs)) as tick:
        result = run_replay(
            log.jobs, servers, chosen, warmup=warmup, jobs=jobs_out is not None, progress=tick
        )
    print_result(result, jobs_out, as_json)
