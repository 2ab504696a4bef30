"""A random choice among weighted alternatives."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def choose(
    rng: np.random.Generator, weights: Sequence[float] | NDArray[np.float64], size: int
) -> NDArray[np.int64]:
    """Indices drawn in proportion to the weights, one uniform number each."""
    table = np.cumsum(weights)
    # Divided by its own last entry the table ends in exactly 1, above every uniform number.
    return np.searchsorted(table / table[-1], rng.random(size), side="right").astype(np.int64)
