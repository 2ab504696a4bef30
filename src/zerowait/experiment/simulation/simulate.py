"""Simulate a workload under a policy."""

from zerowait.experiment.files.workload_file import AnyWorkload, find_workload
from zerowait.experiment.options import MSER, Progress, SimulationOptions, WarmUp
from zerowait.experiment.results.result import Result
from zerowait.experiment.simulation.precision import wanted_replications, with_precision_note
from zerowait.experiment.simulation.replications import Execution, run_replications
from zerowait.experiment.simulation.setup import Setup, set_up, warn_if_unstable
from zerowait.experiment.simulation.summarise import summarise
from zerowait.policies import Policy, parse_policy


def simulate(
    workload: AnyWorkload,
    servers: int,
    policy: str | Policy | type[Policy] = "fcfs",
    *,
    load: float | None = None,
    arrival_rate: float | None = None,
    arrivals: int | None = None,
    replications: int | None = None,
    batches: int | None = None,
    precision: float | None = None,
    measure: str = "response",
    budget: int | None = None,
    level: float = 0.95,
    warmup: WarmUp = MSER,
    preemption_cost: str | float = "0",
    allow_unstable: bool = False,
    seed: int = 1,
    jobs: bool = False,
    jit: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Simulate `arrivals` jobs (a million by default) of `workload` in each replication.

    A workload is given itself, by its name (`figure1`) or as a TOML file. The stream depends on
    it and the seed alone, never on the policy. All jobs are run to their end; those of the warm-up
    are not counted (found by MSER-5 in each replication, or a given share of the arrivals), and
    time averages are taken from its end to the last arrival.

    Intervals come from the replications (4 by default), or from `batches` of each of them; with
    `jobs` or a list of arrival times there is one replication, in 20 batches, unless you say
    otherwise. With a `precision`, replications are added until the half-width of `measure` is
    within that share of its mean, or the `budget` of arrivals is spent (a hundred replications).
    """
    options = SimulationOptions.among(locals())
    chosen = parse_policy(policy)
    setup = set_up(find_workload(workload, servers), servers, options, jobs)
    warn_if_unstable(setup)
    return _run(setup, chosen, Execution(jobs, jit, threads, progress))


def _run(setup: Setup, policy: Policy, how: Execution) -> Result:
    """The replications of a setup, and more of them where a precision asks for it."""
    runs = run_replications(setup, policy, range(setup.replications), how)
    result = summarise(setup, policy, runs)
    while (n := wanted_replications(setup, result)) > len(runs):
        runs += run_replications(setup, policy, range(len(runs), n), how)
        result = summarise(setup, policy, runs)
    return with_precision_note(setup, result)
