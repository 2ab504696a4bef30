"""Several policies on the jobs of one log, paired week by week, beside what the log recorded."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from zerowait.experiment.comparisons.ranking import Ranking, holm, policy_number, rank
from zerowait.experiment.measures import QUANTILES
from zerowait.experiment.options import Progress, ReplayOptions
from zerowait.experiment.replays.ready import Ready, Source, make_ready
from zerowait.experiment.replays.replay import LongestWait, Match, Replay, match, replay_ready
from zerowait.experiment.statistics.bootstrap import Blocks, Mask, PairedDifference, job_measures
from zerowait.model import Jobs
from zerowait.model.display import Drawable, json_ready
from zerowait.model.quantities import Floats, Ints, refuse
from zerowait.policies import Policy
from zerowait.traces.classes import group
from zerowait.traces.reading import Trace

if TYPE_CHECKING:
    import polars

Kind = Literal["need", "estimate"]
HOUR_S = 3600.0
# Upper ends, in seconds: what fits into a coffee break, a working day, and what does not.
LENGTHS = (
    (HOUR_S, "short (up to 1 h)"),
    (8 * HOUR_S, "medium (1 to 8 h)"),
    (np.inf, "long (over 8 h)"),
)


@dataclass(frozen=True, eq=False)
class JobGroup:
    """Jobs that have something in common."""

    kind: Kind
    name: str
    jobs: int
    work: float  # share of all work
    mask: Mask  # per counted job


def groups_of(jobs: Jobs) -> tuple[JobGroup, ...]:
    """By need, in few bins, then by what they asked for; groups without jobs are left out."""
    needs = group(jobs, "auto")
    ends = [end for end, _ in LENGTHS]
    length = np.searchsorted(ends, np.asarray(jobs.estimate))
    work = np.asarray(jobs.need) * np.asarray(jobs.service)
    return (
        *_groups("need", needs.index, needs.names, work),
        *_groups("estimate", length, [name for _, name in LENGTHS], work),
    )


def _groups(kind: Kind, index: Ints, names: list[str], work: Floats) -> Iterator[JobGroup]:
    total = float(work.sum()) or 1.0
    for number, name in enumerate(names):
        mask: Mask = index == number
        if mask.any():
            yield JobGroup(kind, name, int(mask.sum()), float(work[mask].sum()) / total, mask)


COMPARED = ("wait", "response", "slowdown", "bounded_slowdown", "p_wait")
UNKNOWN = PairedDifference(math.nan, math.nan, math.nan, math.nan)


@dataclass(frozen=True)
class RecordedWaits:
    """Waits as the log recorded them, of the counted jobs whose start it knows; in seconds."""

    jobs: int
    wait: float
    quantiles: dict[str, float]
    longest: float
    bounded_slowdown: float | None
    matches: tuple[Match, ...]  # one per policy


@dataclass(frozen=True)
class Change:
    """What a policy does to a group of jobs, against the baseline."""

    policy: str
    group: JobGroup
    mean: float
    difference: PairedDifference
    p_value: float  # Holm's, over all groups of this kind and all policies

    def verdict(self, level: float) -> str:
        if not self.p_value < 1 - level:
            return ""
        return "wins" if self.difference.mean < 0 else "loses"


@dataclass(frozen=True, repr=False)
class LogComparison(Drawable):
    """One replay per policy, of the same jobs, and what their weeks say of the differences."""

    results: tuple[Replay, ...]  # with their jobs
    baseline: int  # number of the policy that others are compared with
    measure: str
    level: float
    groups: tuple[JobGroup, ...]
    recorded: RecordedWaits | None
    blocks: Blocks | None  # weeks; None where there are too few
    values: tuple[dict[str, Floats], ...]  # per policy and measure, one entry per counted job

    def __repr__(self) -> str:
        told = ", ".join(f"{one.policy} {one.mean(self.measure):.6g}" for one in self.results)
        return f"<LogComparison by {self.measure} on {self.results[0].servers} servers: {told}>"

    def difference(
        self, policy: Replay | int | str, measure: str | None = None, group: JobGroup | None = None
    ) -> PairedDifference:
        """`policy - baseline`, with an interval over weeks that are drawn again for both."""
        measure = self.measure if measure is None else compared_measure(measure)
        number = self._number(policy)
        own, other = (self.values[one][measure] for one in (number, self.baseline))
        keep = np.ones(len(own), bool) if group is None else group.mask
        if self.blocks is None:
            return PairedDifference(float((own - other)[keep].mean()), math.nan, math.nan, math.nan)
        return self.blocks.difference(own, other, keep, self.level)

    def ranking(self, measure: str | None = None) -> Ranking:
        """By the mean, with Holm's test over all pairs of policies."""
        measure = self.measure if measure is None else compared_measure(measure)
        names = [one.policy for one in self.results]
        means = {
            name: float(values[measure].mean())
            for name, values in zip(names, self.values, strict=True)
        }
        p_values = {
            (names[a], names[b]): self._pair(a, b, measure)
            for a, b in combinations(range(len(names)), 2)
        }
        return rank(measure, self.level, means, p_values, diverging=())

    def changes(self, kind: str) -> list[Change]:
        """Groups of one kind under each policy but the baseline: who wins, and who loses."""
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

    def mean_of(self, policy: Replay | int | str, group: JobGroup) -> float:
        """The measure compared, of one group."""
        return float(self.values[self._number(policy)][self.measure][group.mask].mean())

    def table(self) -> "polars.DataFrame":
        """One row per policy, then one for what the log recorded, if it did."""
        import polars

        rows = [self._row(number) for number in range(len(self.results))]
        if self.recorded is not None:
            rows.append(self._recorded_row(self.recorded))
        return polars.DataFrame([json_ready(row) for row in rows], infer_schema_length=None)

    def as_dict(self) -> dict[str, Any]:
        """Everything but the single jobs, ready for JSON."""
        everything: dict[str, Any] = json_ready(
            {
                "baseline": self.results[self.baseline].policy,
                "measure": self.measure,
                "level": self.level,
                "weeks": None if self.blocks is None else self.blocks.n,
                "rows": self.table().to_dicts(),
                "groups": [
                    {
                        "kind": one.group.kind, "group": one.group.name, "jobs": one.group.jobs,
                        "work": one.group.work, "policy": one.policy, self.measure: one.mean,
                        "difference": asdict(one.difference), "p_value": one.p_value,
                        "verdict": one.verdict(self.level),
                    }
                    for kind in ("need", "estimate")
                    for one in self.changes(kind)
                ],
                "ranking": asdict(self.ranking()),
                "recorded": None if self.recorded is None else asdict(self.recorded),
                "results": [result.as_dict() for result in self.results],
            }
        )  # fmt: skip
        return everything

    def jobs(self) -> "polars.DataFrame":
        """All jobs under all policies, which a first column tells apart."""
        import polars

        frames = [
            one.jobs.select(polars.lit(one.policy).alias("policy"), polars.all())
            for one in self.results
            if one.jobs is not None
        ]
        return polars.concat(frames)

    def longest(self, policy: Replay | int | str) -> LongestWait:
        """The longest wait under a policy, and whose it was."""
        found = self.results[self._number(policy)].longest
        assert found is not None  # replays of a comparison have their jobs
        return found

    def _pair(self, a: int, b: int, measure: str) -> float:
        if self.blocks is None:
            return math.nan
        own, other = self.values[a][measure], self.values[b][measure]
        return self.blocks.difference(own, other, np.ones(len(own), bool), self.level).p_value

    def _row(self, number: int) -> dict[str, Any]:
        result = self.results[number]
        longest = self.longest(number)
        found = UNKNOWN if number == self.baseline else self.difference(number)
        row: dict[str, Any] = {
            "policy": result.policy,
            "wait": result.mean("wait"),
            **{f"wait_{key}": result.mean(f"wait_{key}") for key in QUANTILES if key != "p999"},
            "wait_max": longest.wait,
            "longest_job": longest.job,
            "bounded_slowdown": result.mean("bounded_slowdown"),
            "p_wait": result.mean("p_wait"),
            "utilisation": result.mean("utilisation"),
        }
        row |= {f"difference_{name}": value for name, value in asdict(found).items()}
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

    def _number(self, policy: Replay | int | str) -> int:
        if isinstance(policy, int):
            return policy
        name = policy if isinstance(policy, str) else policy.policy
        return policy_number(name, [one.policy for one in self.results])


