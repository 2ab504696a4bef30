"""Proposition 1: loads at which Balanced Splitting is stable for sure."""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from zerowait.analysis.bounds import check_poisson, chosen_split
from zerowait.analysis.erlang import erlang_b
from zerowait.model import Split, Workload
from zerowait.model.workloads import as_workload


@dataclass(frozen=True)
class StableRates:
    """Arrival rates below which a sufficient condition holds, and the loads they amount to.

    `by_helpers` is Proposition 1: the work that ModifiedBS sends to the helpers is less than
    they can do. It makes mbs and bs stable if the auxiliary policy is throughput optimal (FCFS
    is not). `by_own_servers` is ours: every class fits its own slots, so that bs is stable
    whatever its auxiliary, and whatever the helpers do (docs/decisions/0103).
    """

    by_helpers: float
    by_own_servers: float
    load_by_helpers: float
    load_by_own_servers: float

    @property
    def load(self) -> float:
        """bs (with a throughput-optimal auxiliary) is stable below this load at least."""
        return max(self.load_by_helpers, self.load_by_own_servers)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def stable_rates(workload: Workload | str, servers: int, split: Split | None = None) -> StableRates:
    """The largest arrival rates at which Proposition 1, or every class on its own slots, promises
    stability."""
    workload = as_workload(workload, servers)
    check_poisson(workload)
    split = chosen_split(workload, servers, split)
    per_load = workload.arrival_rate(servers, 1.0)
    slots = np.array(split.slots, dtype=np.float64)
    with np.errstate(divide="ignore"):
        alone = float(np.min(slots / (workload.shares * workload.mean_services)))
    # Above load one nothing is stable; slots given by hand or rounding must not say so.
    own = min(alone, per_load)
    helped = _rate_by_helpers(workload, split, per_load)
    return StableRates(helped, own, helped / per_load, own / per_load)


def _rate_by_helpers(workload: Workload, split: Split, per_load: float) -> float:
    """The root of (rate / |H|) sum of demand_i E_{s_i}(rate share_i d_i) = 1.

    The left side increases from 0, and carried plus overflow work is all work, so that the
    root is at a load of one at most. Without helpers every class is its own loss-free M/GI/s.
    """
    slots = np.array(split.slots, dtype=np.float64)
    if split.helpers == 0:
        return per_load
    from scipy.optimize import brentq

    def excess(load: float) -> float:
        rate = load * per_load
        blocking = np.asarray(erlang_b(slots, rate * workload.shares * workload.mean_services))
        return rate * math.fsum(workload.demands * blocking) / split.helpers - 1

    if excess(1.0) <= 0:  # rounding: the root is at most at one
        return per_load
    return per_load * float(brentq(excess, 0.0, 1.0, xtol=1e-14, rtol=1e-14))
