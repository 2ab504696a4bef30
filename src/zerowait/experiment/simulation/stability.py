"""Has the system a steady state? What theory knows, then what the runs show.

In this order, and the first that can tell decides:

- a load of one or more has none, under any policy;
- formulas: FCFS leaves fewer servers idle than its largest job needs; policies that are throughput
  optimal have a steady state below load one; Balanced Splitting has one where every class fits its
  own slots, ModifiedBS none where helpers are sent more than they can do (Proposition 1). Where
  pauses cost something no theorem says that a policy which pauses jobs is stable;
- the saturated system of FCFS, whose queue never ends: its exact limit where the chain is small,
  else simulated;
- the runs: a queue that clearly does not grow;
- the saturated system of bs:fcfs, simulated. It tells only what is stable: the end of the crowd,
  when some classes are through, makes its limit come out low;
- the runs again: a queue that clearly grows.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from zerowait.analysis.fcfs_limit import fcfs_capacity
from zerowait.analysis.proposition_1 import stable_rates
from zerowait.engine.arrays import Floats
from zerowait.experiment.checks import price_of
from zerowait.experiment.options import MSER
from zerowait.experiment.simulation.growth import (
    GROWING,
    STABLE,
    UNDECIDED,
    UNSETTLED,
    queue_at_limit,
    verdict_on,
)
from zerowait.experiment.simulation.saturated import saturated_load
from zerowait.experiment.simulation.setup import Setup
from zerowait.experiment.statistics.intervals import Interval
from zerowait.model import FixedTimes, InputError, JobClass, Poisson, Split, Workload
from zerowait.policies import Policy, parse_policy
from zerowait.policies.spelling import options_of

FCFS, BS_FCFS = (parse_policy(name).spec for name in ("fcfs", "bs:fcfs"))
MOST_STATES = 2_000  # of the saturated chain: a fraction of a second
MOST_SATURATED = 400_000  # jobs of the crowd; the same
FEWEST_SATURATED = 20_000


@dataclass(frozen=True)
class Stability:
    """The verdict, why where the runs did not say so themselves, and the limit where known."""

    verdict: str
    why: str = ""
    limit: float = 1.0  # the load at which the steady state ends, or more

    @property
    def diverging(self) -> bool:
        return self.verdict == GROWING

    @property
    def notes(self) -> tuple[str, ...]:
        if self.verdict == UNDECIDED:
            return (
                "these runs do not tell whether the system is stable, and no formula does: means "
                "may depend on the length of the run; raise arrivals, or ask `zerowait capacity`",
            )
        return (self.why,) if self.diverging and self.why else ()


def judge(
    setup: Setup, policy: Policy, segments: Sequence[Floats], split: Split | None
) -> Stability:
    """The first of what is known that can tell."""
    if setup.load >= 1:
        return Stability(GROWING)
    workload = setup.workload
    known = by_formula(workload, setup.servers, setup.load, policy, split)
    priced = policy.pauses and any(price_of(str(setup.options.preemption_cost)))
    if known is not None and not (known == STABLE and priced):
        return Stability(known)
    listed = isinstance(workload.arrivals, FixedTimes)
    found = None if listed or policy.spec != FCFS else _fcfs_by_saturation(setup)
    if found is not None:
        return found
    seen = _by_runs(setup, segments)
    if seen == STABLE or listed or policy.spec != BS_FCFS:
        return Stability(seen)
    return _split_by_saturation(setup) or Stability(seen)


def _by_runs(setup: Setup, segments: Sequence[Floats]) -> str:
    rate, warmup = setup.workload.arrivals.rate, setup.options.warmup
    assert rate is not None  # a setup has decided it
    before = UNSETTLED if warmup == MSER else float(warmup) or UNSETTLED
    at_limit = queue_at_limit(setup.workload, setup.arrivals)
    return verdict_on(segments, rate * setup.workload.mean_service, before, at_limit)


def by_formula(
    workload: Workload, servers: int, load: float, policy: Policy, split: Split | None = None
) -> str | None:
    """STABLE or GROWING where a formula says so, at a load below one."""
    if policy.spec == FCFS and load < never_idle(workload, servers):
        return STABLE
    if is_throughput_optimal(policy, workload, servers):
        return STABLE
    if split is not None and isinstance(workload.arrivals, Poisson):
        return _by_split(workload, servers, load, policy.name, split)
    return None


def never_idle(workload: Workload, servers: int) -> float:
    """The share of the servers that FCFS keeps busy whenever a job waits."""
    unit = math.gcd(*workload.needs.tolist())
    usable = servers - servers % unit
    return (usable - workload.max_need + unit) / servers


def is_throughput_optimal(policy: Policy, workload: Workload, servers: int) -> bool:
    """Is there a theorem for this policy, as it is by default, on these needs?"""
    if not _is_default(policy):
        return False
    needs = workload.needs.tolist()
    conditions = {
        "yes": True,
        "yes, if servers and needs are powers of two": all(
            one & (one - 1) == 0 for one in (servers, *needs)
        ),
        "yes, if all needs divide the servers": all(servers % one == 0 for one in needs),
    }
    return conditions.get(policy.throughput_optimal, False)


def _is_default(policy: Policy) -> bool:
    """Told by its options: to make another, a policy of the user's own may want arguments."""
    options = options_of(type(policy)).items()
    return all(_spelled(getattr(policy, name)) == _spelled(one.default) for name, one in options)


def _spelled(value: Any) -> Any:
    return value.spec if isinstance(value, Policy) else value


def _by_split(workload: Workload, servers: int, load: float, name: str, split: Split) -> str | None:
    rates = stable_rates(workload, servers, split)
    if name == "balanced-splitting" and load < rates.load_by_own_servers:
        return STABLE
    # Strictly: where there are no helpers nothing is sent to them.
    if name == "modified-balanced-splitting" and load > rates.load_by_helpers:
        return GROWING
    return None


def _fcfs_by_saturation(setup: Setup) -> Stability | None:
    """None within the error of the limit."""
    limit = _limit(setup, FCFS)
    if limit is None or abs(setup.load - limit.mean) <= limit.half_width:
        return None
    if setup.load < limit.mean:
        return Stability(STABLE, limit=limit.mean)
    why = f"load {setup.load:.4g} is beyond the stability limit of FCFS here, {limit}"
    return Stability(GROWING, why)


def _split_by_saturation(setup: Setup) -> Stability | None:
    """Stable, or not known: a limit that comes out low says nothing of loads beyond it by far."""
    limit = _limit(setup, BS_FCFS)
    if limit is None or setup.load > limit.mean + 2 * limit.half_width:
        return None
    stable = setup.load < limit.mean - limit.half_width
    return Stability(STABLE, limit=limit.mean) if stable else Stability(UNDECIDED)


def _limit(setup: Setup, spec: str) -> Interval | None:
    """As a load; None where a crowd that is not too large would fill the servers too few times."""
    crowd = min(MOST_SATURATED, max(FEWEST_SATURATED, 2 * setup.arrivals))
    fills = crowd * int(setup.workload.needs.min()) / setup.servers
    return _saturation(setup.workload.classes, setup.servers, spec, crowd) if fills >= 40 else None


@lru_cache(maxsize=64)
def _saturation(classes: tuple[JobClass, ...], servers: int, spec: str, crowd: int) -> Interval:
    """Once for all loads of a workload."""
    workload = Workload(classes)
    if spec == FCFS:
        try:
            return Interval(fcfs_capacity(workload, servers, MOST_STATES).load, 0.0, 1.0)
        except InputError:
            pass
    return saturated_load(workload, servers, parse_policy(spec), arrivals=crowd)
