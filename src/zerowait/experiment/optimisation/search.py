"""The search: many candidates on short runs, the better ones on long runs, and then guesses.

Screening spreads points evenly (Halton) over every arm. The best quarter, and the best of every
arm, get long runs. From all runs of an arm a surrogate then guesses where better ones are, a few at
a time, in the best arms, fewer of them each round; what is guessed must first do well on the short
runs. Everything depends on the seed alone, whatever the workers and their order.

Radial basis functions through the runs of an arm, one for every objective and constraint; looked at
are points around the best ones, near and far, and few of their numbers changed where
there are many (Regis and Shoemaker, INFORMS J. Computing 19, 2007; Eng. Optimization 45, 2013).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from zerowait.experiment.optimisation.evaluations import Evaluator, run_jobs
from zerowait.experiment.optimisation.problem import HOPELESS, Judgement, Problem, Values, merit
from zerowait.experiment.optimisation.samples import Sample, reordered, variants
from zerowait.experiment.optimisation.space import Arm, Candidate, GroundOf
from zerowait.model.quantities import Floats

RADII = (0.3, 0.1, 0.03, 0.01)  # of an axis, in which new points lie around the best
AROUND = 4  # best points
POOL = 400  # points for every radius, of which a few are run
MOVED = 3.0  # numbers of a point that are changed, on average
SMOOTHING = (1e-4, 1e-2)  # of long runs and of short ones: how little to rely on each
PENALTY = 10.0  # of a constraint broken by as much as its limit, in objectives
SHARES = (1e-6, 1e6)  # of the baseline's: beyond, logarithms say nothing
WIDEST = 1.0  # margins beyond are far enough from their limit to be all alike
# What counts of a point: its guess, and the rest is its distance from all that were run.
WEIGHTS = (1.0, 0.95, 0.8, 0.5)


class Surrogate:
    """What the runs of an arm let us expect of long ones."""

    def __init__(
        self, points: Floats, short: Sequence[Judgement], long: Sequence[Judgement | None]
    ) -> None:
        from scipy.interpolate import RBFInterpolator

        self.points = points
        self.n_objectives = len(short[0].objectives)
        known, run = _vectors(short), np.array([one is not None for one in long])
        found = _vectors([one for one in long if one is not None])
        # Short runs are of a busier time, say: what long ones differ by on average is added.
        known[~run] += (found - known[run]).mean(axis=0)
        known[run] = found
        self._guess = RBFInterpolator(
            points, known, smoothing=np.where(run, *SMOOTHING), kernel="cubic"
        )

    def merits(self, points: Floats, weights: Sequence[float]) -> Floats:
        """Objectives, as those that are run are judged, with a price for broken constraints."""
        found = self._guess(points)
        objectives = np.exp(found[:, : self.n_objectives]) * np.asarray(weights)
        beyond = np.maximum(found[:, self.n_objectives :], 0).sum(axis=1)
        total = objectives.max(axis=1)
        if self.n_objectives > 1:
            total = total + 0.05 * objectives.sum(axis=1)
        return np.asarray(total * (1 + PENALTY * beyond))

    def pool(self, best: Floats, rng: np.random.Generator) -> Floats:
        """Points around the best ones, at every radius."""
        n_axes = self.points.shape[1]
        found = []
        for radius in RADII:
            from_ = best[rng.integers(len(best), size=POOL)]
            moved = rng.random((POOL, n_axes)) < MOVED / n_axes
            moved[np.arange(POOL), rng.integers(n_axes, size=POOL)] = True
            steps = radius * rng.standard_normal((POOL, n_axes))
            found.append(np.clip(from_ + np.where(moved, steps, 0.0), 0.0, 1.0))
        return np.concatenate([*found, rng.random((POOL, n_axes))])

    def ranked(self, pool: Floats, weights: Sequence[float]) -> list[Floats]:
        """The points of a pool, best first, once for every way to weigh guess and distance."""
        from scipy.spatial.distance import cdist

        merits = _scaled(self.merits(pool, weights))
        near = 1 - _scaled(cdist(pool, self.points).min(axis=1))
        return [pool[np.argsort(w * merits + (1 - w) * near, kind="stable")] for w in WEIGHTS]


def _vectors(judged: Sequence[Judgement]) -> Floats:
    """Logarithms of objectives, then margins."""
    objectives = np.array([one.objectives for one in judged])
    margins = np.array([one.margins for one in judged]).reshape(len(judged), -1)
    return np.hstack([np.log(np.clip(objectives, *SHARES)), np.clip(margins, -WIDEST, WIDEST)])


def _scaled(values: Floats) -> Floats:
    """Scale values to run from 0 to 1."""
    span = np.ptp(values)
    return np.asarray((values - values.min()) / (span if span > 0 else 1.0))


FINALS_SEED = 500_000
FINAL_ORDERS = 6  # of weeks, that the best of a search are chosen by, too
SHORT = 4  # one part in so many is a short run
SCREENED = 0.4  # of the evaluations
KEPT = 0.25  # of what was screened
ROUNDS = (3, 2, 1, 1)  # arms in each
TOLERANCE = 0.1  # by which short runs may be beyond a constraint
FINALISTS, FINALS = 8, 4  # of the long runs, and how often so many, until one is allowed
ENOUGH = 3  # long runs of an arm, besides one per axis, to guess from
PER_AXIS = 60  # guesses in an arm, at most
LOOKED_AT = 200  # points of a pool; where all of them were tried, the arm is exhausted


@dataclass(frozen=True)
class Trial:
    """A candidate that was tried, and what was found: on short runs, and perhaps on long ones."""

    candidate: Candidate
    arm: int  # number of its arm; -1: it was given
    point: tuple[float, ...]
    short: Judgement
    long: Judgement | None = None


@dataclass(frozen=True)
class Stages:
    """Samples of short and of long runs, and those that the best are chosen on."""

    short: Sequence[Sample]
    long: Sequence[Sample]
    finals: Sequence[Sample] = ()


def log_stages(part: Sample, baseline: Candidate, servers: int, seed: int) -> Stages:
    """Return the samples that a search on a part of a log takes."""
    short, long = busiest_part(part, baseline, servers), variants(part, seed)
    # Orders of weeks that the search has not seen.
    finals = [*long, *reordered(part, seed + FINALS_SEED, FINAL_ORDERS)]
    return Stages([short], long, finals)


def busiest_part(sample: Sample, baseline: Candidate, servers: int) -> Sample:
    """Return the stretch, a quarter of the time, in which jobs wait most under the baseline."""
    arrival = sample.drawn().arrival
    wait = run_jobs(sample, baseline, servers).wait
    length = (arrival[-1] - arrival[0]) / SHORT
    sums = np.append(0.0, np.cumsum(wait))
    ends = np.searchsorted(arrival, arrival + length, side="right")
    begin = int(np.argmax(sums[ends] - sums[:-1]))
    return sample.part(slice(begin, int(ends[begin])))


@dataclass(frozen=True)
class Best:
    """What a search tells while it runs."""

    tried: int
    evaluations: int
    trial: Trial | None


Listener = Callable[[str, Best | None], None]  # hears what is done, and the best so far


def silent(what: str, best: Best | None) -> None:
    """Tell nobody."""


@dataclass
class Search:
    """The state of a search: all trials so far, in the order they were made."""

    problem: Problem
    evaluator: Evaluator
    arms: Sequence[Arm]
    ground_of: GroundOf
    stages: Stages
    evaluations: int  # candidates to try
    seed: int
    what: str = "searching"  # as the listener is told
    listener: Listener = silent
    trials: dict[str, Trial] = field(default_factory=dict)  # by spelling
    guessed: Counter[int] = field(default_factory=Counter)  # trials by arm, after screening
    references: dict[int, Mapping[str, Sequence[Values]]] = field(default_factory=dict)

    def run(
        self, given: Sequence[Candidate] = (), directions: Sequence[Sequence[float]] = ((1.0,),)
    ) -> list[Trial]:
        """Trials with long runs, best first by the first direction (weights of objectives)."""
        self._lengthen(self._try([(-1, (), one) for one in given]))
        self._screen(directions)
        for number, weights in enumerate(directions):
            self._refine(weights, len(directions) - number)
        found = [one for one in self.trials.values() if one.long is not None]
        return sorted(found, key=lambda one: long_merit(one, directions[0]))

    def _screen(self, directions: Sequence[Sequence[float]]) -> None:
        from scipy.stats.qmc import Halton

        sizes = [max(arm.n_axes, 0.2) for arm in self.arms]
        n = max(SCREENED * self.evaluations, len(self.arms))
        points = []
        for number, (arm, size) in enumerate(zip(self.arms, sizes, strict=True)):
            share = max(1, round(n * size / sum(sizes))) if arm.n_axes else 1
            cube = Halton(max(arm.n_axes, 1), seed=self.seed).random(share)
            points += [self._placed(number, point[: arm.n_axes]) for point in cube]
        tried = self._try(points)
        kept: dict[str, Trial] = {}
        for weights in directions:
            best = sorted(tried, key=lambda one: short_merit(one, weights))
            kept |= {one.candidate.spelling: one for one in best[: round(KEPT * len(best)) + 1]}
            for number in range(len(self.arms)):
                own = [one for one in best if one.arm == number]
                kept |= {one.candidate.spelling: one for one in own[:1]}
        self._lengthen(kept.values())

    def _refine(self, weights: Sequence[float], directions_left: int) -> None:
        """Rounds of guesses in the arms that are best by now, and have more to find."""
        budget = (self.evaluations - len(self.trials)) // directions_left
        end = len(self.trials) + budget
        for rounds_left, n_arms in zip(range(len(ROUNDS), 0, -1), ROUNDS, strict=True):
            arms = self._best_arms(weights)[:n_arms]
            for left, arm in zip(range(len(arms), 0, -1), arms, strict=True):
                allowed = min((end - len(self.trials)) // (rounds_left * left), self._left(arm))
                self._refine_arm(arm, weights, len(self.trials) + allowed)

    def _best_arms(self, weights: Sequence[float]) -> list[int]:
        found = [one for one in self.trials.values() if one.long and self._left(one.arm) > 0]
        found.sort(key=lambda one: long_merit(one, weights))
        return list(dict.fromkeys(one.arm for one in found))

    def _left(self, number: int) -> int:
        """Guesses that an arm is still worth: one number is soon known well enough."""
        return PER_AXIS * self.arms[number].n_axes - self.guessed[number] if number >= 0 else 0

    def _refine_arm(self, number: int, weights: Sequence[float], end: int) -> None:
        self._lengthen(self._of_arm(number, weights)[: self.arms[number].n_axes + ENOUGH])
        while (left := end - len(self.trials)) > 0:
            placed = self._guessed(number, weights)[:left]
            if not placed:
                return
            bar = self._bar(number, weights)
            tried = self._try(placed)
            self.guessed[number] += len(tried)
            self._lengthen([one for one in tried if short_merit(one, weights) <= bar])

    def _of_arm(self, number: int, weights: Sequence[float]) -> list[Trial]:
        """Return the trials of an arm that can run, best first, long runs before short ones."""
        own = [one for one in self.trials.values() if one.arm == number]
        own = [one for one in own if trial_merit(one, weights) < HOPELESS]
        return sorted(own, key=lambda one: (one.long is None, trial_merit(one, weights)))

    def _guessed(self, number: int, weights: Sequence[float]) -> list["Placed"]:
        """New points of an arm that may be better than the best so far."""
        own = self._of_arm(number, weights)
        if sum(one.long is not None for one in own) <= self.arms[number].n_axes:
            return []
        points = np.array([one.point for one in own])
        guess = Surrogate(points, [one.short for one in own], [one.long for one in own])
        pool = guess.pool(points[:AROUND], np.random.default_rng([self.seed, len(self.trials)]))
        placed: dict[str, Placed] = {}
        for ranked in guess.ranked(pool, weights):
            for point in ranked[:LOOKED_AT]:
                one = self._placed(number, point)
                if one[2].spelling not in self.trials and one[2].spelling not in placed:
                    placed[one[2].spelling] = one
                    break
        return list(placed.values())

    def _bar(self, number: int, weights: Sequence[float]) -> float:
        """The worst short run of the best so far: whoever is above it has no place among them."""
        own = [one for one in self._of_arm(number, weights) if one.long]
        return max((short_merit(one, weights) for one in own[:FINALISTS]), default=HOPELESS)

    def _placed(self, number: int, point: Floats) -> "Placed":
        candidate = self.arms[number].candidate(point, self.ground_of)
        return number, tuple(float(u) for u in point), candidate

    def _try(self, placed: Sequence["Placed"]) -> list[Trial]:
        """Short runs of what was not tried before."""
        fresh: dict[str, Placed] = {}
        for one in placed:
            if one[2].spelling not in self.trials:
                fresh.setdefault(one[2].spelling, one)
        candidates = [one for _, _, one in fresh.values()]
        judged = self._judge(
            candidates, self.stages.short, lambda n: self._tell(n // len(self.stages.short))
        )
        for (arm, point, candidate), judgement in zip(fresh.values(), judged, strict=True):
            self.trials[candidate.spelling] = Trial(candidate, arm, point, judgement)
        self._tell()
        return [self.trials[candidate.spelling] for _, _, candidate in placed]

    def _lengthen(self, trials: Iterable[Trial]) -> None:
        """Long runs of what has none yet."""
        waiting = {one.candidate.spelling: one for one in trials}
        short = [self.trials[name] for name in waiting if self.trials[name].long is None]
        judged = self._judge(
            [one.candidate for one in short], self.stages.long, lambda n: self._tell()
        )
        for one, judgement in zip(short, judged, strict=True):
            self.trials[one.candidate.spelling] = replace(one, long=judgement)
        self._tell()

    def _judge(
        self,
        candidates: Sequence[Candidate],
        samples: Sequence[Sample],
        done: Callable[[int], None],
    ) -> list[Judgement]:
        if not candidates:
            return []
        known = self.references.get(id(samples))
        if known is None:
            known = {
                name: self.evaluator.required(one, samples)
                for name, one in self.problem.references.items()
            }
            self.references[id(samples)] = known
        found = self.evaluator(candidates, samples, done)
        return [self.problem.judge(one, known) for one in found]

    def _tell(self, more: int = 0) -> None:
        """`more` candidates have been tried whose trials are not made yet."""
        found = [one for one in self.trials.values() if one.long is not None]
        best = min(found, key=long_merit, default=None)
        self.listener(self.what, Best(len(self.trials) + more, self.evaluations, best))


Placed = tuple[int, tuple[float, ...], Candidate]


def best_on(
    problem: Problem, evaluator: Evaluator, trials: Sequence[Trial], samples: Sequence[Sample]
) -> Trial:
    """The best of the first few trials on samples that the search did not see, or not alone.

    Where all of these break a constraint there, it is the turn of those that will keep it if they
    differ as much from their long runs as these did.
    """
    known = {name: evaluator.required(one, samples) for name, one in problem.references.items()}
    weights = (1.0,) * len(problem.objectives)
    judged: list[tuple[Trial, Judgement]] = []
    left = list(trials)
    for _ in range(FINALS):
        finalists, left = left[:FINALISTS], left[FINALISTS:]
        found = evaluator([one.candidate for one in finalists], samples)
        judged += zip(finalists, (problem.judge(one, known) for one in found), strict=True)
        if not left or any(one.feasible for _, one in judged):
            break
        shift = _shift(judged)
        left.sort(key=lambda one: merit(_shifted(one, shift), weights))
    return min(judged, key=lambda one: merit(one[1], weights))[0]


def _shift(judged: Sequence[tuple[Trial, Judgement]]) -> Floats:
    """Return by how much more constraints were broken than on long runs, on average."""
    known = [
        np.subtract(found.margins, one.long.margins)
        for one, found in judged
        if one.long is not None and len(found.margins) == len(one.long.margins)
    ]
    return np.asarray(np.nan_to_num(np.mean(known, axis=0)))


def _shifted(trial: Trial, shift: Floats) -> Judgement:
    assert trial.long is not None
    if len(trial.long.margins) != len(shift):  # it cannot run
        return trial.long
    return replace(trial.long, margins=tuple((shift + trial.long.margins).tolist()))


def long_merit(trial: Trial, weights: Sequence[float] = (1.0,)) -> float:
    """Judge by the long runs; several objectives without weights count alike."""
    assert trial.long is not None
    if len(trial.long.objectives) != len(weights):
        weights = (1.0,) * len(trial.long.objectives)
    return merit(trial.long, weights)


def short_merit(trial: Trial, weights: Sequence[float]) -> float:
    """Judge by the short runs, on which many break a constraint that they keep on long ones."""
    found = trial.short
    return merit(replace(found, margins=()) if found.excess <= TOLERANCE else found, weights)


def trial_merit(trial: Trial, weights: Sequence[float]) -> float:
    return short_merit(trial, weights) if trial.long is None else long_merit(trial, weights)
