"""Random numbers and choices served in any portions, the same whatever the portions."""

from collections.abc import Callable, Sequence

import numpy as np

from zerowait.model.quantities import Floats, Ints, refuse, whole


class Draws:
    """Serves the values of a sampler from blocks of one fixed size.

    Samplers with rejection, or with several calls to the generator, give other values
    when they are asked for 10 + 10 than when asked for 20. Here the sampler is only ever
    asked for `block` values, when the first of them is needed, so that what is served does
    not depend on how it is asked for.
    """

    def __init__(self, sample: Callable[[int], Floats], block: int = 4096) -> None:
        self._sample = sample
        self._size = whole("block", block)
        self._block: Floats = np.empty(0)
        self._served = 0  # of the present block

    def take(self, n: int) -> Floats:
        """Return the next n values, in an array of the caller's own."""
        n = whole("n", n, least=0)
        values = np.empty(n)
        filled = 0
        while filled < n:
            if self._served == len(self._block):
                self._block = self._draw()
                self._served = 0
            step = min(n - filled, len(self._block) - self._served)
            values[filled : filled + step] = self._block[self._served : self._served + step]
            filled += step
            self._served += step
        return values

    def _draw(self) -> Floats:
        block = np.asarray(self._sample(self._size), dtype=np.float64)
        if block.shape != (self._size,):
            raise refuse("shape of the sample", block.shape, f"must be ({self._size},)")
        return block


def choose(rng: np.random.Generator, weights: Sequence[float] | Floats, size: int) -> Ints:
    """Draw indices in proportion to the weights, one uniform number each."""
    table = np.cumsum(weights)
    # Divided by its own last entry the table ends in exactly 1, above every uniform number.
    return np.searchsorted(table / table[-1], rng.random(size), side="right").astype(np.int64)
