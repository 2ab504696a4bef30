"""What every law of a non-negative random time offers, the register of laws, and how values of a
law are drawn in any portions, the same whatever the portions.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, overload

import numpy as np
from numpy.typing import ArrayLike

from zerowait.model.quantities import Floats, Ints, magnitude, refuse, whole
from zerowait.model.registers import Register


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


LAWS: Register[type["Law"]] = Register("law")


class Law(ABC):
    """A distribution on [0, inf) with finite mean. Subclasses are frozen dataclasses."""

    name: ClassVar[str]

    if TYPE_CHECKING:  # at run time this property would pass for the default of a field `mean`

        @property
        @abstractmethod
        def mean(self) -> float: ...

    @property
    @abstractmethod
    def variance(self) -> float:
        """Return the variance; infinite where the second moment is."""

    @property
    def std(self) -> float:
        return math.sqrt(self.variance)

    @property
    def scv(self) -> float:
        """Return the squared coefficient of variation, variance / mean**2; zero for a constant."""
        return self.variance / self.mean / self.mean if self.variance > 0 else 0.0

    @overload
    def cdf(self, x: float) -> float: ...
    @overload
    def cdf(self, x: ArrayLike) -> Floats | float: ...
    def cdf(self, x: ArrayLike) -> Floats | float:
        """Return P(X <= x), for one number or an array of them."""
        at = np.asarray(x, dtype=np.float64)
        with np.errstate(over="ignore"):
            # Formulas below hold from zero on; nothing lies below.
            probability = np.where(at < 0, 0.0, self._cdf(np.maximum(at, 0.0)))
        return probability if at.ndim else float(probability)

    @abstractmethod
    def _cdf(self, x: Floats) -> Floats:
        """Return P(X <= x) for an array of non-negative numbers."""

    @overload
    def survival(self, x: float) -> float: ...
    @overload
    def survival(self, x: ArrayLike) -> Floats | float: ...
    def survival(self, x: ArrayLike) -> Floats | float:
        """Return P(X > x), for one number or an array of them; accurate where it is tiny, too."""
        at = np.asarray(x, dtype=np.float64)
        with np.errstate(over="ignore"):  # an exponent beyond a float is a tail of zero
            probability = np.where(at < 0, 1.0, self._survival(np.maximum(at, 0.0)))
        return probability if at.ndim else float(probability)

    def _survival(self, x: Floats) -> Floats:
        """Return P(X > x) for an array of non-negative numbers; override it to keep the digits."""
        return 1.0 - self._cdf(x)

    @property
    def breakpoints(self) -> Floats:
        """Return atoms, kinks and ends of the law, in ascending order."""
        return np.zeros(0)

    @abstractmethod
    def sample(self, rng: np.random.Generator, size: int) -> Floats:
        """Draw independent values; how many calls to `rng` they take is the law's own affair."""


def shape_of(field: str, value: object) -> float:
    """Return a parameter of shape, as far as the laws' functions can be computed with it."""
    return magnitude(field, value, least=1e-9, most=1e9)


def check_mean(law: Law, field: str, value: object) -> None:
    """Refuse parameters with which the mean is infinite, or beyond what floats compute with."""
    try:
        mean = law.mean
    except (OverflowError, ZeroDivisionError):
        mean = math.inf
    if not math.isfinite(mean):
        raise refuse(field, value, f"gives {type(law).__name__} an infinite mean; make it lighter")
    if mean > 0:
        magnitude(f"mean of {type(law).__name__}", mean)
