"""Laws made of others, and of observed values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from zerowait.model.laws.base import LAWS, Law, check_mean, choose
from zerowait.model.quantities import Floats, items, magnitude, probabilities, refuse, vector


@LAWS.register
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

    def _cdf(self, x: Floats) -> Floats:
        total = np.zeros(x.shape)
        for w, law in zip(self.weights, self.laws, strict=True):
            total += w * np.asarray(law.cdf(x))
        return total

    def _survival(self, x: Floats) -> Floats:
        total = np.zeros(x.shape)
        for w, law in zip(self.weights, self.laws, strict=True):
            total += w * np.asarray(law.survival(x))
        return total

    @property
    def breakpoints(self) -> Floats:
        used = [law.breakpoints for w, law in zip(self.weights, self.laws, strict=True) if w > 0]
        return np.unique(np.concatenate(used))

    def sample(self, rng: np.random.Generator, size: int) -> Floats:
        chosen = choose(rng, self.weights, size)
        values = np.empty(size)
        for j, law in enumerate(self.laws):
            here = np.flatnonzero(chosen == j)
            values[here] = law.sample(rng, here.size)
        return values


@LAWS.register
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
        """Return two phases with balanced means, p_1 m_1 = p_2 m_2, the usual third condition."""
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

    def _cdf(self, x: Floats) -> Floats:
        phases = -np.expm1(-x[..., np.newaxis] / np.array(self.means))
        return np.asarray(phases @ np.array(self.probabilities))

    def _survival(self, x: Floats) -> Floats:
        phases = np.exp(-x[..., np.newaxis] / np.array(self.means))
        return np.asarray(phases @ np.array(self.probabilities))

    def sample(self, rng: np.random.Generator, size: int) -> Floats:
        phase = choose(rng, self.probabilities, size)
        return np.array(self.means)[phase] * rng.standard_exponential(size)


@LAWS.register
@dataclass(frozen=True, eq=False, repr=False)
class Empirical(Law):
    """Resamples `values`, each equally likely. Order is irrelevant: they are kept sorted."""

    name: ClassVar[str] = "empirical"
    values: Sequence[float] | Floats

    def __post_init__(self) -> None:
        values = np.sort(vector("values", self.values, "give the observed times"))
        values.flags.writeable = False
        object.__setattr__(self, "values", values)
        check_mean(self, "values", self.values)

    @property
    def _sorted(self) -> Floats:
        return np.asarray(self.values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Empirical):
            return NotImplemented
        return np.array_equal(self._sorted, other._sorted)

    def __hash__(self) -> int:
        # Adding zero turns -0.0 into 0.0, which is equal and must hash alike.
        return hash((self._sorted + 0.0).tobytes())

    def __repr__(self) -> str:
        if len(self.values) <= 8:
            return f"Empirical(values={self._sorted.tolist()!r})"
        return f"Empirical(<{len(self.values)} values, mean {self.mean:.6g}, std {self.std:.6g}>)"

    @cached_property
    def mean(self) -> float:
        with np.errstate(over="ignore"):
            return float(self._sorted.mean())

    @cached_property
    def variance(self) -> float:
        with np.errstate(over="ignore"):
            return float(self._sorted.var())

    def _cdf(self, x: Floats) -> Floats:
        return np.searchsorted(self._sorted, x, side="right") / len(self.values)

    @property
    def breakpoints(self) -> Floats:
        return np.unique(self._sorted)

    def sample(self, rng: np.random.Generator, size: int) -> Floats:
        return self._sorted[rng.integers(len(self.values), size=size)]
