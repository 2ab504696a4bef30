"""Several policies on the same stream of jobs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zerowait.experiment.result import Interval, Result, mean_of, student_interval
from zerowait.experiment.simulate import Plan, plan, simulate_plan
from zerowait.model import InputError, Workload
from zerowait.policies import Policy, parse_policy

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class Comparison:
    """One result per policy; the first policy is the baseline of all differences."""

    results: tuple[Result, ...]
    mean_service: float  # the mean response where nobody waits

    def difference(self, result: Result, measure: str = "response") -> Interval:
        """Mean of `result - baseline` over replications: the stream is common, so noise cancels."""
        pairs = zip(result.replicates, self.results[0].replicates, strict=True)
        return student_interval([mean_of(a, measure) - mean_of(b, measure) for a, b in pairs], 0.95)

    def table(self) -> "polars.DataFrame":
        """One row per policy."""
        import polars

        return polars.DataFrame([self._row(result) for result in self.results])

    def as_dict(self) -> dict[str, Any]:
        return {
            "mean_service": self.mean_service,
            "baseline": self.results[0].policy,
            "rows": self.table().to_dicts(),
            "results": [result.as_dict() for result in self.results],
        }

    def _row(self, result: Result) -> dict[str, Any]:
        difference = self.difference(result)
        return {
            "policy": result.policy,
            "response": result.response,
            "response_half_width": _or_none(result.interval().half_width),
            "response_to_ideal": result.response / self.mean_service,
            "difference": difference.mean,
            "difference_half_width": _or_none(difference.half_width),
            "wait": result.wait,
            "wait_p99": result.overall.wait.p99,
            "p_wait": result.p_wait,
            "utilisation": result.utilisation,
            "routed_to_helpers": result.routed_to_helpers if result.split else None,
            "served_by_helpers": result.served_by_helpers if result.split else None,
        }


def compare(
    workload: Workload,
    servers: int,
    policies: Sequence[str | Policy | type[Policy]],
    *,
    jit: bool = True,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> Comparison:
    """Simulate each policy on common random numbers; `options` are those of `simulate`."""
    if isinstance(policies, str) or len(policies) == 0:
        raise InputError(f"policies = {policies!r}: give a list of policies, the baseline first")
    chosen = [parse_policy(policy) for policy in policies]
    planned = plan(workload, servers, **options)
    return compare_plan(planned, chosen, jit=jit, threads=threads, progress=progress)


def compare_plan(
    plan: Plan,
    policies: Sequence[Policy],
    *,
    jit: bool = True,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    results = tuple(
        simulate_plan(plan, policy, jit=jit, threads=threads, progress=progress)
        for policy in policies
    )
    return Comparison(results, plan.workload.mean_service)


def _or_none(value: float) -> float | None:
    return None if value != value else value