def compared_measure(name: str) -> str:
    """Those that every single job has, so that their means can be paired."""
    if name not in COMPARED:
        raise refuse("measure", name, f"must be one of {', '.join(COMPARED)} where a log is run")
    return name


def compare_on_log(
    trace: Trace,
    servers: int | None,
    policies: Sequence[Policy],
    baseline: int,
    options: ReplayOptions,
    *,
    measure: str = "wait",
    level: float = 0.95,
    jit: bool = True,
    progress: Progress | None = None,
) -> LogComparison:
    """Replay the log under each policy, one after another."""
    measure = compared_measure(measure)
    if measure == "bounded_slowdown" and not options.bound:
        raise refuse("bound", options.bound, "leaves no bounded slowdown to compare by")
    ready = make_ready(Source.of(trace, "compare"), servers, options)
    results = tuple(
        replay_ready(ready, policy, options, True, jit, progress) for policy in policies
    )
    first, end = ready.counted
    values = tuple(
        job_measures(one.jobs[first:end], options.bound) for one in results if one.jobs is not None
    )
    counted = np.zeros(len(ready.jobs), bool)
    counted[first:end] = True
    arrival = np.asarray(ready.jobs.arrival)[first:end]
    blocks = None
    if options.resamples:
        blocks = Blocks(arrival, ready.week, resamples=options.resamples, seed=options.seed)
    return LogComparison(
        results,
        baseline,
        measure,
        level,
        groups_of(ready.jobs.select(counted)),
        _recorded(ready, [one["wait"] for one in values], options.bound),
        blocks if blocks is not None and blocks.are_enough else None,
        values,
    )


def _recorded(ready: Ready, waits: Sequence[Floats], bound: float) -> RecordedWaits | None:
    recorded = ready.recorded_waits
    if recorded is None:
        return None
    first, end = ready.counted
    recorded = recorded[first:end]
    known = np.isfinite(recorded)
    if not known.any():
        return None
    arrival = np.asarray(ready.jobs.arrival)[first:end]
    service = np.asarray(ready.jobs.service)[first:end][known]
    found = recorded[known]
    slowdown = None
    if bound > 0:
        slowdown = float(np.maximum(1.0, (found + service) / np.maximum(service, bound)).mean())
    shares = {key: share for key, share in QUANTILES.items() if key != "p999"}
    return RecordedWaits(
        jobs=int(known.sum()),
        wait=float(found.mean()),
        quantiles={key: float(np.quantile(found, share)) for key, share in shares.items()},
        longest=float(found.max()),
        bounded_slowdown=slowdown,
        matches=tuple(match(arrival, one, recorded) for one in waits),
    )
