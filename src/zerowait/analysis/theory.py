"""Everything the formulas say of one workload on one cluster, bundled."""

import math
from dataclasses import dataclass
from typing import Any

from zerowait.analysis.bounds import (
    HelperBounds,
    HelperTraffic,
    OwnServersWait,
    helper_bounds,
    helper_traffic,
    own_servers_wait,
)
from zerowait.analysis.limits import (
    ConvergenceRow,
    CriticalLimit,
    SubcriticalLimit,
    base_of,
    critical_estimate,
    critical_table,
    scale_through,
    subcritical_table,
    theorem_1,
    theorem_2,
)
from zerowait.analysis.stability import StableRates, stable_rates
from zerowait.model import Workload, balanced_split
from zerowait.model.quantities import finite, refuse
from zerowait.model.workloads import as_workload

FACTOR = 8  # from one row of a convergence table to the next


@dataclass(frozen=True)
class Theory:
    """The paper's results and what we add, for one workload whose load is below one."""

    servers: int
    need_scale: int  # what all needs have in common
    arrival_rate: float
    bounds: HelperBounds
    rates: StableRates
    waits: OwnServersWait
    traffic: HelperTraffic
    critical: CriticalLimit
    critical_estimate: float  # Theorem 2 read at this k
    subcritical: SubcriticalLimit
    mean_service: float

    @property
    def root(self) -> float:
        """Return sqrt(k / f)."""
        return math.sqrt(self.servers / self.need_scale)

    def as_dict(self) -> dict[str, Any]:
        """Return everything ready for JSON."""
        return {
            "servers": self.servers,
            "need_scale": self.need_scale,
            "arrival_rate": self.arrival_rate,
            "split": self.bounds.split.as_dict(),
            "mean_service": self.mean_service,
            "corollary_1": self.bounds.as_dict(),
            "proposition_1": self.rates.as_dict(),
            "theorem_1": self.subcritical.as_dict(),
            "theorem_2": self.critical.as_dict()
            | {
                "scaled_bound": self.root * self.bounds.bound,
                "estimate": self.critical_estimate,
            },
            "erlang_c": self.waits.as_dict(),
            "overflow": self.traffic.as_dict(),
        }


def theory_of(workload: Workload | str, servers: int) -> Theory:
    """Compute Corollary 1, Proposition 1, Theorems 1 and 2, Erlang C and the overflow."""
    workload = as_workload(workload, servers)
    split = balanced_split(workload, servers)
    load = workload.load(servers)
    if load >= 1:
        raise refuse("load", load, "must be below 1: the results are about steady states")
    base, factor = base_of(workload)
    slack = (1 - load) * math.sqrt(servers / factor)
    return Theory(
        servers=servers,
        need_scale=factor,
        arrival_rate=load * servers / workload.demand,
        bounds=helper_bounds(workload, servers, split),
        rates=stable_rates(workload, servers, split),
        waits=own_servers_wait(workload, servers, split),
        traffic=helper_traffic(workload, servers, split),
        critical=theorem_2(base, slack),
        critical_estimate=critical_estimate(workload, servers),
        subcritical=theorem_1(base, load),
        mean_service=workload.mean_service,
    )


def convergence_of(
    workload: Workload,
    servers: int,
    subcritical: bool = False,
    exponent: float = 2 / 3,
    up_to: float = 1e9,
) -> tuple[ConvergenceRow, ...]:
    """Follow a limit along k from `servers` on, with the need scale through this system."""
    if finite("up_to", up_to) < servers:
        raise refuse("up_to", up_to, f"must be {servers} servers at least")
    if not 0 <= finite("exponent", exponent) < 1:
        raise refuse("exponent", exponent, "must be at least 0 and below 1: f_k = o(k)")
    base, factor = base_of(workload)
    scale = scale_through(servers, factor, exponent)
    steps = [servers]
    while steps[-1] * FACTOR <= up_to:
        steps.append(steps[-1] * FACTOR)
    load = workload.load(servers)
    if subcritical:
        return subcritical_table(base, load, steps, scale)
    return critical_table(base, (1 - load) * math.sqrt(servers / factor), steps, scale)
