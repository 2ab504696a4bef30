"""Corollary 1, Property 1 and Erlang's C: what Erlang's formulas say of a split.

Waiting under Balanced Splitting compares each class with M/M/s on its own slots. Whenever class-i
jobs wait, all of A_i is busy, and A_i takes them in order of arrival; a job that the helpers take
leaves the queue earlier than A_i would have taken it. So every class-i job waits at most as long as
in the M/GI/s_i queue with the same arrivals and services, job by job, for any nonpreemptive
auxiliary policy. Hence, for bs:

- exponential service: Erlang's C **bounds** P(wait) and `routed_to_helpers`, and
  C d_i / (s_i - a_i) bounds the mean wait, of each class with a_i < s_i;
- other laws: the M/GI/s_i queue still bounds, but Erlang's C, and its mean wait times
  (1 + scv) / 2, only **approximate** that queue;
- a_i >= s_i: nothing is said (1 and infinity);
- mbs: nothing of this holds, a job sent to the helpers has only these.

The bound is on `served_by_helpers` under Balanced Splitting, and is the exact
`routed_to_helpers` (and `served_by_helpers`) under ModifiedBS. It bounds neither routing nor
waiting under Balanced Splitting, whose rule 3 keeps the own servers busier than a loss system;
see `zerowait.analysis.waiting` for these.

Corollary 1 under bs: give the k-th job that starts on A_i the k-th of a list of service times, in
bs as in the loss system on A_i with the same arrivals. Then it starts no later in bs: as long as
all before it started no later, A_i of bs has no more jobs than the loss system has, so that where
an arrival finds a slot there it finds one here, and no job waits for it (rule 3). So A_i starts at
least as many jobs, and the helpers end at most the rest, Erlang's B of all.

One step needs a reason: jobs that start on A_i must have independent service times of the class's
law, whoever waits. They do if nobody looked at their sizes, neither rule 3 nor the helpers, and if
none has been in service before: unless service is exponential, what is left of a paused job has
another law, and may be longer.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from zerowait.analysis.erlang import erlang_b, erlang_c, idle, log_erlang_b
from zerowait.model import Exponential, Poisson, Split, Workload, balanced_split
from zerowait.model.quantities import Floats, refuse
from zerowait.model.workloads import as_workload

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, repr=False)
class HelperBounds:
    """Erlang's formulas for each class on its own slots, and what falls to the helpers."""

    split: Split
    names: tuple[str, ...]  # per class
    shares: Floats  # per class
    offered: Floats  # per class: arrival_rate x share x mean_service, in slots
    log_blocking: Floats  # per class: log E_{s_i}(offered), Corollary 1
    waiting: Floats  # per class: Erlang C, a bound on P(wait) under bs; 1 where overloaded
    overflow: Floats  # per class: servers that the overflow would keep busy
    load: float

    def __repr__(self) -> str:
        return f"HelperBounds(load={self.load:.6g}, served_by_helpers <= {self.bound:.6g})"

    @property
    def blocking(self) -> Floats:  # per class
        return np.asarray(np.exp(self.log_blocking))

    @property
    def log_bound(self) -> float:
        """Return the logarithm of `bound`, also where that is beyond a float."""
        return float(np.logaddexp.reduce(np.log(self.shares) + self.log_blocking))

    @property
    def bound(self) -> float:
        """Return Corollary 1: served_by_helpers under bs is at most, under mbs exactly, this."""
        return math.fsum(self.shares * self.blocking)

    @property
    def waiting_bound(self) -> float:
        """Return what P(wait) under bs is at most, for exponential service (see `waiting`)."""
        return math.fsum(self.shares * self.waiting)

    @property
    def helper_load(self) -> float:
        """Return Proposition 1's (arrival_rate / |H|) sum of demand_i E_{s_i}, or infinity."""
        work = math.fsum(self.overflow)
        return work / self.split.helpers if self.split.helpers else math.inf

    @property
    def slack(self) -> Floats:
        """Return (1 - rho_i) sqrt(s_i) per class, which tends to theta_i (Proposition 3)."""
        slots = np.array(self.split.slots, dtype=np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray((slots - self.offered) / np.sqrt(slots))

    def table(self) -> "polars.DataFrame":
        """Return a table with one row per class."""
        import polars

        return polars.DataFrame(
            {
                "job_class": self.names,
                "need": self.split.needs,
                "share": self.shares,
                "slots": self.split.slots,
                "own_servers": self.split.own_servers,
                "offered": self.offered,
                "served_by_helpers_bound": self.blocking,
                "p_wait_bound": self.waiting,
                "overflow_servers": self.overflow,
                "slack": self.slack,
            }
        )

    def as_dict(self) -> dict[str, Any]:
        """Return everything ready for JSON."""
        rows = self.table().to_dicts()
        for row in rows:
            row["slack"] = row["slack"] if math.isfinite(row["slack"]) else None
        load = self.helper_load
        return {
            "load": self.load,
            "served_by_helpers_bound": self.bound,
            "p_wait_bound": self.waiting_bound,
            "helper_load": load if math.isfinite(load) else None,
            "classes": rows,
        }


def helper_bounds(
    workload: Workload | str, servers: int, split: Split | None = None
) -> HelperBounds:
    """Compute Corollary 1 for a workload whose arrival rate is decided.

    Needs Poisson arrivals; the service laws count through their means alone, but for
    `waiting`, which is that of exponential service.
    """
    workload = as_workload(workload, servers)
    split = chosen_split(workload, servers, split)
    offered = offered_slots(workload, servers)
    slots = np.array(split.slots, dtype=np.float64)
    log_blocking = np.asarray(log_erlang_b(slots, offered))
    return HelperBounds(
        split=split,
        names=tuple(workload.class_names),
        shares=workload.shares,
        offered=offered,
        log_blocking=log_blocking,
        waiting=np.asarray(erlang_c(slots, offered)),
        overflow=workload.needs * offered * np.exp(log_blocking),
        load=workload.load(servers),
    )


def chosen_split(workload: Workload, servers: int, split: Split | None) -> Split:
    """Return the split as given, or the balanced one."""
    if split is None:
        return balanced_split(workload, servers)
    if split.servers != servers:
        raise refuse("split", split, f"must be of all {servers} servers")
    if list(split.needs) != workload.needs.tolist():
        raise refuse("split", split, f"must be for needs {workload.needs.tolist()}")
    return split


def offered_slots(workload: Workload, servers: int) -> Floats:
    """Return arrival_rate x share x mean_service per class."""
    check_poisson(workload)
    rate = workload.load(servers) * servers / workload.demand
    return np.asarray(rate * workload.shares * workload.mean_services)


def check_poisson(workload: Workload) -> None:
    """Refuse arrivals for which Erlang's formulas do not hold."""
    if not isinstance(workload.arrivals, Poisson):
        raise refuse(
            "arrivals",
            type(workload.arrivals).__name__,
            "Erlang's formulas hold for Poisson arrivals; simulate this workload instead",
        )


class Claim(NamedTuple):
    """What a formula says of a measure: an upper bound, the value itself, or nothing."""

    relation: Literal["<=", "="] | None
    reason: str


def corollary_1(
    refill: str | None, *, preemptive: bool, size_aware: bool, exponential: bool = False
) -> Claim:
    """Say how Erlang's B bounds `served_by_helpers`; Poisson arrivals, any laws and slots.

    `refill` is rule 3's choice, None for mbs, which has no rule 3; `preemptive` and `size_aware`
    are the auxiliary's; `exponential`: is all service?
    """
    if refill is None:
        return Claim("=", "a job sent to the helpers stays there, whatever these do")
    if refill == "largest":
        return Claim(None, "own servers that take the largest job serve fewer of them")
    if size_aware:
        return Claim(None, "helpers that know sizes leave the larger jobs to the own servers")
    if preemptive and not exponential:
        return Claim(None, "what is left of a paused job may be longer than a new one")
    return Claim("<=", "own servers start at least as many jobs as a loss system does")


def overflow_moments(servers: ArrayLike, offered: ArrayLike) -> tuple[Floats, Floats]:
    """Return mean m = a E_s(a) and variance v = m (1 - m + a / (s + 1 - a + m)) of the overflow.

    Of the number busy in an infinite group that takes what M/M/s/s turns away (Wilkinson 1956,
    after Kosten); s may be real. s - a + m is the number of idle servers, taken without
    cancellation. Exact for exponential service.
    """
    a = np.asarray(offered, dtype=np.float64)
    mean = np.asarray(a * erlang_b(servers, a))
    variance = mean * (1 - mean + a / (1 + np.asarray(idle(servers, a))))
    return mean, np.maximum(variance, 0.0)


@dataclass(frozen=True)
class HelperTraffic:
    """The traffic that mbs offers to the helpers, in servers."""

    split: Split
    class_means: Floats  # per class: busy servers, were there helpers without end
    class_variances: Floats  # per class

    @property
    def mean(self) -> float:
        """Return M = sum of n_i m_i."""
        return math.fsum(self.class_means)

    @property
    def variance(self) -> float:
        """Return V = sum of n_i^2 v_i: under mbs the classes overflow independently."""
        return math.fsum(self.class_variances)

    @property
    def peakedness(self) -> float:
        """Return Z = V / M, in servers: both bursts and needs count (Poisson jobs of need n: n)."""
        return self.variance / self.mean if self.mean > 0 else 1.0

    @property
    def load(self) -> float:
        """Return Proposition 1's left side."""
        return self.mean / self.split.helpers if self.split.helpers else math.inf

    def as_dict(self) -> dict[str, Any]:
        """Return everything ready for JSON."""
        return {
            "mean": self.mean,
            "variance": self.variance,
            "peakedness": self.peakedness,
            "load": self.load if self.split.helpers else None,
        }


def helper_traffic(
    workload: Workload | str, servers: int, split: Split | None = None
) -> HelperTraffic:
    """Return what the own servers of a workload turn away under mbs."""
    workload = as_workload(workload, servers)
    split = chosen_split(workload, servers, split)
    mean, variance = overflow_moments(
        np.array(split.slots, dtype=np.float64), offered_slots(workload, servers)
    )
    needs = workload.needs.astype(np.float64)
    return HelperTraffic(split, needs * mean, needs**2 * variance)


@dataclass(frozen=True)
class OwnServersWait:
    """M/M/s_i of each class on its own slots alone; infinite means where overloaded."""

    names: tuple[str, ...]  # per class
    shares: Floats  # per class
    mean_services: Floats  # per class
    class_p_wait: Floats  # per class: Erlang's C
    class_wait: Floats  # per class: C d (1 + scv) / 2 / (s - a)
    is_bound: tuple[bool, ...]  # per class: a bound for bs, or an approximation of one?

    @property
    def p_wait(self) -> float:
        return math.fsum(self.shares * self.class_p_wait)

    @property
    def wait(self) -> float:
        return math.fsum(self.shares * self.class_wait)

    @property
    def response(self) -> float:
        return math.fsum(self.shares * (self.mean_services + self.class_wait))

    def table(self) -> "polars.DataFrame":
        """Return a table with one row per class."""
        import polars

        return polars.DataFrame(
            {
                "job_class": self.names,
                "p_wait": self.class_p_wait,
                "wait": self.class_wait,
                "response": self.mean_services + self.class_wait,
                "is_bound": self.is_bound,
            }
        )

    def as_dict(self) -> dict[str, Any]:
        """Return everything ready for JSON: None where a class is offered too much work."""
        rows = self.table().to_dicts()
        for row in rows:
            for key in ("wait", "response"):
                row[key] = row[key] if math.isfinite(row[key]) else None
        total = self.response
        return {
            "p_wait": self.p_wait,
            "response": total if math.isfinite(total) else None,
            "classes": rows,
        }


def own_servers_wait(
    workload: Workload | str, servers: int, split: Split | None = None
) -> OwnServersWait:
    """Compute Erlang's C for each class on its own slots; Poisson arrivals."""
    workload = as_workload(workload, servers)
    split = chosen_split(workload, servers, split)
    offered = offered_slots(workload, servers)
    slots = np.array(split.slots, dtype=np.float64)
    p_wait = np.asarray(erlang_c(slots, offered))
    variability = np.array([(1 + c.service.scv) / 2 for c in workload.classes])
    room = slots - offered
    with np.errstate(divide="ignore", invalid="ignore"):
        wait = np.where(room > 0, p_wait * workload.mean_services * variability / room, np.inf)
    return OwnServersWait(
        tuple(workload.class_names),
        workload.shares,
        workload.mean_services,
        p_wait,
        wait,
        tuple(isinstance(c.service, Exponential) for c in workload.classes),
    )
