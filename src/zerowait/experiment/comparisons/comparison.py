"""What several policies on the same jobs say of their differences, and which are beyond chance."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from zerowait.experiment.checks import MeasureName
from zerowait.experiment.measures import MEASURES, QUANTILES, measure_of
from zerowait.experiment.results.result import ClassKey, Result
from zerowait.experiment.results.single_jobs import JobGroup, LongestWait, RecordedWaits
from zerowait.experiment.statistics.intervals import Difference, Interval
from zerowait.experiment.statistics.paired import Paired
from zerowait.experiment.statistics.samples import Estimate
from zerowait.model import InputError
from zerowait.model.display import Drawable, json_ready
from zerowait.model.quantities import Floats, refuse
from zerowait.policies import Policy, parse_policy

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class Pair:
    """Two policies: the one with the smaller mean, the other, and Holm's adjusted p-value."""

    lower: str
    higher: str
    p_value: float
    significant: bool


@dataclass(frozen=True)
class Rank:
    """A policy in its place by the mean."""

    policy: str
    mean: float
    best: bool  # not significantly worse than the one with the best mean
    worse_than: tuple[str, ...]  # policies that are significantly better


@dataclass(frozen=True)
class Ranking:
    """Policies by their means, best first. Those that diverge are not ranked."""

    measure: str
    level: float
    ranks: tuple[Rank, ...]
    pairs: tuple[Pair, ...]
    diverging: tuple[str, ...]

    def is_best(self, policy: str) -> bool:
        return any(one.best for one in self.ranks if one.policy == policy)


