"""Search the parameters of policies for a workload or a log, and score what is found."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zerowait._version import __version__
from zerowait.experiment.checks import Texts
from zerowait.experiment.files.workload_file import AnyWorkload
from zerowait.experiment.optimisation.evaluations import Book, Evaluator, Tick
from zerowait.experiment.optimisation.problem import Problem
from zerowait.experiment.optimisation.scoring import Score, run_unseen, scores
from zerowait.experiment.optimisation.search import Listener, Search, Trial, best_on, silent
from zerowait.experiment.optimisation.space import Candidate
from zerowait.experiment.optimisation.tasks import Task, make_task
from zerowait.experiment.options import OptimiseOptions
from zerowait.experiment.simulation.simulate import open_source
from zerowait.experiment.sweeps.executors import opened_executor
from zerowait.model.display import Shown, json_ready
from zerowait.model.quantities import Floats
from zerowait.policies import Policy
from zerowait.traces.reading import Trace

if TYPE_CHECKING:
    import polars

MOST = 12  # points of a front that are scored and shown


def undominated(points: Sequence[Sequence[float]]) -> list[int]:
    """Numbers of the points that no other is at least as good as in all, by the first objective."""
    order = sorted(range(len(points)), key=lambda at: tuple(points[at]))
    kept: list[int] = []
    for at in order:
        better = any(
            all(a <= b for a, b in zip(points[one], points[at], strict=True)) for one in kept
        )
        if not better:
            kept.append(at)
    return kept


def spread(points: Sequence[Sequence[float]], most: int = MOST) -> list[int]:
    """Numbers of at most so many points, both ends among them, evenly along a front."""
    if len(points) <= most:
        return list(range(len(points)))
    along = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(_scaled(points), axis=0), axis=1)))
    wanted = np.linspace(0, along[-1], most)
    return sorted({int(np.argmin(np.abs(along - place))) for place in wanted})


def knee(points: Sequence[Sequence[float]]) -> int | None:
    """The point farthest below the line between the two ends; None where there is no bend.

    Objectives are scaled to their span on the front (Das, Structural Optimization 18, 1999).
    """
    if len(points) < 3:
        return None
    below = 1 - _scaled(points).sum(axis=1)
    at = int(np.argmax(below))
    return at if below[at] > 0 else None


def _scaled(points: Sequence[Sequence[float]]) -> Floats:
    """Every objective from 0, its best on the front, to 1."""
    every = np.asarray(points, dtype=np.float64)
    span = np.ptp(every, axis=0)
    return np.asarray((every - every.min(axis=0)) / np.where(span > 0, span, 1.0))


@dataclass(frozen=True)
class FrontPoint:
    """A candidate that no other betters in both objectives, scored on what was not seen."""

    candidate: Candidate
    scores: tuple[Score, ...]
    knee: bool


@dataclass(frozen=True, repr=False)
class Optimisation(Shown):
    """The choice of a search, its scores on what the search never saw, and all that was tried."""

    problem: Problem
    choice: Trial
    scores: tuple[Score, ...]  # of the objectives, then of the constraints
    front: tuple[FrontPoint, ...]
    trials: tuple[Trial, ...]
    arms: tuple[str, ...]
    parameters: Mapping[str, Any]
    notes: tuple[str, ...]
    version: str
    command: str = ""

    def __repr__(self) -> str:
        best = self.objectives[0]
        told = f"{best.ratio:.3g} of the {best.text} of {self.baseline}"
        return f"<Optimisation: {self.policy} has {told}, best of {len(self.trials)} tried>"

    @property
    def policy(self) -> str:
        """The choice as it is spelled."""
        return self.choice.candidate.policy.spec

    @property
    def baseline(self) -> str:
        return self.problem.baseline.spelling

    @property
    def objectives(self) -> tuple[Score, ...]:
        return self.scores[: len(self.problem.objectives)]

    @property
    def constraints(self) -> tuple[Score, ...]:
        return self.scores[len(self.problem.objectives) :]

    @property
    def feasible(self) -> bool:
        """Did the choice keep its constraints where it was searched?"""
        return self.choice.long is not None and self.choice.long.feasible

    def with_command(self, command: str) -> "Optimisation":
        return replace(self, command=command)

    def table(self) -> "polars.DataFrame":
        """One row per candidate that was tried, in the order of the search."""
        import polars

        rows = []
        for one in self.trials:
            found = one.long or one.short
            ratios = {
                f"{text}": ratio
                for text, ratio in zip(
                    map(str, self.problem.objectives), found.objectives, strict=False
                )
            }
            rows.append(
                {
                    "candidate": one.candidate.spelling,
                    "arm": self.arms[one.arm] if one.arm >= 0 else "given",
                    "long_run": one.long is not None,
                    **ratios,
                    "excess": found.excess,
                    "feasible": found.feasible,
                }
            )
        return polars.DataFrame(rows, infer_schema_length=None)

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        cut = self.choice.candidate.cut
        everything: dict[str, Any] = json_ready(
            {
                "version": self.version,
                "command": self.command,
                "policy": self.policy,
                "cut": None if cut is None else list(cut.at),
                "baseline": self.baseline,
                "feasible": self.feasible,
                "objectives": [asdict(one) for one in self.objectives],
                "constraints": [asdict(one) for one in self.constraints],
                "front": [
                    {
                        "candidate": one.candidate.spelling,
                        "knee": one.knee,
                        "scores": [asdict(score) for score in one.scores],
                    }
                    for one in self.front
                ],
                "tried": len(self.trials),
                "long_runs": sum(one.long is not None for one in self.trials),
                "arms": list(self.arms),
                "parameters": dict(self.parameters),
                "notes": list(self.notes),
            }
        )
        return everything


# Weights of two objectives, from the one alone to the other.
DIRECTIONS = ((1.0, 0.02), (1.0, 0.3), (1.0, 1.0), (0.3, 1.0), (0.02, 1.0))


def optimise(
    what: AnyWorkload | Trace,
    servers: int | None = None,
    *,
    policies: str | Sequence[str] = "backfill",
    minimise: str | Sequence[str] | None = None,
    subject_to: str | Sequence[str] = (),
    baseline: str | Policy | None = None,
    fix: Mapping[str, str] | None = None,
    ranges: Mapping[str, str] | None = None,
    cut: bool = False,
    evaluations: int = 500,
    seed: int = 1,
    load: float | None = None,
    arrivals: int | None = None,
    replications: int | None = None,
    scored_arrivals: int | None = None,
    classes: str = "auto",
    overruns: str = "extend",
    tune_on: str = "first",
    executor: Executor | None = None,
    threads: int | None = None,
    store: str | Path | None = None,
    listener: Listener = silent,
    progress: Tick | None = None,
) -> Optimisation:
    """Find the parameters of `policies` that minimise a measure under constraints.

    What they are searched for is a workload, its name (`figure1`) or TOML file, or a log, its file,
    or `zerowait.Jobs` with times in seconds.
    `minimise` is `wait` for a workload and `bounded_slowdown` for a log unless given; two of them
    give a front. `subject_to` are constraints such as 'longest_wait <= 1.25x easy'. The baseline
    that gains are told against is the first policy that a constraint names, or `first-fit` for a
    workload and `easy` for a log. A workload is scored on streams and a log on weeks that the
    search never saw. With a `store` (a folder) evaluations are kept there as soon as they are
    known, and a search that was killed goes on from there.

    `fix` and `ranges` narrow the search (values and low:high by field, both as texts), with `cut`
    classes are cut by size as well, `evaluations` is the number of candidates. Of a workload
    `load`, `arrivals` and `replications` are those of the search, `scored_arrivals` that of the
    scoring; of a log `classes` are by need, `overruns` as in `replay`, and `tune_on` says on which
    half to search, first or second.
    """
    request = vars(OptimiseOptions.among(locals())) | {"policies": Texts()("policies", policies)}
    task = make_task(open_source(what, servers, "optimise"), servers, **request)
    return run_task(
        task, executor=executor, threads=threads, store=store, listener=listener, progress=progress
    )


def run_task(
    task: Task,
    *,
    executor: Executor | None = None,
    threads: int | None = None,
    store: str | Path | None = None,
    listener: Listener = silent,
    progress: Tick | None = None,
) -> Optimisation:
    """Search, choose and score."""
    book = Book(None if store is None else Path(store) / f"evaluations-{task.key}.jsonl")
    opened = nullcontext(executor) if executor is not None else opened_executor(threads)
    with opened as pool:
        evaluator = Evaluator(task.servers, task.problem.statistics, pool, book, progress)
        search = Search(
            task.problem, evaluator, task.arms, task.ground, task.stages, task.evaluations,
            task.seed, listener=listener,
        )  # fmt: skip
        directions = DIRECTIONS if len(task.problem.objectives) == 2 else ((1.0,),)
        trials = search.run([task.problem.baseline], directions)
        listener("choosing among the best", None)
        choice = best_on(task.problem, evaluator, trials, task.stages.finals)
        front = _front(task, evaluator, trials, listener) if len(directions) > 1 else ()
        listener("scoring where nobody had looked", None)
        found = _scores(task, evaluator, choice.candidate)
    return Optimisation(
        task.problem, choice, found, front, tuple(search.trials.values()),
        tuple(one.name for one in task.arms), dict(task.parameters), _notes(task, choice),
        __version__,
    )  # fmt: skip


def _front(
    task: Task, evaluator: Evaluator, trials: Sequence[Trial], listener: Listener
) -> tuple[FrontPoint, ...]:
    """What no other betters in both objectives, scored; with the knee marked."""
    feasible = [one for one in trials if one.long is not None and one.long.feasible]
    points = [one.long.objectives for one in feasible if one.long is not None]
    at = undominated(points)
    kept = [feasible[at[i]].candidate for i in spread([points[i] for i in at])]
    scored = []
    for number, candidate in enumerate(kept, start=1):
        listener(f"scoring the front, point {number} of {len(kept)}", None)
        scored.append((candidate, _scores(task, evaluator, candidate)))
    ratios = [[one.ratio for one in found[:2]] for _, found in scored]
    order = undominated(ratios)
    bend = knee([ratios[i] for i in order])
    return tuple(
        FrontPoint(scored[i][0], scored[i][1], number == bend) for number, i in enumerate(order)
    )


def _scores(task: Task, evaluator: Evaluator, candidate: Candidate) -> tuple[Score, ...]:
    return scores(task.problem, run_unseen(task.problem, candidate, evaluator, task.unseen))


def _notes(task: Task, choice: Trial) -> tuple[str, ...]:
    notes = list(task.notes)
    assert choice.long is not None
    if not choice.long.feasible:
        notes.append("no candidate keeps all constraints; this one is nearest to it")
    elif choice.candidate.spelling == task.problem.baseline.spelling:
        notes.append("nothing that was tried betters the baseline")
    return tuple(notes)
