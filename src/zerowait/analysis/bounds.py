"""Corollary 1 and Property 1: what Erlang's loss formula says of a split.

The bound is on `served_by_helpers` under Balanced Splitting, and is the exact
`routed_to_helpers` (and `served_by_helpers`) under ModifiedBS. It bounds neither routing nor
waiting under Balanced Splitting, whose rule 3 keeps the own servers busier than a loss system;
see `zerowait.analysis.waiting` for these.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zerowait.analysis.erlang import Floats, erlang_c, log_erlang_b
from zerowait.model import Poisson, Split, Workload, balanced_split
from zerowait.model.quantities import refuse
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
        """The logarithm of `bound`, also where that is beyond a float."""
        return float(np.logaddexp.reduce(np.log(self.shares) + self.log_blocking))

    @property
    def bound(self) -> float:
        """Corollary 1: served_by_helpers under bs is at most, under mbs exactly, this."""
        return math.fsum(self.shares * self.blocking)

    @property
    def waiting_bound(self) -> float:
        """P(wait) under bs is at most this, for exponential service (see `waiting`)."""
        return math.fsum(self.shares * self.waiting)

    @property
    def helper_load(self) -> float:
        """Proposition 1: (arrival_rate / |H|) sum of demand_i E_{s_i}; infinite without helpers."""
        work = math.fsum(self.overflow)
        return work / self.split.helpers if self.split.helpers else math.inf

    @property
    def slack(self) -> Floats:
        """(1 - rho_i) sqrt(s_i) per class, which tends to theta_i (Proposition 3)."""
        slots = np.array(self.split.slots, dtype=np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray((slots - self.offered) / np.sqrt(slots))

    def table(self) -> "polars.DataFrame":
        """One row per class."""
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
        """Ready for JSON."""
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
    """Corollary 1 for a workload whose arrival rate is decided.

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
    """As given, or the balanced one."""
    if split is None:
        return balanced_split(workload, servers)
    if split.servers != servers:
        raise refuse("split", split, f"must be of all {servers} servers")
    if list(split.needs) != workload.needs.tolist():
        raise refuse("split", split, f"must be for needs {workload.needs.tolist()}")
    return split


def offered_slots(workload: Workload, servers: int) -> Floats:
    """arrival_rate x share x mean_service per class."""
    check_poisson(workload)
    rate = workload.load(servers) * servers / workload.demand
    return np.asarray(rate * workload.shares * workload.mean_services)


def check_poisson(workload: Workload) -> None:
    """Refuses arrivals for which Erlang's formulas do not hold."""
    if not isinstance(workload.arrivals, Poisson):
        raise refuse(
            "arrivals",
            type(workload.arrivals).__name__,
            "Erlang's formulas hold for Poisson arrivals; simulate this workload instead",
        )
