"""A simulation made ready: its options put together, before anything runs."""

import warnings
from dataclasses import dataclass
from typing import Any

from zerowait.experiment.options import Offered, SimulationOptions
from zerowait.model import FixedTimes, InputError, Workload
from zerowait.model.quantities import refuse, whole
from zerowait.model.workload import LARGEST_NEED

ARRIVALS = 1_000_000
REPLICATIONS = 4
PRECISE_REPLICATIONS = 10  # to begin with: a width seen in fewer is too often small by luck
BUDGET = 100  # replications
BATCHES = 20  # of a single replication (Schmeiser, Operations Research 30, 1982)


class UnstableWarning(UserWarning):
    """The load is one or more: queues grow for as long as the run lasts."""


@dataclass(frozen=True)
class Setup:
    """Everything but the policy; what the options leave open is decided."""

    workload: Workload  # at the rate that is asked for
    servers: int
    load: float
    arrivals: int  # per replication
    replications: int  # to begin with, where a precision is asked for
    batches: int | None  # per replication; None: a replication is one group
    options: SimulationOptions

    @property
    def n_jobs(self) -> int:
        return self.arrivals * self.replications

    @property
    def most_replications(self) -> int:
        if self.options.precision is None:
            return self.replications
        budget = self.options.budget or BUDGET * self.arrivals
        return max(budget // self.arrivals, self.replications)

    @property
    def parameters(self) -> dict[str, Any]:
        """What determines the numbers: what was decided, and what else was chosen."""
        decided: dict[str, Any] = {
            "arrival_rate": self.workload.arrivals.rate,
            "arrivals": self.arrivals,
            "warmup": self.options.warmup,
            "seed": self.options.seed,
            "replications": self.replications,
        }
        if self.batches is not None:
            decided["batches"] = self.batches
        chosen = self.options.chosen() | {"measure": self.options.measure}
        if self.options.precision is None:
            del chosen["measure"]
        return decided | {
            name: value for name, value in chosen.items() if name not in decided and name != "load"
        }


def set_up(
    workload: Workload, servers: int, options: SimulationOptions, jobs: bool = False
) -> Setup:
    """Check options against each other and the workload; where `jobs` are kept, one replication
    is enough."""
    servers = whole("servers", servers, most=LARGEST_NEED)
    workload.check_fits(servers)
    workload = offered(workload, servers, options)
    load = workload.load(servers)
    if load >= 1 and not options.allow_unstable:
        remedy = "must be below 1 for a steady state; or allow unstable loads"
        raise refuse("load", options.load or load, remedy)
    arrivals = _n_arrivals(workload, options.arrivals)
    replications = options.replications or _n_replications(workload, options, jobs)
    batches = options.batches or (BATCHES if replications == 1 else None)
    _check_precision(options, arrivals, replications)
    return Setup(workload, servers, load, arrivals, replications, batches, options)


def offered(workload: Workload, servers: int, options: Offered) -> Workload:
    """The workload at the load, or the rate, that is asked for."""
    load, rate = options.load, options.arrival_rate
    if load is not None and rate is not None:
        raise InputError(f"load = {load}, arrival_rate = {rate}: give one, not both")
    if load is not None:
        return workload.with_load(servers, load)
    return workload if rate is None else workload.with_arrival_rate(rate)


def warn_if_unstable(setup: Setup) -> None:
    """Shown at the line that called a public function which calls this."""
    if setup.load >= 1:
        warnings.warn(
            f"load = {setup.load:.6g}: the system is not stable, its means depend on the run's "
            "length",
            UnstableWarning,
            stacklevel=3,
        )


def n_jobs_of(
    workload: Workload, servers: int, options: SimulationOptions, jobs: bool = False
) -> int:
    """Arrivals of all replications together; none of a simulation that will be refused."""
    try:
        return set_up(workload, servers, options, jobs).n_jobs
    except InputError:
        return 0


def _n_arrivals(workload: Workload, arrivals: int | None) -> int:
    process = workload.arrivals
    listed = len(process.instants) if isinstance(process, FixedTimes) else None
    if arrivals is None:
        return listed or ARRIVALS
    if listed is not None and arrivals > listed:
        raise refuse("arrivals", arrivals, f"the list of arrival times has {listed}; ask for fewer")
    return arrivals


def _n_replications(workload: Workload, options: SimulationOptions, jobs: bool) -> int:
    if options.precision is not None:
        return PRECISE_REPLICATIONS
    single = options.batches is not None or jobs or isinstance(workload.arrivals, FixedTimes)
    return 1 if single else REPLICATIONS


def _check_precision(options: SimulationOptions, arrivals: int, replications: int) -> None:
    budget = options.budget
    if options.precision is None:
        if budget is not None:
            raise refuse("budget", budget, "is for a precision; give one, or leave it out")
        return
    if replications < 2:
        raise refuse("replications", replications, "a precision needs 2 or more; leave it out")
    least = arrivals * replications
    if budget is not None and budget < least:
        remedy = f"{replications} replications of {arrivals} arrivals need {least}"
        raise refuse("budget", budget, remedy)
