"""Loads that are stable for sure: Proposition 1, and the limit of FCFS.

FCFS is stable below the rate at which it completes jobs when there are always more waiting. For
exponential service the saturated system is a finite chain: jobs in service, and the class of
the blocked head of the queue.

- **One common mean d**: product form (Brill and Green 1984; Rumyantsev and Morozov 2017). A list
  of independent classes, cut where the servers are full, is stationary at completions, and so
  rate = 1 / (d E[1/M]), M the number of independent needs that fit the servers. With
  l_y = sum over m of P(S_m = y) / m, the coefficients of -log(1 - sum of share_i z^need_i),
  E[1/M] = sum of l_y P(need > servers - y): no more work than servers x classes.
- **Different means**: no product form in general (two classes: Grosof, Harchol-Balter and
  Scheller-Wolf 2020). The chain is solved as it is, where its states are few enough.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import numpy as np

from zerowait.analysis.bounds import check_poisson, chosen_split
from zerowait.analysis.chain_rules import (
    ArrivalOutcome,
    ChainState,
    ChainSystem,
    Counts,
    FcfsByHead,
)
from zerowait.analysis.erlang import erlang_b
from zerowait.analysis.markov_chain import Exploration, stationary
from zerowait.model import Exponential, Split, Workload
from zerowait.model.quantities import refuse
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
        """Return a load below which bs (with a throughput-optimal auxiliary) is stable."""
        return max(self.load_by_helpers, self.load_by_own_servers)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def stable_rates(workload: Workload | str, servers: int, split: Split | None = None) -> StableRates:
    """Return the largest arrival rates that Proposition 1, or own slots alone, call stable."""
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
    """Find the root of (rate / |H|) sum of demand_i E_{s_i}(rate share_i d_i) = 1.

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


ENDLESS = 10**9  # jobs behind the head: more than any completion can start


@dataclass(frozen=True)
class FcfsCapacity:
    """FCFS is stable below this arrival rate, and not above."""

    rate: float
    load: float
    method: str  # "product form" or "saturated chain"

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def fcfs_capacity(workload: Workload | str, servers: int, max_states: int = 50_000) -> FcfsCapacity:
    """Return the stability limit of FCFS for exponential service.

    InputError where the service is not exponential, or the chain is larger than `max_states`:
    simulate the saturated system then (`zerowait.experiment.simulation.capacity`).
    """
    workload = as_workload(workload, servers)
    workload.check_fits(servers)
    for i, c in enumerate(workload.classes):
        if not isinstance(c.service, Exponential):
            raise refuse(
                f"service of classes[{i}]", type(c.service).__name__,
                "must be Exponential; simulate the saturated system instead",
            )  # fmt: skip
    unit = math.gcd(*(c.need for c in workload.classes))
    system = ChainSystem(
        servers // unit,  # what is left over serves nobody
        tuple((workload.needs // unit).tolist()),
        tuple((1 / workload.mean_services).tolist()),
        tuple(workload.shares.tolist()),
    )
    if len(set(system.rates)) == 1:
        rate, method = product_form_rate(system), "product form"
    else:
        rate, method = _chain_rate(system, max_states), "saturated chain"
    return FcfsCapacity(rate, rate * workload.demand / servers, method)


def product_form_rate(system: ChainSystem) -> float:
    """Return the completions per unit of time of the saturated system with one common rate."""
    k = system.servers
    chance = [0.0] * (k + 1)  # P(need = y)
    for need, share in zip(system.needs, system.shares, strict=True):
        chance[need] += share
    steps = [(need, share) for need, share in enumerate(chance) if share > 0]
    weighted = [0.0] * (k + 1)  # y l_y
    for y in range(1, k + 1):
        weighted[y] = y * chance[y] + sum(p * weighted[y - n] for n, p in steps if n < y)
    larger = 1 - np.cumsum(chance)  # P(need > y)
    used = np.arange(1, k + 1)
    mean_inverse = float(np.sum(np.array(weighted[1:]) / used * np.maximum(larger[k - used], 0.0)))
    return system.rates[0] / mean_inverse


@dataclass(frozen=True)
class _Saturated:
    """FCFS whose queue never ends: no arrivals, and always a head."""

    fcfs: FcfsByHead

    def empty(self) -> ChainState:
        """Return any state of the saturated system: the servers filled by the first class."""
        needs, servers = self.fcfs.system.needs, self.fcfs.system.servers
        return (servers // needs[0], *(0 for _ in needs[1:])), 0, ENDLESS

    def arrive(self, state: ChainState, job_class: int) -> Iterator[ArrivalOutcome]:
        yield from ()

    def complete(self, state: ChainState) -> Iterator[tuple[float, ChainState]]:
        for rate, (running, head, _) in self.fcfs.complete(state):
            yield rate, (running, head, ENDLESS)

    def count(self, state: ChainState) -> Counts:
        return self.fcfs.count(state)

    def size(self, state: ChainState) -> int:
        running, _, _ = state
        return sum(running)


def _chain_rate(system: ChainSystem, max_states: int) -> float:
    # Counted first: a chain that is given up takes a second, and most are far too large. One job of
    # any class, filled up with the smallest, leaves no room for a head of any class.
    too_many = len(system.needs) ** 2 > max_states
    if too_many or sum(1 for _ in islice(saturated_states(system), max_states + 1)) > max_states:
        raise refuse(
            "max_states", max_states,
            "is too few for this saturated system; simulate it, or raise the number",
        )  # fmt: skip
    chain = Exploration(_Saturated(FcfsByHead(system)), [], max_states).chain(system.servers)
    pi = stationary(chain.rates)
    # A completion may lead back to its own state; it counts all the same.
    return float(pi @ np.asarray(chain.rates.sum(axis=1)).reshape(-1))


def saturated_states(system: ChainSystem) -> Iterator[tuple[int, int]]:
    """Yield a pair for each state: idle servers, and the need of the head, which is larger."""
    for idle in _idle_servers(system.servers, max(system.needs), sorted(system.needs)):
        for need in system.needs:
            if need > idle:
                yield idle, need


def _idle_servers(idle: int, too_many: int, needs: Sequence[int]) -> Iterator[int]:
    """Yield what each set of jobs of these needs leaves idle, where less than `too_many`."""
    *others, largest = needs
    fewest = 0 if others else max(0, -((too_many - 1 - idle) // largest))
    for jobs in range(fewest, idle // largest + 1):
        left = idle - jobs * largest
        if others:
            yield from _idle_servers(left, too_many, others)
        else:
            yield left
