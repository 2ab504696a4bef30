"""The search: many candidates on short runs, the better ones on long runs, the best ones bred.

Screening spreads points evenly (Halton) over every arm. The best quarter, and the best of every
arm, get long runs. Then differential evolution (Storn and Price, 1997; scipy's) goes on from there
in the best arms, fewer of them each round; what it breeds must first do well on the short runs.
Everything depends on the seed alone, whatever the workers and their order.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from zerowait.engine.arrays import Floats
from zerowait.experiment.optimisation.candidate import Candidate
from zerowait.experiment.optimisation.evaluations import Evaluator
from zerowait.experiment.optimisation.expressions import Values
from zerowait.experiment.optimisation.problem import HOPELESS, Judgement, Problem, merit
from zerowait.experiment.optimisation.samples import Sample
from zerowait.experiment.optimisation.space import Arm, GroundOf

SCREENED = 0.4  # of the evaluations
KEPT = 0.25  # of what was screened
ROUNDS = (3, 2, 1)  # arms in each
DROPPED = 1e9  # merit of what did not do well on short runs: beyond all that was run
FINALISTS = 8  # of the long runs
PER_AXIS, FEWEST, MOST = 5, 8, 24  # size of a population


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
    """Samples of short and of long runs."""

    short: Sequence[Sample]
    long: Sequence[Sample]


@dataclass(frozen=True)
class Best:
    """What a search tells while it runs."""

    tried: int
    evaluations: int
    trial: Trial | None


Listener = Callable[[Best], None]


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
    listener: Listener | None = None
    trials: dict[str, Trial] = field(default_factory=dict)  # by spelling
    references: dict[int, Mapping[str, Sequence[Values]]] = field(default_factory=dict)

    def run(
        self, given: Sequence[Candidate] = (), directions: Sequence[Sequence[float]] = ((1.0,),)
    ) -> list[Trial]:
        """Trials with long runs, best first by the first direction (weights of objectives)."""
        self._lengthen(self._try([(-1, (), one) for one in given]))
        self._screen(directions)
        for number, weights in enumerate(directions):
            self._breed(weights, len(directions) - number)
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
            best = sorted(tried, key=lambda one: merit(one.short, weights))
            kept |= {one.candidate.spelling: one for one in best[: round(KEPT * len(best)) + 1]}
            for number in range(len(self.arms)):
                own = [one for one in best if one.arm == number]
                kept |= {one.candidate.spelling: one for one in own[:1]}
        self._lengthen(kept.values())

    def _breed(self, weights: Sequence[float], directions_left: int) -> None:
        """Rounds of evolution in the arms that are best by now."""
        budget = (self.evaluations - len(self.trials)) // directions_left
        end = len(self.trials) + budget
        for rounds_left, n_arms in zip(range(len(ROUNDS), 0, -1), ROUNDS, strict=True):
            arms = self._best_arms(weights)[:n_arms]
            for left, arm in zip(range(len(arms), 0, -1), arms, strict=True):
                allowed = (end - len(self.trials)) // (rounds_left * left)
                self._evolve(arm, weights, allowed)

    def _best_arms(self, weights: Sequence[float]) -> list[int]:
        found = [one for one in self.trials.values() if one.long and one.arm >= 0 and one.point]
        found.sort(key=lambda one: long_merit(one, weights))
        return list(dict.fromkeys(one.arm for one in found))

    def _evolve(self, number: int, weights: Sequence[float], allowed: int) -> None:
        from scipy.optimize import differential_evolution

        arm = self.arms[number]
        size = min(max(PER_AXIS * arm.n_axes, FEWEST), MOST)
        generations = allowed // size
        if generations == 0:
            return
        population = self._population(number, weights, size)
        end = len(self.trials) + allowed

        def energies(_: object, points: Iterable[Floats]) -> list[float]:
            return self._energies(number, weights, [*points], end)

        differential_evolution(
            lambda point: 0.0,
            [(0.0, 1.0)] * arm.n_axes,
            init=population,
            maxiter=generations,
            seed=self.seed + len(self.trials),
            workers=energies,
            updating="deferred",
            polish=False,
            tol=0.0,
        )

    def _population(self, number: int, weights: Sequence[float], size: int) -> Floats:
        """The best points of an arm so far; new ones where there are too few."""
        from scipy.stats.qmc import Halton

        own = [one for one in self.trials.values() if one.arm == number]
        own.sort(key=lambda one: (one.long is None, trial_merit(one, weights)))
        points = [one.point for one in own[:size]]
        more = Halton(self.arms[number].n_axes, seed=self.seed + 1).random(size - len(points))
        return np.array([*points, *(tuple(one) for one in more)])

    def _energies(
        self, number: int, weights: Sequence[float], points: Sequence[Floats], end: int
    ) -> list[float]:
        """Merits of a generation; what does badly on short runs is dropped there."""
        placed = [self._placed(number, point) for point in points]
        bar = self._bar(number, weights, len(points))
        tried = self._try(placed[: max(end - len(self.trials), 0)])
        self._lengthen([one for one in tried if merit(one.short, weights) <= bar])
        merits = []
        for _, _, candidate in placed:
            one = self.trials.get(candidate.spelling)
            merits.append(HOPELESS if one is None else trial_merit(one, weights))
        return merits

    def _bar(self, number: int, weights: Sequence[float], size: int) -> float:
        """The worst short run of the best so far: whoever is above it has no place among them."""
        own = [one for one in self.trials.values() if one.arm == number and one.long]
        own.sort(key=lambda one: long_merit(one, weights))
        return max((merit(one.short, weights) for one in own[:size]), default=HOPELESS)

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
        if self.listener is not None:
            found = [one for one in self.trials.values() if one.long is not None]
            best = min(found, key=long_merit, default=None)
            self.listener(Best(len(self.trials) + more, self.evaluations, best))


Placed = tuple[int, tuple[float, ...], Candidate]


def best_on(
    problem: Problem, evaluator: Evaluator, trials: Sequence[Trial], samples: Sequence[Sample]
) -> Trial:
    """The best of the first few trials on samples that the search did not see, or not alone."""
    finalists = trials[:FINALISTS]
    known = {name: evaluator.required(one, samples) for name, one in problem.references.items()}
    found = evaluator([one.candidate for one in finalists], samples)
    weights = (1.0,) * len(problem.objectives)
    merits = [merit(problem.judge(values, known), weights) for values in found]
    return finalists[min(range(len(merits)), key=merits.__getitem__)]


def long_merit(trial: Trial, weights: Sequence[float] = (1.0,)) -> float:
    """By the long runs; several objectives without weights count alike."""
    assert trial.long is not None
    if len(trial.long.objectives) != len(weights):
        weights = (1.0,) * len(trial.long.objectives)
    return merit(trial.long, weights)


def trial_merit(trial: Trial, weights: Sequence[float]) -> float:
    if trial.long is None:
        return DROPPED + merit(trial.short, weights)
    return long_merit(trial, weights)