def holm(p_values: Sequence[float]) -> Floats:
    """Adjusted p-values: below a, and the pair is significant at the family's level 1 - a.

    Holm, Scandinavian Journal of Statistics 6 (1979): each is multiplied by the number of those
    not smaller, and none is below the one before it.
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def rank(
    measure: str,
    level: float,
    means: dict[str, float],
    p_values: dict[tuple[str, str], float],
    *,
    diverging: Sequence[str],
    higher_is_better: bool = False,
) -> Ranking:
    """Holm over all pairs; a p-value that is not known (NaN) says nothing."""
    adjusted = dict(
        zip(p_values, holm([1.0 if p != p else p for p in p_values.values()]), strict=True)
    )
    pairs = []
    for (a, b), p in adjusted.items():
        lower, higher = (a, b) if means[a] <= means[b] else (b, a)
        pairs.append(Pair(lower, higher, float(p), bool(p < 1 - level)))
    order = sorted(means, key=lambda name: -means[name] if higher_is_better else means[name])

    def better(policy: str) -> tuple[str, ...]:
        if higher_is_better:
            return tuple(p.higher for p in pairs if p.significant and p.lower == policy)
        return tuple(p.lower for p in pairs if p.significant and p.higher == policy)

    known = any(p == p for p in p_values.values())
    ranks = tuple(
        Rank(name, means[name], known and order[0] not in better(name), better(name))
        for name in order
    )
    return Ranking(measure, level, ranks, tuple(pairs), tuple(diverging))


AnyPolicy = str | Policy | type[Policy]


def contenders(
    policies: Sequence[AnyPolicy], baseline: str | None = None
) -> tuple[list[Policy], int]:
    """Read each policy, once, and find the baseline: the first unless another is named."""
    if isinstance(policies, str) or len(policies) == 0:
        raise InputError(f"policies = {policies!r}: give a list of policies, the baseline first")
    chosen = [parse_policy(policy) for policy in policies]
    names = [policy.spec for policy in chosen]
    doubled = next((name for name in names if names.count(name) > 1), None)
    if doubled is not None:
        raise refuse("policies", doubled, "is given twice; leave one out")
    if baseline is None:
        return chosen, 0
    return chosen, policy_number(baseline, names, "baseline")


def policy_number(name: str, names: Sequence[str], argument: str = "policy") -> int:
    """The place of a policy among those compared, however it is spelled."""
    if name not in names:
        name = parse_policy(name).spec
    if name not in names:
        raise refuse(argument, name, f"must be one of {', '.join(names)}")
    return names.index(name)


PolicyKey = Result | int | str  # a policy by its result, its number, or its name


@dataclass(frozen=True)
class Change:
    """What a policy does to a group of jobs, against the baseline."""

    policy: str
    group: JobGroup
    mean: float
    difference: Difference
    p_value: float  # Holm's, over all groups of this kind and all policies

    def verdict(self, level: float) -> str:
        if not self.p_value < 1 - level:
            return ""
        return "wins" if self.difference.mean < 0 else "loses"


@dataclass(frozen=True, repr=False)
class Comparison(Drawable):
    """One result per policy, on the same jobs, and what that says of their differences.

    Means of a workload are estimates of the comparison: the warm-up is that of the slowest policy
    to settle in each replication, and controls are used where they help. Errors of a log are those
    of its weeks. Every difference comes with the interval and the test of one estimate, so that the
    two never contradict each other; tests of rankings and of groups are adjusted (Holm).
    """

    results: tuple[Result, ...]  # of a log: with their jobs
    mean_services: tuple[float, ...]  # the response where nobody waits: by class, then of all
    baseline: int  # number of the policy that others are compared with
    measure: str
    level: float
    paired: Paired
    in_seconds: bool = False
    groups: tuple[JobGroup, ...] = ()  # of a log's jobs, by need and by estimate
    paired_groups: Paired | None = None  # a row per group
    recorded: RecordedWaits | None = None  # by the log

    def __repr__(self) -> str:
        told = ", ".join(
            f"{one.policy} {'diverging' if one.diverging else self.interval(one)}"
            for one in self.results
        )
        return f"<Comparison by {self.measure} on {self.results[0].servers} servers: {told}>"

    @property
    def mean_service(self) -> float:
        """The mean response where nobody waits."""
        return self.mean_services[-1]

    @property
    def n_groups(self) -> int:
        """How many groups of jobs intervals are made from: replications, batches or weeks; none
        where there are too few."""
        found = next((one for one in self.paired.groups if one is not None), None)
        return found.n_groups if found is not None and found.n_groups >= found.fewest else 0

    def interval(
        self,
        policy: PolicyKey,
        measure: str | None = None,
        job_class: ClassKey = None,
        level: float | None = None,
    ) -> Interval:
        """Return the mean of a policy."""
        measure, level = measure or self.measure, level or self.level
        result = self.results[self._number(policy)]
        if result.diverging or not self._is_paired(measure):
            return result.interval(measure, level, job_class)
        found = self._estimate(policy, measure, job_class).interval(level)
        # Sums over weeks differ from those over all jobs by rounding.
        return replace(found, mean=result.mean(measure, job_class)) if self.paired.whole else found

    def difference(
        self,
        policy: PolicyKey,
        measure: str | None = None,
        job_class: ClassKey = None,
        level: float | None = None,
        group: JobGroup | None = None,
    ) -> Difference:
        """Return `policy - baseline`: the jobs are the same, so that much of the noise cancels."""
        own, base = self._pair(policy, measure, job_class, group)
        return (own - base).tested(level or self.level)

    def ratio(
        self,
        policy: PolicyKey,
        measure: str | None = None,
        job_class: ClassKey = None,
        level: float | None = None,
    ) -> Difference:
        """Return `policy / baseline`; the interval is that of the linearised ratio."""
        own, base = self._pair(policy, measure, job_class)
        return (own / base).tested(level or self.level, equal=1.0)

    def ratio_to_ideal(
        self, policy: PolicyKey, job_class: ClassKey = None, level: float | None = None
    ) -> Interval:
        """Return mean response by mean service time, the response where nobody waits."""
        ideal = self.mean_services[self.results[0].row(job_class)]
        return (
            self._estimate(policy, "response", job_class)
            .scaled(1 / ideal)
            .interval(level or self.level)
        )

    def ranking(self, measure: str | None = None, job_class: ClassKey = None) -> Ranking:
        """Rank by the mean, with Holm's test over all pairs of policies that do not diverge."""
        measure = measure or self.measure
        ranked = {
            one.policy: self._estimate(one, measure, job_class)
            for one in self.results
            if not one.diverging
        }
        return rank(
            measure,
            self.level,
            {name: one.mean for name, one in ranked.items()},
            {(a, b): (ranked[a] - ranked[b]).p_value for a, b in combinations(ranked, 2)},
            diverging=[one.policy for one in self.results if one.diverging],
            higher_is_better=_is_high_better(measure),
        )

    def changes(self, kind: str) -> list[Change]:
        """Return what each policy but the baseline does to the groups of a kind."""
        groups = [one for one in self.groups if one.kind == kind]
        cells = [
            (result.policy, one, self.difference(number, group=one))
            for number, result in enumerate(self.results)
            if number != self.baseline
            for one in groups
        ]
        p_values = [1.0 if math.isnan(one.p_value) else one.p_value for *_, one in cells]
        return [
            Change(policy, one, self.mean_of(policy, one), found, float(p))
            for (policy, one, found), p in zip(cells, holm(p_values), strict=True)
        ]

    def mean_of(self, policy: PolicyKey, group: JobGroup) -> float:
        """Return the mean of the measure compared over one group."""
        return self._pair(policy, None, None, group)[0].mean

    def longest(self, policy: PolicyKey) -> LongestWait:
        """Return the longest wait of a log's jobs under a policy, and whose it was."""
        found = self.results[self._number(policy)].longest
        assert found is not None  # replays of a comparison have their jobs
        return found

    def jobs(self) -> "polars.DataFrame":
        """Return all jobs of a log under all policies, which a first column tells apart."""
        import polars

        frames = [
            one.jobs.select(polars.lit(one.policy).alias("policy"), polars.all())
            for one in self.results
            if one.jobs is not None
        ]
        return polars.concat(frames)

    def uses_controls(self, measure: str | None = None) -> bool:
        """Say whether controls help with a measure, so that they are used."""
        return self.paired.helpful(measure or self.measure)

    def table(self) -> "polars.DataFrame":
        """Return one row per policy for all jobs, one per policy and class, and one as recorded."""
        import polars

        names = [None, *(one.name for one in self.results[0].classes)]
        rows = [self._row(number, name) for name in names for number in range(len(self.results))]
        if self.recorded is not None:
            rows.append(self._recorded_row(self.recorded))
        return polars.DataFrame([json_ready(row) for row in rows], infer_schema_length=None)

    def as_dict(self) -> dict[str, Any]:
        """Everything but the single jobs, ready for JSON."""
        rows = self.table().to_dicts()
        n = len(self.results)
        last = len(rows) - (self.recorded is not None)
        everything: dict[str, Any] = {
            "mean_service": self.mean_services[-1],
            "baseline": self.results[self.baseline].policy,
            "measure": self.measure,
            "level": self.level,
            "controls": self.uses_controls(),
            "rows": rows[:n] + rows[last:],
            "class_rows": rows[n:last],
            "ranking": asdict(self.ranking()),
            "results": [result.as_dict() for result in self.results],
        }
        if self.groups:
            everything["weeks"] = self.n_groups or None
            everything["groups"] = [self._change_dict(one) for one in self._all_changes()]
            everything["recorded"] = self.recorded and asdict(self.recorded)
        found: dict[str, Any] = json_ready(everything)
        return found

    def _all_changes(self) -> list[Change]:
        return [one for kind in ("need", "estimate") for one in self.changes(kind)]

    def _change_dict(self, one: Change) -> dict[str, Any]:
        return {
            "kind": one.group.kind, "group": one.group.name, "jobs": one.group.jobs,
            "work": one.group.work, "policy": one.policy, self.measure: one.mean,
            "difference": asdict(one.difference), "p_value": one.p_value,
            "verdict": one.verdict(self.level),
        }  # fmt: skip

    def _row(self, number: int, job_class: str | None) -> dict[str, Any]:
        result = self.results[number]
        parts = {
            self.measure: self.interval(number, job_class=job_class),
            "response": self.interval(number, "response", job_class),
            "response_to_ideal": self.ratio_to_ideal(number, job_class),
            "difference": self.difference(number, job_class=job_class),
            "ratio": self.ratio(number, job_class=job_class),
            "wait": self.interval(number, "wait", job_class),
            "p_wait": self.interval(number, "p_wait", job_class),
            "utilisation": self.interval(number, "utilisation", job_class),
        }
        row: dict[str, Any] = {
            "policy": result.policy,
            "job_class": job_class,
            "diverging": result.diverging,
        }
        for name, found in parts.items():
            row |= {name: found.mean, f"{name}_half_width": found.half_width}
        row["difference_p_value"] = parts["difference"].p_value  # type: ignore[attr-defined]
        shown = [name for name, one in MEASURES.items() if one.only == "splits"]
        row |= {"wait_p99": result.mean("wait_p99", job_class)}
        row |= {name: result.mean(name, job_class) if result.split else None for name in shown}
        return row | (self._log_row(number, job_class) if self.groups else {})

    def _log_row(self, number: int, job_class: str | None) -> dict[str, Any]:
        """Return what single jobs of a log say besides."""
        result = self.results[number]
        columns = (*(f"wait_{key}" for key in QUANTILES if key != "p999"), "bounded_slowdown")
        row: dict[str, Any] = {name: result.mean(name, job_class) for name in columns}
        if job_class is not None:
            return row
        longest = self.longest(number)
        row |= {"wait_max": longest.wait, "longest_job": longest.job}
        if self.recorded is not None:
            one = self.recorded.matches[number]
            row |= {"recorded_error": one.error, "recorded_correlation": one.correlation,
                    "recorded_match": one.grade}  # fmt: skip
        return row

    def _recorded_row(self, recorded: RecordedWaits) -> dict[str, Any]:
        return {
            "policy": "as recorded",
            "wait": recorded.wait,
            **{f"wait_{key}": value for key, value in recorded.quantiles.items()},
            "wait_max": recorded.longest,
            "bounded_slowdown": recorded.bounded_slowdown,
        }

    def _number(self, policy: PolicyKey) -> int:
        if isinstance(policy, int):
            return policy
        name = policy if isinstance(policy, str) else policy.policy
        return policy_number(name, [one.policy for one in self.results])

    def _is_paired(self, measure: str) -> bool:
        """Say whether a measure is paired: of a log only what single jobs have is."""
        found = next((one for one in self.paired.groups if one is not None), None)
        return not self.paired.whole or (found is not None and measure in found.names)

    def _estimate(self, policy: PolicyKey, measure: str | None, job_class: ClassKey) -> Estimate:
        measure = MeasureName(self.in_seconds)("measure", measure or self.measure)
        row = self.results[0].row(job_class)
        return self.paired.estimate(self._number(policy), measure, row)

    def _pair(
        self,
        policy: PolicyKey,
        measure: str | None,
        job_class: ClassKey,
        group: JobGroup | None = None,
    ) -> tuple[Estimate, Estimate]:
        if group is None:
            own = self._estimate(policy, measure, job_class)
            return own, self._estimate(self.baseline, measure, job_class)
        assert self.paired_groups is not None  # of which the group is
        row, measure = self.groups.index(group), measure or self.measure
        numbers = (self._number(policy), self.baseline)
        own, base = (self.paired_groups.estimate(one, measure, row) for one in numbers)
        return own, base


def _is_high_better(column: str) -> bool:
    measure = measure_of(column)
    return measure is not None and measure.better == "high"


LogComparison = Comparison  # what comparisons of logs were called when they were of another class
