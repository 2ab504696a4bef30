"""Run the jobs of a workload, or of a log, under a policy."""

from dataclasses import replace

from zerowait.experiment.files.workload_file import AnyWorkload, find_workload
from zerowait.experiment.options import (
    BOUND_S,
    MSER,
    Progress,
    ReplayOptions,
    SimulationOptions,
    WarmUp,
)
from zerowait.experiment.results.result import Result
from zerowait.experiment.simulation.log_setup import set_up_log
from zerowait.experiment.simulation.replications import run_replications
from zerowait.experiment.simulation.setup import Execution, Setup
from zerowait.experiment.simulation.workload_setup import set_up_workload, warn_if_unstable
from zerowait.policies import Policy, parse_policy
from zerowait.traces.reading import Trace, log_of


def run_setup(setup: Setup, policy: Policy, how: Execution) -> Result:
    """Run the replications of a setup, and more of them where a precision asks for it."""
    runs = run_replications(setup, policy, range(setup.replications), how)
    result = setup.result(policy, runs)
    while (n := setup.wanted(result)) > len(runs):
        runs += run_replications(setup, policy, range(len(runs), n), how)
        result = setup.result(policy, runs)
    return setup.finished(result)


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
    setup = set_up_workload(find_workload(workload, servers), servers, options, jobs)
    warn_if_unstable(setup)
    return run_setup(setup, chosen, Execution(jobs, jit, threads, progress))


def replay(
    trace: Trace,
    servers: int | None = None,
    policy: str | Policy | type[Policy] = "fcfs",
    *,
    load: float | None = None,
    exclude_too_large: bool = False,
    estimates: str = "user",
    overruns: str = "extend",
    preemption_cost: str | float = "0",
    classes: str | None = None,
    warmup: float = 0.0,
    cooldown: float = 0.0,
    bound: float = BOUND_S,
    users: bool = False,
    resamples: int = 1000,
    seed: int = 1,
    jobs: bool = False,
    jit: bool = True,
    progress: Progress | None = None,
) -> Result:
    """Run the jobs of a log, of its file, or of `zerowait.Jobs`, on `servers` servers.

    On the log's own servers and at its own load, unless others are given: its gaps between arrivals
    are then stretched to `load`. Every job is counted unless a `warmup` share of the first or a
    `cooldown` share of the last is left out; time averages run from the first arrival (or, with a
    warm-up, the last that is left out) to the last completion (or, with a cool-down, the last
    counted arrival).

    Classes are the jobs' own, or their distinct needs, or made by `classes` as in `fit_workload`;
    the slots of a split come from the jobs' own demand unless they are given. `estimates` are the
    users' or exact; jobs that outran them are told of, and settled by the rule of `overruns`
    (`extend`, `kill`, `as-recorded`). Intervals come from the log's weeks, where there are four or
    more.
    """
    options = ReplayOptions.among(locals())
    setup = set_up_log(log_of(trace, "replay"), servers, options)
    result = run_setup(setup, parse_policy(policy), Execution(jobs, jit, 1, progress))
    return result if jobs else replace(result, jobs=None)
