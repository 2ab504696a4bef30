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

    The size is the estimate: on a workload the service time, unless its classes overestimate. The
    classes are those that jobs are counted in, or bins of needs, each given by its largest.
    """

    at: tuple[float, ...]
    needs: tuple[int, ...] = ()

    @property
    def n_classes(self) -> int:
        return 2 * len(self.at)

    def classes(
        self,
        index: NDArray[np.int64],
        need: NDArray[np.int64],
        estimate: NDArray[np.float64],
    ) -> NDArray[np.int64]:
        """Per job: class i becomes 2i (short) and 2i + 1 (long)."""
        if self.needs:
            index = np.searchsorted(self.needs, need)
        return 2 * index + (estimate >= np.asarray(self.at)[index])

    def names(self, names: Sequence[str]) -> list[str]:
        return [f"{name}, {half}" for name in names for half in ("short", "long")]

    def __str__(self) -> str:
        of = f" of needs up to {'/'.join(map(str, self.needs))}" if self.needs else ""
        return f"with classes{of} cut at {spell_times(self.at)}"


@dataclass(frozen=True)
class Candidate:
    """What is tried."""

    policy: Policy
    cut: Cut | None = None

    @property
    def spelling(self) -> str:
        """Tells candidates apart, and says what they are."""
        return self.policy.spec if self.cut is None else f"{self.policy.spec} {self.cut}"
