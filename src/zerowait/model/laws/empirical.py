"""The law of a value picked at random from a list."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from zerowait.model.laws.base import Law, check_mean, register
from zerowait.model.quantities import vector


@register
@dataclass(frozen=True, eq=False, repr=False)
class Empirical(Law):
    """Resamples `values`, each equally likely. Order is irrelevant: they are kept sorted."""

    name: ClassVar[str] = "empirical"
    values: Sequence[float] | NDArray[np.float64]

    def __post_init__(self) -> None:
        values = np.sort(vector("values", self.values, "give the observed times"))
        values.flags.writeable = False
        object.__setattr__(self, "values", values)
        check_mean(self, "values", self.values)

    @property
    def _sorted(self) -> NDArray[np.float64]:
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

    def _cdf(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.searchsorted(self._sorted, x, side="right") / len(self.values)

    @property
    def breakpoints(self) -> NDArray[np.float64]:
        return np.unique(self._sorted)

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        return self._sorted[rng.integers(len(self.values), size=size)]
