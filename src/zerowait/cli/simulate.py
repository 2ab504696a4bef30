"""`zerowait simulate`."""

from typing import Any

import zerowait as zw
from zerowait.cli.options import (
    JobsOut,
    Json,
    PolicyFile,
    PolicyName,
    Servers,
    Threads,
    Wide,
    WorkloadName,
    expected_jobs,
    load_policies,
    with_options,
)
from zerowait.cli.output import print_result, progress
from zerowait.experiment.options import SimulationOptions


@with_options(policy=SimulationOptions)
def simulate_command(
    workload: WorkloadName,
    servers: Servers,
    policy: PolicyName = "fcfs",
    jobs_out: JobsOut = None,
    policy_file: PolicyFile = None,
    threads: Threads = None,
    wide: Wide = False,
    as_json: Json = False,
    **options: Any,
) -> None:
    """Simulate a workload under one policy."""
    from zerowait.experiment.files.workload_file import find_workload

    load_policies(policy_file)
    jobs = jobs_out is not None
    described = find_workload(workload, servers)
    with progress(policy, expected_jobs(described, servers, options, jobs)) as tick:
        result = zw.simulate(
            described, servers, policy, jobs=jobs, threads=threads, progress=tick, **options
        )
    print_result(result, jobs_out, as_json, wide)
