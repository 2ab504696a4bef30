"""Exact measures of small systems with exponential service."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from zerowait.analysis.bounds import check_poisson, chosen_split
from zerowait.analysis.chain_rules import (
    ChainRules,
    ChainSystem,
    FcfsByHead,
    NonpreemptiveRules,
    PreemptiveRules,
    decide_fcfs,
    decide_first_fit,
    decide_most_servers_first,
    decide_server_filling,
)
from zerowait.analysis.markov_chain import (
    Chain,
    Exploration,
    TooManyStatesError,
    extrapolate,
    stationary,
)
from zerowait.model import Exponential, InputError, Split, Workload
from zerowait.model.quantities import refuse, whole
from zerowait.model.workloads import as_workload

if TYPE_CHECKING:
    import polars

POOL = {"fcfs": decide_fcfs, "first-fit": decide_first_fit}
PREEMPTIVE = {
    "most-servers-first": decide_most_servers_first,
    "server-filling": decide_server_filling,
}
ALIASES = {
    "ff": "first-fit",
    "msf": "most-servers-first",
    "sf": "server-filling",
    "balanced-splitting": "bs",
    "modified-balanced-splitting": "mbs",
}
N_EXTRAPOLATED = 7  # chains: the epsilon algorithm's first three columns
MEASURES = ("response", "p_wait", "routed_to_helpers", "served_by_helpers")


@dataclass(frozen=True)
class ExactMeasures:
    """DESIGN's measures of one class or of all jobs."""

    name: str
    response: float
    p_wait: float
    routed_to_helpers: float
    served_by_helpers: float


@dataclass(frozen=True)
class ExactResult:
    """The stationary measures of a chain that loses arrivals beyond `max_jobs`.

    `lost` is the share of arrivals it loses. `truncation_error` is what longer chains would
    still change in any overall measure, estimated with a margin from shorter chains; not a
    proof. `extrapolated`: the measures are the limit that chains up to this one tend to.
    """

    policy: str
    servers: int
    overall: ExactMeasures
    classes: tuple[ExactMeasures, ...]
    utilisation: float
    in_system: float
    n_states: int
    max_jobs: int
    lost: float
    truncation_error: float
    split: Split | None = None
    extrapolated: bool = False

    @property
    def response(self) -> float:
        return self.overall.response

    @property
    def p_wait(self) -> float:
        return self.overall.p_wait

    @property
    def served_by_helpers(self) -> float:
        return self.overall.served_by_helpers

    @property
    def routed_to_helpers(self) -> float:
        return self.overall.routed_to_helpers

    def table(self) -> "polars.DataFrame":
        """Return a table with one row per class, then one for all jobs."""
        import polars

        return polars.DataFrame([vars(one) for one in (*self.classes, self.overall)])

    def as_dict(self) -> dict[str, Any]:
        """Return everything ready for JSON."""
        known = vars(self) | {
            "overall": vars(self.overall),
            "classes": [vars(one) for one in self.classes],
            "split": self.split and self.split.as_dict(),
        }
        error = self.truncation_error
        return known | {"truncation_error": error if math.isfinite(error) else None}


