"""A random choice among laws."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from zerowait.model.choice import choose
from zerowait.model.laws.base import Law, check_mean, register
from zerowait.model.quantities import items, probabilities, refuse


@register
@dataclass(frozen=True)
class Mixture(Law):
    """With probability `weights[j]` a value of `laws[j]`."""

    name: ClassVar[str] = "mixture"
    weights: Sequence[float]
    laws: Sequence[Law]

    def __post_init__(self) -> None:
        weights = probabilities("weights", self.weights)
        laws = items("laws", self.laws)
        for j, law in enumerate(laws):
            if not isinstance(law, Law):
                raise refuse(f"laws[{j}]", law, "must be a law, e.g. Exponential(mean=1.0)")
        if len(laws) != len(weights):
            raise refuse("laws", laws, f"must have {len(weights)} entries, one per weight")
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "laws", tuple(laws))
        check_mean(self, "laws", laws)

    @property
    def mean(self) -> float:
        return math.fsum(w * law.mean for w, law in zip(self.weights, self.laws, strict=True))

    @property
    def variance(self) -> float:
        mean = self.mean
        return math.fsum(
            w * (law.variance + (law.mean - mean) * (law.mean - mean))
            for w, law in zip(self.weights, self.laws, strict=True)
            if w > 0  # 0 x inf is no contribution
        )

    def _cdf(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        total = np.zeros(x.shape)
        for w, law in zip(self.weights, self.laws, strict=True):
            total += w * np.asarray(law.cdf(x))
        return total

    def _survival(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        total = np.zeros(x.shape)
        for w, law in zip(self.weights, self.laws, strict=True):
            total += w * np.asarray(law.survival(x))
        return total

    @property
    def breakpoints(self) -> NDArray[np.float64]:
        used = [law.breakpoints for w, law in zip(self.weights, self.laws, strict=True) if w > 0]
        return np.unique(np.concatenate(used))

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        chosen = choose(rng, self.weights, size)
        values = np.empty(size)
        for j, law in enumerate(self.laws):
            here = np.flatnonzero(chosen == j)
            values[here] = law.sample(rng, here.size)
        return values
