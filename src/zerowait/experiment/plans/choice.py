"""The choice: searched on one half of the log, scored on the other, both ways round."""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import numpy as np

from zerowait.experiment.comparisons.comparison import holm
from zerowait.experiment.optimisation.evaluations import Book, Evaluator, JobTimes, run_jobs
from zerowait.experiment.optimisation.problem import Problem, parse_constraint, parse_objective
from zerowait.experiment.optimisation.samples import LogJobs, Mask, Sample
from zerowait.experiment.optimisation.scoring import Score, WeekRuns, Weeks, scores
from zerowait.experiment.optimisation.search import (
    Listener,
    Search,
    Trial,
    best_on,
    log_stages,
    long_merit,
)
from zerowait.experiment.optimisation.space import (
    Arm,
    Axis,
    Candidate,
    Cut,
    Ground,
    Narrowing,
    arms_of,
)
from zerowait.experiment.options import PlanOptions
from zerowait.policies import parse_policy

MOST = 0.5  # of the servers: the largest job that leaves room for servers of anybody's own


def can_split(known: LogJobs, servers: int) -> str:
    """Why the servers cannot be split; empty where they can.

    Helpers must be able to run the largest job, and be there besides all own servers.
    """
    need = known.drawn.need
    largest = int(need.max())
    if largest <= MOST * servers:
        return ""
    n = int((need > MOST * servers).sum())
    return (
        f"{n:,} jobs need more than half of the {servers} servers, up to {largest}: the helpers "
        "of a split must be able to run them, which leaves too few for anybody's own"
    )


@dataclass(frozen=True)
class SplitSearch:
    """Splits of two bins of needs, each cut by estimate, around an order that was chosen."""

    known: LogJobs
    sample: Sample
    servers: int

    @property
    def bins(self) -> tuple[int, ...]:
        """Needs that do half of the work, and the others."""
        need = self.known.drawn.need
        work = need * self.known.drawn.service
        order = np.argsort(need, kind="stable")
        half = np.searchsorted(np.cumsum(work[order]), work.sum() / 2)
        middle, largest = int(need[order][min(half, len(need) - 1)]), int(need.max())
        return (middle, largest) if middle < largest else (largest,)

    def arms(self, chosen: Candidate) -> list[Arm]:
        spelling = chosen.policy.spec.partition(",")
        family = f"bs:{spelling[0]}{spelling[1]}{spelling[2]}"
        return arms_of(family, len(self.bins), Narrowing(), cut=True)

    def ground(self, cut: Cut | None) -> Ground:
        if cut is not None:
            return self.sample.ground(self.servers, cut)
        whole = self.sample.ground(self.servers, Cut((0.0,) * len(self.bins), self.bins))
        # Cut at zero, all jobs are in the second half of their bin.
        return replace(
            whole,
            class_needs=whole.class_needs[1::2],
            class_demands=whole.class_demands[1::2],
            class_services=whole.class_services[1::2],
            need_bins=self.bins,
        )


PROTECT = (
    "longest_wait <= 1.25x {baseline}",
    "weekly_longest_wait <= 1.25x {baseline}",
    "wait[each] <= 1.25x {baseline}",
)
# Not tuned to any log: what was good on average over seven of them.
DEFAULT = "backfill,order=due,patience=10h,reserve_after=1d"
# Under these, with a reservation in the end, everybody starts; under a pure priority nobody is
# promised to, and one half of a log is no proof that it went well.
FAMILIES = ("backfill,order=arrival", "backfill,order=due,time_weight=1,by=job")
HALVES = ("first", "second")


@dataclass(frozen=True)
class Scored:
    """A candidate on one half of the log."""

    candidate: Candidate
    half: str  # that it is scored on
    tuned_on: str  # half that it was chosen on; empty: it was not tuned at all
    part: str  # of the choice, such as its order; empty: the whole
    scores: tuple[Score, ...]  # of the goal, then of the protections

    @property
    def seen(self) -> bool:
        """Was it chosen on what it is scored on?"""
        return self.tuned_on == self.half

    @property
    def goal(self) -> Score:
        return self.scores[0]

    @property
    def protections(self) -> tuple[Score, ...]:
        return self.scores[1:]

    @property
    def label(self) -> str:
        what = f"chosen on the {self.tuned_on} half" if self.tuned_on else "the default, not tuned"
        return f"{what}, {self.part} alone" if self.part else what


@dataclass(frozen=True)
class PlanChoice:
    """What was chosen on each half, what it does on the other, and what its parts do."""

    problem: Problem
    scored: tuple[Scored, ...]
    p_values: Mapping[tuple[str, str], float]  # Holm's, by tuned_on and half, of what was not seen
    tried: int
    no_split: str  # why there is none among the candidates; empty: there were some

    def whole(self, tuned_on: str) -> list[Scored]:
        """A candidate with all its parts, on the first half and on the second."""
        return [one for one in self.scored if one.tuned_on == tuned_on and not one.part]

    def unseen(self, tuned_on: str) -> list[Scored]:
        return [one for one in self.whole(tuned_on) if not one.seen]


@dataclass(frozen=True)
class Half:
    """One half of a log, and the runs of the references on it."""

    name: str
    sample: Sample
    references: Mapping[str, JobTimes]
    weeks: Weeks

    def score(self, problem: Problem, candidate: Candidate, servers: int) -> tuple[Score, ...]:
        own = run_jobs(self.sample, candidate, servers)
        return scores(problem, WeekRuns(problem, own, self.references, self.weeks))


