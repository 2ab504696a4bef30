"""The saturated system by simulation: how fast a policy works when the queue never ends.

For any service law. All jobs are there at time zero. FCFS starts them in order: the rate at which
they start, between the filling of the servers and the end of the queue, is its stability limit. Of
any policy the share of the servers that the crowd keeps busy is the limit as a load.

The test. From an empty system, let Q(T) be the work waiting (need x mean service of the jobs not
in service), averaged over the first T arrivals. A stable system has Q(T) -> constant, an unstable
one Q(T) ~ T; exactly at the limit Q behaves like a reflected Brownian motion, Q(T) ~ sqrt(T). So
the growth exponent

    b = log2(Q(T) / Q(T / 2))

tends to 0, 1/2 or 1, and at the limit its mean is 1/2 for every T by self-similarity, whatever
the variance. Independent replications give a Student interval for the mean of b: wholly below
1/2 means stable, wholly above means growing, else T is made four times as long. Around a load
that stays undecided at the longest T the search goes on to either side: the capacity lies between
the largest stable and the smallest growing load. The level of each look is such that all looks
that are allowed err with probability `error` at most, together (Bonferroni).

What it assumes: service and gaps with finite variance (else the limit's exponent is not 1/2), and
that stability depends on the load monotonically. It cannot see what takes longer than the longest
run to show, such as a second, bad equilibrium that is rarely reached.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from zerowait.engine.batches import Tally
from zerowait.engine.run import RunSettings, run
from zerowait.engine.stream import WorkloadStream
from zerowait.experiment.files.workload_file import AnyWorkload, find_workload
from zerowait.experiment.options import CapacityOptions, Progress
from zerowait.experiment.simulation.simulate import n_threads
from zerowait.experiment.simulation.stability import GROWING, STABLE, UNDECIDED, verdict
from zerowait.experiment.statistics.intervals import Interval, student_interval
from zerowait.model import Workload
from zerowait.model.quantities import refuse
from zerowait.policies import Policy, parse_policy

CRITICAL = 0.5
LONGER = 4  # times as many arrivals, where a look decides nothing
FLOOR = 1e-3  # of the work in service when all servers are busy: a smaller queue is none


@dataclass(frozen=True)
class CapacityLook:
    """One load, tested."""

    load: float
    arrivals: int  # per replication
    exponent: Interval
    verdict: str


@dataclass(frozen=True, repr=False)
class Capacity:
    """The capacity lies between `stable` and `growing`; `looks` are the tests that decided it."""

    policy: str
    servers: int
    stable: float  # the largest load found stable; 0 where none was
    growing: float  # the smallest load found growing; 1 where none was: no policy can do more
    error: float  # probability that some look was wrong, at most
    looks: tuple[CapacityLook, ...]
    parameters: dict[str, Any]

    def __repr__(self) -> str:
        where = f"of {self.policy} on {self.servers} servers"
        return f"<Capacity {where}: load {self.stable:.4g} to {self.growing:.4g}>"

    @property
    def load(self) -> float:
        """The middle of the interval."""
        return (self.stable + self.growing) / 2

    def as_dict(self) -> dict[str, Any]:
        known = asdict(self) | {"load": self.load}
        for look in known["looks"]:
            look["exponent"] = {
                key: value if math.isfinite(value) else None
                for key, value in look["exponent"].items()
            }
        return known


def capacity(
    workload: AnyWorkload,
    servers: int,
    policy: str | Policy | type[Policy] = "fcfs",
    *,
    tolerance: float = 0.01,
    error: float = 0.05,
    arrivals: int = 10_000,
    max_arrivals: int = 640_000,
    replications: int = 16,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Capacity:
    """The largest stable load of a policy, by simulation: its interval is made at most `tolerance`
    wide, not counting loads that stay undecided.

    Runs start with `arrivals` per replication, and grow up to `max_arrivals`.
    """
    options = CapacityOptions.among(locals())
    if arrivals > max_arrivals:
        raise refuse("max_arrivals", max_arrivals, f"is below arrivals = {arrivals}; raise it")
    chosen = parse_policy(policy)
    workload = find_workload(workload, servers)
    workload.check_fits(servers)
    per_load = 1 + int(math.log(max_arrivals / arrivals, LONGER) + 1e-9)
    n_loads = 2 * math.ceil(math.log2(1 / tolerance))  # each side of what is undecided
    n_looks = per_load * n_loads
    test = _Test(
        workload, servers, chosen, replications, seed, level=1 - error / n_looks,
        threads=n_threads(threads), progress=progress or (lambda n_jobs: None),
    )  # fmt: skip

    bracket = _Bracket(tolerance)
    looks: list[CapacityLook] = []
    for _ in range(n_loads):
        load = bracket.next_load()
        if load is None:
            break
        looks += test.decide(load, arrivals, max_arrivals)
        bracket = bracket.after(looks[-1])
    low, high = bracket.stable, bracket.growing
    parameters = asdict(options)
    del parameters["error"]
    return Capacity(chosen.spec, servers, low, high, error, tuple(looks), parameters)


@dataclass(frozen=True)
class _Bracket:
    """What is known: stable <= (undecided, from first to last) <= growing."""

    tolerance: float
    stable: float = 0.0
    growing: float = 1.0
    undecided: tuple[float, float] | None = None

    def next_load(self) -> float | None:
        """The middle of the wider gap that is left; None where both are narrow enough."""
        if self.undecided is None:
            wide = self.growing - self.stable > self.tolerance
            return (self.stable + self.growing) / 2 if wide else None
        below, above = self.undecided[0] - self.stable, self.growing - self.undecided[1]
        if max(below, above) <= self.tolerance / 2:
            return None
        return self.stable + below / 2 if below >= above else self.growing - above / 2

    def after(self, look: CapacityLook) -> "_Bracket":
        if look.verdict == STABLE:
            return replace(self, stable=look.load)
        if look.verdict == GROWING:
            return replace(self, growing=look.load)
        first, last = self.undecided or (look.load, look.load)
        return replace(self, undecided=(min(first, look.load), max(last, look.load)))


@dataclass(frozen=True)
class _Test:
    """Everything but the load and the length of the runs."""

    workload: Workload
    servers: int
    policy: Policy
    replications: int
    seed: int
    level: float
    threads: int
    progress: Progress

    def decide(self, load: float, arrivals: int, max_arrivals: int) -> list[CapacityLook]:
        """Look with longer and longer runs, until the verdict is clear or they may not grow."""
        looks: list[CapacityLook] = []
        while True:
            looks.append(self.look(load, arrivals))
            arrivals *= LONGER
            if looks[-1].verdict != UNDECIDED or arrivals > max_arrivals:
                return looks

    def look(self, load: float, arrivals: int) -> CapacityLook:
        loaded = self.workload.with_load(self.servers, load)
        seeds = np.random.SeedSequence([self.seed, arrivals]).spawn(self.replications)

        def exponent(seed: np.random.SeedSequence) -> float:
            # The stream is the same whatever its length: the half is the first half.
            halves = [self._waiting_work(loaded, n, seed) for n in (arrivals // 2, arrivals)]
            self.progress(arrivals + arrivals // 2)
            return math.log2(halves[1] / halves[0])

        with ThreadPoolExecutor(min(self.threads, self.replications)) as pool:
            exponents = list(pool.map(exponent, seeds))
        found = student_interval(exponents, self.level)
        return CapacityLook(load, arrivals, found, verdict(exponents, CRITICAL, self.level))

    def _waiting_work(
        self, workload: Workload, arrivals: int, seed: np.random.SeedSequence
    ) -> float:
        stream = WorkloadStream(workload, arrivals, _fresh(seed))
        tally = run(stream, self.policy, self.servers, RunSettings()).tally
        work = workload.needs * workload.mean_services
        floor = FLOOR * self.servers * workload.demand / float(workload.shares @ workload.needs)
        return floor + float(np.sum(work * _waiting(tally, workload)))


def _waiting(tally: Tally, workload: Workload) -> Any:
    """Mean number of jobs per class that are in the system, but not in service."""
    return (tally.in_system_area - tally.busy_area / workload.needs) / tally.window


def _fresh(seed: np.random.SeedSequence) -> np.random.SeedSequence:
    """The same seed as if it had never been spawned from, for a stream that spawns anew."""
    return np.random.SeedSequence(seed.entropy, spawn_key=seed.spawn_key)