def solve_exactly(
    workload: Workload | str,
    servers: int,
    policy: str = "fcfs",
    *,
    split: Split | None = None,
    max_jobs: int | None = None,
    max_states: int = 100_000,
    tolerance: float = 1e-9,
) -> ExactResult:
    """Solve the Markov chain of a policy: fcfs, first-fit, msf, sf, bs:fcfs, mbs:fcfs, ...

    Poisson arrivals and exponential service. The chain is cut at `max_jobs` jobs in the system,
    by default at as many as `max_states` allow, or as `tolerance` needs; where these do not
    suffice, the measures of the longest chains are extrapolated. A given `max_jobs` is taken
    as it is.
    """
    workload = as_workload(workload, servers)
    _check(workload, servers)
    name, rules, split = _rules(policy, workload, servers, split)
    rate = workload.load(servers) * servers / workload.demand
    rates = (rate * workload.shares).tolist()
    explored = Exploration(rules, rates, max_states)

    def solved(jobs: int) -> ExactResult:
        return _measure(explored.chain(jobs), workload, servers, name, split)

    if max_jobs is not None:
        jobs = whole("max_jobs", max_jobs, least=2)
        try:
            return _compared(solved(jobs), solved(max(1, jobs - 1 - jobs // 8)))
        except TooManyStatesError:
            raise refuse(
                "max_jobs", jobs, f"makes more than {max_states} states; lower it, or raise those"
            ) from None

    # As many jobs as can be in service, and some that wait: below, nothing is worth comparing.
    jobs = servers // int(workload.needs.min()) + 2
    try:
        longest = _grow(solved, jobs, max_states, tolerance)
    except TooManyStatesError:
        raise refuse(
            "max_states", max_states, f"is too few for {jobs} jobs in the system; raise it"
        ) from None
    if max(longest.truncation_error, longest.lost) < tolerance:
        return longest
    first = max(jobs - 1, longest.max_jobs - N_EXTRAPOLATED + 1)
    chains = [solved(n) for n in range(first, longest.max_jobs)]
    limit = _limit([*chains, longest])
    return limit if limit.truncation_error < longest.truncation_error else longest


def _grow(
    solved: Callable[[int], ExactResult], jobs: int, max_states: int, tolerance: float
) -> ExactResult:
    """Solve longer and longer chains, until the tolerance is met or the states are used up."""
    result, following = solved(jobs - 1), solved(jobs)
    while True:
        growth = following.n_states / result.n_states  # from the shorter chain to this one
        room = _log_ratio(max_states, following.n_states, growth)
        more = (following.max_jobs - result.max_jobs) * min(room, 1e6)
        result = _compared(following, result)
        step = min(int(more), max(1, result.max_jobs // 3))
        if step < 1 or max(result.truncation_error, result.lost) < tolerance:
            return result
        try:
            following = solved(result.max_jobs + step)
        except TooManyStatesError:
            return result


def _limit(chains: Sequence[ExactResult]) -> ExactResult:
    """Return the last of chains whose lengths differ by one, with every measure extrapolated."""
    last = chains[-1]

    def measures(of: Callable[[ExactResult], ExactMeasures]) -> tuple[ExactMeasures, float]:
        found = {m: extrapolate([getattr(of(chain), m) for chain in chains]) for m in MEASURES}
        limits = [limit for limit, _ in found.values()]
        return ExactMeasures(of(last).name, *limits), max(error for _, error in found.values())

    overall, error = measures(lambda chain: chain.overall)
    classes = tuple(
        measures(lambda chain, i=i: chain.classes[i])[0]  # type: ignore[misc]
        for i in range(len(last.classes))
    )
    return replace(
        last,
        overall=overall,
        classes=classes,
        utilisation=extrapolate([chain.utilisation for chain in chains])[0],
        in_system=extrapolate([chain.in_system for chain in chains])[0],
        truncation_error=error,
        extrapolated=True,
    )


def _log_ratio(limit: int, n_states: int, growth: float) -> float:
    """Return how many times `growth` fits between the states there are and those allowed."""
    return math.log(limit / n_states) / math.log(growth) if growth > 1 else math.inf


def _check(workload: Workload, servers: int) -> None:
    workload.check_fits(servers)
    check_poisson(workload)
    for i, c in enumerate(workload.classes):
        if not isinstance(c.service, Exponential):
            raise refuse(
                f"service of classes[{i}]",
                type(c.service).__name__,
                "the chain needs Exponential service; simulate this workload instead",
            )


def _rules(
    policy: str, workload: Workload, servers: int, split: Split | None
) -> tuple[str, ChainRules, Split | None]:
    """Return the canonical spelling of the policy, its rules and its split."""
    if "," in policy:
        raise refuse("policy", policy, "takes no options here; slots are given as split=...")
    outer, _, inner = policy.strip().lower().replace("_", "-").partition(":")
    outer, inner = ALIASES.get(outer, outer), ALIASES.get(inner, inner) or "fcfs"
    system = ChainSystem(
        servers,
        tuple(workload.needs.tolist()),
        tuple((1 / workload.mean_services).tolist()),
        tuple(workload.shares.tolist()),
    )
    none = (0,) * len(system.needs)
    if outer == "fcfs":
        return outer, FcfsByHead(system), None
    if outer in POOL:
        return outer, NonpreemptiveRules(system, POOL[outer], none, servers, split=False), None
    if outer in PREEMPTIVE:
        return outer, PreemptiveRules(system, PREEMPTIVE[outer]), None
    if outer not in ("bs", "mbs") or inner not in POOL:
        known = ", ".join([*POOL, *PREEMPTIVE, *(f"{s}:{p}" for s in ("bs", "mbs") for p in POOL)])
        raise refuse("policy", policy, f"has no chain; known: {known}")
    split = chosen_split(workload, servers, split)
    if outer == "mbs" and 0 < split.helpers < max(split.needs):
        raise InputError(
            f"policy {policy!r}: a job of need {max(split.needs)} sent to the {split.helpers} "
            "helpers would wait for ever; leave more helpers"
        )
    decide = POOL[inner]
    refill = outer == "bs" or split.helpers == 0  # docs/decisions/0005
    rules = NonpreemptiveRules(system, decide, split.slots, split.helpers, refill=refill)
    return f"{outer}:{inner}", rules, split


def _measure(
    chain: Chain, workload: Workload, servers: int, policy: str, split: Split | None
) -> ExactResult:
    """Measure a chain: PASTA for what arrivals see, Little's law for means."""
    pi = stationary(chain.rates, chain.sizes)
    enters = np.where(chain.sizes < chain.max_jobs, pi, 0.0)
    accepted = float(enters.sum())
    rate = workload.load(servers) * servers / workload.demand * accepted
    # waits and routed are zero in the states that lose arrivals
    p_wait, routed = enters @ chain.waits / accepted, enters @ chain.routed / accepted
    present = pi @ chain.present
    response = present / (rate * workload.shares)
    served = pi @ chain.on_helpers / (rate * workload.shares * workload.mean_services)
    per_class = zip(workload.class_names, response, p_wait, routed, served, strict=True)

    def overall(values: Any) -> float:
        return math.fsum(workload.shares * values)

    return ExactResult(
        policy=policy,
        servers=servers,
        overall=ExactMeasures(
            "all", overall(response), overall(p_wait), overall(routed), overall(served)
        ),
        classes=tuple(ExactMeasures(name, *map(float, values)) for name, *values in per_class),
        utilisation=float(pi @ chain.busy) / servers,
        in_system=float(present.sum()),
        n_states=chain.n_states,
        max_jobs=chain.max_jobs,
        lost=float(pi[chain.sizes >= chain.max_jobs].sum()),
        truncation_error=math.inf,
        split=split,
    )


def _compared(longer: ExactResult, shorter: ExactResult) -> ExactResult:
    """Return the longer chain's result, with the truncation error that the shorter one reveals.

    Errors shrink like the lost share, by q from one chain to the other, so that q / (1 - q) of
    the change is still to come; ten times that is reported.
    """
    change = max(abs(getattr(longer.overall, m) - getattr(shorter.overall, m)) for m in MEASURES)
    q = longer.lost / shorter.lost if shorter.lost > 0 else 0.0
    return replace(longer, truncation_error=10 * change * q / (1 - q) if q < 1 else math.inf)
