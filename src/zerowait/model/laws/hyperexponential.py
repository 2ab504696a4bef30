"""The hyperexponential law: one of several exponentials, chosen at random."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from zerowait.model.choice import choose
from zerowait.model.laws.base import Law, check_mean, register
from zerowait.model.quantities import items, magnitude, probabilities, refuse


@register
@dataclass(frozen=True)
class Hyperexponential(Law):
    """With probability `probabilities[j]` exponential of mean `means[j]`."""

    name: ClassVar[str] = "hyperexponential"
    probabilities: Sequence[float]
    means: Sequence[float]

    def __post_init__(self) -> None:
        chances = probabilities("probabilities", self.probabilities)
        means = tuple(magnitude(f"means[{j}]", m) for j, m in enumerate(items("means", self.means)))
        if len(means) != len(chances):
            raise refuse("means", means, f"must have {len(chances)} entries, one per probability")
        object.__setattr__(self, "probabilities", chances)
        object.__setattr__(self, "means", means)
        check_mean(self, "means", means)

    @classmethod
    def from_mean_std(cls, mean: float, std: float) -> Self:
        """Two phases with balanced means, p_1 m_1 = p_2 m_2, the usual third condition."""
        mean = magnitude("mean", mean)
        std = magnitude("std", std)
        if std < mean:
            raise refuse("std", std, f"must be at least the mean ({mean!r}); use erlang or gamma")
        scv = (std / mean) * (std / mean)
        root = math.sqrt((scv - 1) / (scv + 1))
        rare = 1 / ((scv + 1) * (1 + root))  # = (1 - root) / 2 without cancellation
        return cls((1 - rare, rare), (mean / (2 * (1 - rare)), mean / (2 * rare)))

    @property
    def mean(self) -> float:
        return math.fsum(p * m for p, m in zip(self.probabilities, self.means, strict=True))

    @property
    def variance(self) -> float:
        mean = self.mean
        return math.fsum(
            p * (m * m + (m - mean) * (m - mean))
            for p, m in zip(self.probabilities, self.means, strict=True)
        )

    def _cdf(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        phases = -np.expm1(-x[..., np.newaxis] / np.array(self.means))
        return np.asarray(phases @ np.array(self.probabilities))

    def _survival(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        phases = np.exp(-x[..., np.newaxis] / np.array(self.means))
        return np.asarray(phases @ np.array(self.probabilities))

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        phase = choose(rng, self.probabilities, size)
        return np.array(self.means)[phase] * rng.standard_exponential(size)
