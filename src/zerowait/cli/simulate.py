"""`zerowait simulate`."""

from typing import Any

from zerowait.cli.options import (
    JobsOut,
    Json,
    PolicyFile,
    PolicyName,
    Servers,
    Threads,
    Wide,
    WorkloadName,
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
    from zerowait.experiment.simulation.setup import Execution
    from zerowait.experiment.simulation.simulate import run_setup
    from zerowait.experiment.simulation.workload_setup import set_up_workload, warn_if_unstable
    from zerowait.policies import parse_policy

    load_policies(policy_file)
    described, given = find_workload(workload, servers), SimulationOptions(**options)
    chosen, jobs = parse_policy(policy), jobs_out is not None
    setup = set_up_workload(described, servers, given, jobs)
    warn_if_unstable(setup)
    with progress(policy, setup.n_jobs if given.precision is None else None) as tick:
        result = run_setup(setup, chosen, Execution(jobs, threads=threads, progress=tick))
    print_result(result, jobs_out, as_json, wide)