@dataclass(frozen=True)
class Chooser:
    """Everything that a choice depends on, and where it runs."""

    known: LogJobs
    problem: Problem
    servers: int
    evaluations: int  # on each half
    seed: int
    executor: Executor
    book: Book
    listener: Listener

    def choose(self) -> PlanChoice:
        halves = [
            self._half(name, mask) for name, mask in zip(HALVES, self.known.halves(), strict=True)
        ]
        reason = can_split(self.known, self.servers)
        searches = [self._search(half, split=not reason) for half in halves]
        trials = [one for one, _ in searches]
        scored = tuple(self._scored(halves, trials))
        return PlanChoice(
            self.problem,
            scored,
            _adjusted(scored),
            sum(n for _, n in searches),
            reason,
        )

    def _half(self, name: str, mask: Mask) -> Half:
        sample = self.known.sample.part(mask)
        runs = {
            spelling: run_jobs(sample, one, self.servers)
            for spelling, one in self.problem.references.items()
        }
        return Half(name, sample, runs, Weeks(sample.drawn().arrival))

    def _search(self, half: Half, split: bool) -> tuple[Trial, int]:
        """The best of a half, and how many candidates were tried.

        Where only the baseline keeps the protections by a deviation, a smaller margin must do: the
        other half will tell.
        """
        trial, tried = self._search_with(self.problem, half, split)
        if trial.candidate.spelling != self.problem.baseline.spelling:
            return trial, tried
        bolder, more = self._search_with(replace(self.problem, margin="error"), half, split)
        return bolder, tried + more

    def _search_with(self, problem: Problem, half: Half, split: bool) -> tuple[Trial, int]:
        stages = log_stages(half.sample, problem.baseline, self.servers, self.seed)
        evaluator = Evaluator(self.servers, problem.statistics, self.executor, self.book)
        search = Search(
            problem, evaluator, orders(), lambda cut: half.sample.ground(self.servers, cut),
            stages, self.evaluations, self.seed,
            f"choosing on the {half.name} half", self.listener,
        )  # fmt: skip
        trials = search.run([problem.baseline, Candidate(parse_policy(DEFAULT))])
        tried = len(search.trials)
        if split:
            splits = SplitSearch(self.known, half.sample, self.servers)
            more = Search(
                problem, evaluator, splits.arms(trials[0].candidate), splits.ground, stages,
                self.evaluations // 2, self.seed,
                f"splitting on the {half.name} half", self.listener,
            )  # fmt: skip
            found = more.run([trials[0].candidate])
            trials = sorted([*trials, *found], key=long_merit)
            tried += len(more.trials)
        self.listener(f"choosing among the best of the {half.name} half", None)
        return best_on(problem, evaluator, trials, stages.finals), tried

    def _scored(self, halves: Sequence[Half], trials: Sequence[Trial]) -> Iterable[Scored]:
        asked = [("", "", Candidate(parse_policy(DEFAULT)))]
        for name, trial in zip(HALVES, trials, strict=True):
            asked.append((name, "", trial.candidate))
            parts = parts_of(trial.candidate, self.problem.baseline)
            asked += [(name, part, one) for part, one in parts.items()]
        self.listener("scoring where nobody had looked", None)
        for tuned_on, part, one in asked:
            for half in halves:
                found = half.score(self.problem, one, self.servers)
                yield Scored(one, half.name, tuned_on, part, found)


def orders() -> list[Arm]:
    """Orders and reservations, without a table per class, which no operator would keep up."""
    found = [arm for family in FAMILIES for arm in arms_of(family, 1, Narrowing())]
    kept = [arm for arm in found if all(axis.field != "allowance" for axis in arm.axes)]
    return [replace(arm, axes=tuple(map(_finite, arm.axes))) for arm in kept]


def _finite(axis: Axis) -> Axis:
    """Take `never` away: a job that no reservation ever helps may wait for ever."""
    return replace(axis, range=replace(axis.range, last=()))


def parts_of(candidate: Candidate, baseline: Candidate) -> dict[str, Candidate]:
    """Return the order, the reservation and the split alone, where there are several parts."""
    policy = candidate.policy.auxiliary or candidate.policy
    found = {name: Candidate(one) for name, one in policy.parts().items()}
    if candidate.cut is not None:
        found["its order and reservation"] = Candidate(policy)
        alone = replace(candidate.policy, auxiliary=baseline.policy)  # type: ignore[type-var]
        found["its split"] = Candidate(alone, candidate.cut)
    return found


def _adjusted(scored: Sequence[Scored]) -> dict[tuple[str, str], float]:
    """Holm's p-values of the goals that can lead to a change: those on unseen weeks."""
    tests = {
        (one.tuned_on, one.half): one.goal.p_value
        for one in scored
        if not one.seen and not one.part
    }
    known = [1.0 if p != p else p for p in tests.values()]
    return dict(zip(tests, (float(p) for p in holm(known)), strict=True))


def plan_problem(
    names: Sequence[str],
    baseline: str,
    goal: str = PlanOptions.goal,
    protect: Sequence[str] | None = None,
) -> Problem:
    """The goal and the operator's protections; by default no one may lose much."""
    texts = [one.format(baseline=baseline) for one in PROTECT] if protect is None else protect
    constraints = tuple(
        one for text in texts for one in parse_constraint(text, names, True, "protect")
    )
    aim = parse_objective(goal, names, True, "goal")
    return Problem(
        (aim,), constraints, tuple(names), Candidate(parse_policy(baseline)), "deviation"
    )
