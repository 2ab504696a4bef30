"""What a search returns."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from zerowait.experiment.optimisation.candidate import Candidate
from zerowait.experiment.optimisation.problem import Problem
from zerowait.experiment.optimisation.scoring import Score
from zerowait.experiment.optimisation.search import Trial
from zerowait.model.display import Shown
from zerowait.model.plain import plain

if TYPE_CHECKING:
    import polars


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
        everything: dict[str, Any] = plain(
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
