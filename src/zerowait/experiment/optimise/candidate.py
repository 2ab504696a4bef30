"""A candidate of a search: a policy, and perhaps classes cut by the size of their jobs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zerowait.policies import Policy
from zerowait.policies.families.options import spell_times


@dataclass(frozen=True)
class Cut:
    """Per class the size from which on a job belongs to its second, longer half.

    The size is the estimate: on a workload the service time, which is known there.
    """

    at: tuple[float, ...]

    def classes(self, index: NDArray[np.int64], estimate: NDArray[np.float64]) -> NDArray[np.int64]:
        """Per job: class i becomes 2i (short) and 2i + 1 (long)."""
        return 2 * index + (estimate >= np.asarray(self.at)[index])

    def names(self, names: Sequence[str]) -> list[str]:
        return [f"{name}, {half}" for name in names for half in ("short", "long")]


@dataclass(frozen=True)
class Candidate:
    """What is tried."""

    policy: Policy
    cut: Cut | None = None

    @property
    def spelling(self) -> str:
        """Tells candidates apart, and says what they are."""
        if self.cut is None:
            return self.policy.spec
        return f"{self.policy.spec} with classes cut at {spell_times(self.cut.at)}"
