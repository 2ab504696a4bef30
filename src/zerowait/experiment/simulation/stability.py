"""Has the system a steady state? What theory knows, then what the runs show.

The mean queue of a whole run is set against that of its first half. A stable system has a ratio
near 1; one that cannot keep up grows linearly; exactly at the limit the queue is a reflected
Brownian motion and grows with the square root of time (docs/decisions/0105). So the square root
is where the two are told apart, and a Student interval over replications says how surely.

A small queue is too noisy for that, and needs no such test: at the limit it would be as long as
the work that came scatters (`queue_at_limit`). One far shorter is not there.

`judge` asks, in this order, and the first that can tell decides:

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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from zerowait.analysis.stability import fcfs_capacity, stable_rates
from zerowait.engine.policy import LoadTerms
from zerowait.engine.run import RunSettings, run
from zerowait.engine.stream import WorkloadStream
from zerowait.experiment.checks import price_of
from zerowait.experiment.options import MSER
from zerowait.experiment.results.single_jobs import RecordingStream
from zerowait.experiment.simulation.run_length import work_variation
from zerowait.experiment.statistics.intervals import LEVEL, Interval, student_interval
from zerowait.model import FixedTimes, InputError, JobClass, Poisson, Split, Workload
from zerowait.model.quantities import Floats, refuse, whole
from zerowait.policies import Policy, parse_policy

if TYPE_CHECKING:
    from zerowait.experiment.simulation.workload_setup import WorkloadSetup


@dataclass(frozen=True)
class SaturatedRate:
    """The stability limit of FCFS as an arrival rate and as a load, with intervals."""

    rate: Interval
    load: Interval

    def as_dict(self) -> dict[str, Any]:
        return {"rate": vars(self.rate), "load": vars(self.load), "method": "saturated simulation"}


def simulate_saturated(
    workload: Workload,
    servers: int,
    *,
    arrivals: int = 200_000,
    replications: int = 8,
    seed: int = 1,
    progress: Callable[[int], None] | None = None,
) -> SaturatedRate:
    """Estimate the stability limit of FCFS; `arrivals` jobs queue up in each replication."""
    workload.check_fits(servers)
    least = 40 * servers // int(workload.needs.min())
    if whole("arrivals", arrivals) < least:
        raise refuse("arrivals", arrivals, f"fill {servers} servers too few times; give {least}")
    crowd = replace(workload, arrivals=FixedTimes(np.zeros(arrivals)))
    fcfs, options = parse_policy("fcfs"), _seated(arrivals)
    rates = []
    for child in np.random.SeedSequence(whole("seed", seed, least=0)).spawn(
        whole("replications", replications)
    ):
        records = run(WorkloadStream(crowd, arrivals, child), fcfs, servers, options).records
        assert records is not None
        # FCFS starts jobs in order: start times never decrease.
        first, last = arrivals // 5, arrivals - 1
        rates.append((last - first) / float(records.start[last] - records.start[first]))
        if progress is not None:
            progress(arrivals)
    per_rate = workload.demand / servers
    return SaturatedRate(
        student_interval(rates, LEVEL), student_interval([r * per_rate for r in rates], LEVEL)
    )


def saturated_load(
    workload: Workload,
    servers: int,
    policy: Policy,
    *,
    arrivals: int,
    replications: int = 4,
    seed: int = 1,
) -> Interval:
    """The share of the servers that a crowd keeps busy until its last job starts.

    The load at which the queue begins to grow (the saturation rule of Baccelli and Foss, Journal of
    Applied Probability 32, 1995). Work that was served is counted, not work as it is on average, so
    that a crowd that happens to be heavy does not matter. The first fifth, when all servers began
    at once, is left out; not where classes overtake each other, for then it is no different.
    """
    crowd = replace(workload, arrivals=FixedTimes(np.zeros(arrivals)))
    skipped = 0.2 if policy.auxiliary is None else 0.0
    loads = []
    for child in np.random.SeedSequence(seed).spawn(replications):
        stream = RecordingStream(WorkloadStream(crowd, arrivals, child))
        records = run(stream, policy, servers, _seated(arrivals)).records
        assert records is not None
        last = float(records.start.max())
        first = skipped * last
        served = np.minimum(records.end, last) - np.maximum(records.start, first)
        work = float(stream.columns()["need"] @ np.maximum(served, 0.0))
        loads.append(work / (servers * (last - first)))
    return student_interval(loads, LEVEL)


def _seated(crowd: int) -> RunSettings:
    """Return settings with a seat for each job from the start: all are there at once."""
    return RunSettings(records=True, first_seats=crowd)


STABLE, GROWING, UNDECIDED = "stable", "growing", "undecided"
FEWEST = 8  # parts of a run
FLOOR = 1e-3  # of the jobs in service: a smaller queue is none
UNSETTLED = 0.1  # of a run comes before its parts, where its warm-up is not given
SMALL = 0.25  # of the queue at the limit
# Of single runs, which have no interval:
TREND = 0.9
GROWTH = 2.0


def verdict_on(
    segments: Sequence[Floats], in_service: float, before: float = UNSETTLED, at_limit: float = 0.0
) -> str:
    """Judge by the mean number in the system in equal parts of each replication.

    `in_service` are the jobs in service on average; `before` is the share of the run that came
    before its parts; `at_limit` is the queue that a system at its limit would have.
    """
    whole = [one for one in segments if len(one) >= FEWEST and np.isfinite(one).all()]
    if len(whole) < len(segments) or not whole:
        return UNDECIDED
    if np.mean(whole) - in_service < SMALL * at_limit:
        return STABLE
    found = [growth(one, in_service) for one in whole]
    limit = critical_growth(before)
    if len(found) == 1:
        if is_rising(whole[0]):
            return GROWING
        return STABLE if found[0] < limit else UNDECIDED
    return verdict(found, limit, LEVEL)


def verdict(found: Sequence[float], limit: float, level: float) -> str:
    """Independent values wholly on one side of the limit, or neither."""
    interval = student_interval(found, level)
    if interval.mean + interval.half_width < limit:
        return STABLE
    return GROWING if interval.mean - interval.half_width > limit else UNDECIDED


def growth(segments: Floats, in_service: float) -> float:
    """log2 of the mean queue of all parts over that of the first half of them."""
    least = max(FLOOR * in_service, np.finfo(float).tiny)
    half, everything = segments[: len(segments) // 2], segments
    first, last = (max(float(one.mean()) - in_service, least) for one in (half, everything))
    return math.log2(last / first)


def critical_growth(before: float) -> float:
    """`growth` of a queue that grows with the square root of time."""

    def area(end: float) -> float:
        return float((end**1.5 - before**1.5) / (end - before))

    return math.log2(area(1.0) / area((1 + before) / 2))


def queue_at_limit(workload: Workload, arrivals: int) -> float:
    """The mean number that wait in a run of a system at its limit, at the least.

    The work that waits is then a reflected Brownian motion, on average over time 2/3 sqrt(2/pi) of
    the scatter of all work that came. The fewest jobs that it can be are those with most work.
    """
    scatter = math.sqrt(arrivals * work_variation(workload)) * workload.demand
    most = float((workload.needs * workload.mean_services).max())
    return 2 / 3 * math.sqrt(2 / math.pi) * scatter / most if math.isfinite(scatter) else 0.0


def is_rising(segments: Floats) -> bool:
    """A single run has no error of its growth: its parts must be correlated with time, and the
    last quarter a multiple of the first. Sixteen independent numbers show a correlation of 0.9
    with time once in a million runs."""
    quarter = len(segments) // 4
    if segments[-quarter:].mean() < GROWTH * segments[:quarter].mean():
        return False
    return bool(np.corrcoef(np.arange(len(segments)), segments)[0, 1] > TREND)


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
    setup: "WorkloadSetup", policy: Policy, segments: Sequence[Floats], split: Split | None
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
    crowded = "" if listed else policy.saturation
    found = _around_limit(setup, policy) if crowded == "limit" else None
    if found is not None:
        return found
    seen = _by_runs(setup, segments)
    if seen == STABLE or crowded != "below":
        return Stability(seen)
    return _below_limit(setup, policy) or Stability(seen)


def _by_runs(setup: "WorkloadSetup", segments: Sequence[Floats]) -> str:
    rate, warmup = setup.workload.arrivals.rate, setup.options.warmup
    assert rate is not None  # a setup has decided it
    before = UNSETTLED if warmup == MSER else float(warmup) or UNSETTLED
    at_limit = queue_at_limit(setup.workload, setup.arrivals)
    return verdict_on(segments, rate * setup.workload.mean_service, before, at_limit)


def by_formula(
    workload: Workload, servers: int, load: float, policy: Policy, split: Split | None = None
) -> str | None:
    """Return STABLE or GROWING where a theorem says so, at a load below one."""
    own = helped = math.nan
    if split is not None and isinstance(workload.arrivals, Poisson):
        rates = stable_rates(workload, servers, split)
        own, helped = rates.load_by_own_servers, rates.load_by_helpers
    terms = LoadTerms(servers, workload.needs.tolist(), own, helped)
    stable_below, growing_above = policy.proven_loads(terms)
    if load < stable_below:
        return STABLE
    return GROWING if load > growing_above else None


def _around_limit(setup: "WorkloadSetup", policy: Policy) -> Stability | None:
    """Compare the load with the limit; None within the error of the limit."""
    limit = _limit(setup, policy)
    if limit is None or abs(setup.load - limit.mean) <= limit.half_width:
        return None
    if setup.load < limit.mean:
        return Stability(STABLE, limit=limit.mean)
    name = policy.spec.upper()
    why = f"load {setup.load:.4g} is beyond the stability limit of {name} here, {limit}"
    return Stability(GROWING, why)


def _below_limit(setup: "WorkloadSetup", policy: Policy) -> Stability | None:
    """Say stable, or undecided; a limit that comes out low says nothing of loads far beyond it."""
    limit = _limit(setup, policy)
    if limit is None or setup.load > limit.mean + 2 * limit.half_width:
        return None
    stable = setup.load < limit.mean - limit.half_width
    return Stability(STABLE, limit=limit.mean) if stable else Stability(UNDECIDED)


def _limit(setup: "WorkloadSetup", policy: Policy) -> Interval | None:
    """Return the limit as a load; None where a crowd of fair size hardly fills the servers."""
    crowd = min(MOST_SATURATED, max(FEWEST_SATURATED, 2 * setup.arrivals))
    fills = crowd * int(setup.workload.needs.min()) / setup.servers
    if fills < 40:
        return None
    named = _Named(type(policy), policy.spec, policy)
    return _saturation(setup.workload.classes, setup.servers, named, crowd)


@dataclass(frozen=True)
class _Named:
    """A policy that is known again by its class and spelling; it need not be registered."""

    kind: type[Policy]
    spec: str
    policy: Policy = field(compare=False)


@lru_cache(maxsize=64)
def _saturation(classes: tuple[JobClass, ...], servers: int, named: _Named, crowd: int) -> Interval:
    """Find the limit once for all loads of a workload."""
    workload = Workload(classes)
    if named.policy.in_order:
        try:
            return Interval(fcfs_capacity(workload, servers, MOST_STATES).load, 0.0, 1.0)
        except InputError:
            pass
    return saturated_load(workload, servers, named.policy, arrivals=crowd)
