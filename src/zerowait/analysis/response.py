"""Approximate mean responses of `mbs:fcfs` and `bs:fcfs`; docs/explanation/approximations.md has
their measured errors.

`mbs`: a blocked job waits at the helpers as Hayward's approximation has it, on the share of the
helpers that FCFS can keep busy.

`bs`: a job waits for its own servers and for the helpers at once. The helpers take the oldest
job, so that they even out the waits of the classes that wait longest: class i is read as M/M/s
with s_i + h_i servers, the help h_i shared out such that the classes that get any wait equally
long, and those that wait less get none ("water filling"). Without help this is the Erlang C
bound of `waiting`. The help is in truth given when it is needed, so this is mostly too high.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zerowait.analysis.bounds import offered_slots
from zerowait.analysis.chain.rules import System
from zerowait.analysis.erlang import Floats, erlang_b, erlang_c
from zerowait.analysis.fcfs_limit import product_form_rate
from zerowait.analysis.overflow import helper_traffic
from zerowait.model import Split, Workload, balanced_split
from zerowait.model.quantities import refuse

if TYPE_CHECKING:
    import polars

HALVINGS = 40  # of intervals: far more digits than the approximation has


@dataclass(frozen=True)
class ApproximateResponse:
    """Means per class; infinite where the approximation sees no steady state."""

    policy: str  # "bs" or "mbs"
    names: tuple[str, ...]  # per class
    shares: Floats  # per class
    class_response: Floats  # per class
    class_p_wait: Floats  # per class

    @property
    def response(self) -> float:
        return math.fsum(self.shares * self.class_response)

    @property
    def p_wait(self) -> float:
        return math.fsum(self.shares * self.class_p_wait)

    def table(self) -> "polars.DataFrame":
        """One row per class."""
        import polars

        return polars.DataFrame(
            {"job_class": self.names, "response": self.class_response, "p_wait": self.class_p_wait}
        )

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON: None for what is infinite."""
        response = self.response
        return {
            "policy": self.policy,
            "response": response if math.isfinite(response) else None,
            "p_wait": self.p_wait,
        }


def approximate_response(
    workload: Workload, servers: int, policy: str = "bs", split: Split | None = None
) -> ApproximateResponse:
    """The approximation for `bs:fcfs` or `mbs:fcfs`; Poisson arrivals."""
    split = balanced_split(workload, servers) if split is None else split
    if policy not in ("bs", "mbs"):
        raise refuse("policy", policy, "must be bs or mbs")
    return (_mbs if policy == "mbs" else _bs)(workload, servers, split)


def _mbs(workload: Workload, servers: int, split: Split) -> ApproximateResponse:
    offered = offered_slots(workload, servers)
    blocking = np.asarray(erlang_b(np.array(split.slots, dtype=np.float64), offered))
    traffic = helper_traffic(workload, servers, split)
    sent = workload.shares * blocking
    capacity = _capacity(split, sent) if sent.sum() > 0 else 1.0
    wait = traffic.wait(capacity)
    usable = capacity * split.helpers
    if traffic.mean < usable:
        p_busy = float(erlang_c(usable / traffic.peakedness, traffic.mean / traffic.peakedness))
    else:
        p_busy = 1.0
    waits = np.where(blocking > 0, blocking, 0.0) * (wait if blocking.any() else 0.0)
    return ApproximateResponse(
        "mbs", tuple(workload.class_names), workload.shares,
        workload.mean_services + waits, blocking * p_busy,
    )  # fmt: skip


def _bs(workload: Workload, servers: int, split: Split) -> ApproximateResponse:
    offered = offered_slots(workload, servers)
    slots = np.array(split.slots, dtype=np.float64)
    needs = workload.needs.astype(np.float64)
    variability = np.array([(1 + c.service.scv) / 2 for c in workload.classes])
    services = workload.mean_services * variability

    def wait(helped: Floats) -> Floats:
        room = helped - offered
        with np.errstate(divide="ignore", invalid="ignore"):
            p_wait = np.asarray(erlang_c(helped, offered))
            return np.where(room > 0, p_wait * services / room, np.inf)

    help_ = _water_fill(wait, slots, offered, needs, services, float(split.helpers))
    helped = slots + help_
    return ApproximateResponse(
        "bs", tuple(workload.class_names), workload.shares,
        workload.mean_services + wait(helped), np.asarray(erlang_c(helped, offered)),
    )  # fmt: skip


def _water_fill(
    wait: Callable[[Floats], Floats],
    slots: Floats,
    offered: Floats,
    needs: Floats,
    services: Floats,
    helpers: float,
) -> Floats:
    """h_i >= 0 with sum of needs x h = helpers and equal waits where h_i > 0."""

    def help_at(level: float) -> Floats:
        """The least help with which each class waits `level` at most."""
        low = np.zeros_like(slots)
        high = np.maximum(offered - slots, 0.0) + services / level + 1.0  # more than enough
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            enough = wait(slots + middle) <= level
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        return np.where(alone <= level, 0.0, high)

    if needs @ np.maximum(offered - slots, 0.0) >= helpers:
        return np.zeros_like(slots)  # no steady state in sight
    alone = wait(slots)
    from scipy.optimize import brentq

    def excess(log_level: float) -> float:
        return float(needs @ help_at(unit * math.exp(log_level))) - helpers

    unit = float(np.max(services))
    low, high = -40.0, 40.0
    if helpers == 0 or excess(low) <= 0:  # enough for all to wait next to nothing
        return help_at(unit * math.exp(low)) if helpers else np.zeros_like(slots)
    return help_at(unit * math.exp(brentq(excess, low, high, xtol=1e-6)))


def _capacity(split: Split, mix: Floats) -> float:
    """Share of the helpers that FCFS can use for jobs in these proportions: the product form,
    as if all had one mean."""
    unit = math.gcd(*split.needs)
    needs = tuple(n // unit for n in split.needs)
    shares = mix / mix.sum()
    servers = split.helpers // unit
    if servers < max(needs):
        return 1.0
    system = System(servers, needs, (1.0,) * len(needs), tuple(shares.tolist()))
    return product_form_rate(system) * float(shares @ np.array(needs)) * unit / split.helpers
