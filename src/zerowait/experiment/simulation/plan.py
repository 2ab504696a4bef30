"""A simulation, checked before anything runs."""

import warnings
from dataclasses import dataclass
from typing import Any, Literal

from zerowait.experiment.results.summaries import MEASURES, QUANTILES
from zerowait.experiment.statistics.intervals import LEVEL, check_level
from zerowait.model import FixedTimes, InputError, Workload
from zerowait.model.quantities import finite, positive, refuse, whole

MSER: Literal["mser"] = "mser"
REPLICATIONS = 4
PRECISE_REPLICATIONS = 10  # to begin with: a width seen in fewer is too often small by luck
BUDGET = 100  # replications
DEFAULT_BATCHES = 20  # of a single replication (Schmeiser, Operations Research 30, 1982)
MOST_BATCHES = 1000

WarmUp = float | Literal["mser"]

MEASURED = tuple(name for name in MEASURES if name != "bounded_slowdown")
QUANTILE_MEASURES = tuple(f"{name}_{p}" for name in ("response", "wait") for p in QUANTILES)


class UnstableWarning(UserWarning):
    """The load is one or more: queues grow for as long as the run lasts."""


@dataclass(frozen=True)
class Plan:
    """A simulation, checked and ready: everything but the policy."""

    workload: Workload
    servers: int
    load: float
    arrivals: int
    warmup: WarmUp
    seed: int
    replications: int  # to begin with, where a precision is asked for
    batches: int | None = None  # per replication; None: a replication is one group
    precision: float | None = None  # half-width over mean of `measure`
    measure: str = "response"
    budget: int | None = None  # arrivals in all replications together; with a precision
    level: float = LEVEL

    @property
    def n_jobs(self) -> int:
        return self.arrivals * self.replications

    @property
    def most_replications(self) -> int:
        if self.precision is None:
            return self.replications
        return max((self.budget or BUDGET * self.arrivals) // self.arrivals, self.replications)

    @property
    def parameters(self) -> dict[str, Any]:
        """As given; those that were not are left out."""
        chosen: dict[str, Any] = {
            "arrival_rate": self.workload.arrivals.rate,
            "arrivals": self.arrivals,
            "warmup": self.warmup,
            "seed": self.seed,
            "replications": self.replications,
        }
        if self.batches is not None:
            chosen["batches"] = self.batches
        if self.precision is not None:
            chosen |= {"precision": self.precision, "measure": self.measure}
            if self.budget is not None:
                chosen["budget"] = self.budget
        if self.level != LEVEL:
            chosen["level"] = self.level
        return chosen


def plan(
    workload: Workload,
    servers: int,
    *,
    load: float | None = None,
    arrival_rate: float | None = None,
    arrivals: int | None = None,
    warmup: WarmUp = MSER,
    seed: int = 1,
    replications: int | None = None,
    batches: int | None = None,
    precision: float | None = None,
    measure: str = "response",
    budget: int | None = None,
    level: float = LEVEL,
    jobs: bool = False,
    allow_unstable: bool = False,
) -> Plan:
    """Check what `simulate` and `compare` are given, before anything runs."""
    if not isinstance(workload, Workload):
        raise refuse("workload", workload, "must be a Workload; see zerowait.workloads")
    servers = whole("servers", servers)
    workload.check_fits(servers)
    if load is not None and arrival_rate is not None:
        raise InputError(f"load = {load}, arrival_rate = {arrival_rate}: give one, not both")
    if load is not None:
        workload = workload.with_load(servers, load)
    elif arrival_rate is not None:
        workload = workload.with_arrival_rate(arrival_rate)
    actual = _checked_load(workload, servers, load, allow_unstable)
    n_arrivals = _n_arrivals(workload, arrivals)
    single = batches is not None or jobs or isinstance(workload.arrivals, FixedTimes)
    if replications is None:
        default = PRECISE_REPLICATIONS if precision is not None else REPLICATIONS
        replications = 1 if single and precision is None else default
    planned = Plan(
        workload, servers, actual, n_arrivals, _checked_warmup(warmup),
        whole("seed", seed, least=0), whole("replications", replications),
        batches=_checked_batches(batches, whole("replications", replications)),
        precision=None if precision is None else positive("precision", precision),
        measure=checked_measure(measure),
        budget=None if budget is None else whole("budget", budget),
        level=check_level(level),
    )  # fmt: skip
    _check_precision(planned)
    return planned


def checked_measure(measure: str) -> str:
    if measure not in MEASURED + QUANTILE_MEASURES:
        known = ", ".join(MEASURED + QUANTILE_MEASURES)
        raise refuse("measure", measure, f"must be one of {known}")
    return measure


def _checked_load(
    workload: Workload, servers: int, given: float | None, allow_unstable: bool
) -> float:
    actual = workload.load(servers)
    if actual >= 1:
        if not allow_unstable:
            remedy = "must be below 1 for a steady state; or allow unstable loads"
            raise refuse("load", given or actual, remedy)
        warnings.warn(
            f"load = {actual:.6g}: the system is not stable, its means depend on the run's length",
            UnstableWarning,
            stacklevel=4,
        )
    return actual


def _checked_warmup(warmup: WarmUp) -> WarmUp:
    remedy = "must be 'mser', or a share of the arrivals, at least 0 and below 1"
    if warmup == MSER:
        return MSER
    if not 0 <= finite("warmup", warmup, remedy) < 1:
        raise refuse("warmup", warmup, remedy)
    return warmup


def _checked_batches(batches: int | None, replications: int) -> int | None:
    if batches is None:
        return None if replications > 1 else DEFAULT_BATCHES
    if whole("batches", batches, least=2) > MOST_BATCHES:
        raise refuse("batches", batches, f"must be {MOST_BATCHES} or fewer; 10 to 30 are usual")
    return batches


def _check_precision(planned: Plan) -> None:
    if planned.precision is None:
        if planned.budget is not None:
            raise refuse("budget", planned.budget, "is for a precision; give one, or leave it out")
        return
    if planned.precision >= 1:
        raise refuse("precision", planned.precision, "must be below 1, such as 0.01 for 1%")
    if planned.replications < 2:
        raise refuse(
            "replications", planned.replications, "a precision needs 2 or more; leave it out"
        )
    least = planned.arrivals * planned.replications
    if planned.budget is not None and planned.budget < least:
        raise refuse(
            "budget", planned.budget,
            f"{planned.replications} replications of {planned.arrivals} arrivals need {least}",
        )  # fmt: skip


def _n_arrivals(workload: Workload, arrivals: int | None) -> int:
    process = workload.arrivals
    listed = len(process.instants) if isinstance(process, FixedTimes) else None
    if arrivals is None:
        return listed or 1_000_000
    arrivals = whole("arrivals", arrivals)
    if listed is not None and arrivals > listed:
        raise refuse("arrivals", arrivals, f"the list of arrival times has {listed}; ask for fewer")
    return arrivals
