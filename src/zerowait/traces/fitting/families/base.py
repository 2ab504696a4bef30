"""What a family of laws offers for fitting, and the register of families."""

from collections.abc import Callable
from dataclasses import dataclass

from zerowait.model import Law
from zerowait.model.registers import Register
from zerowait.traces.fitting.sample import Sample


class CannotFitError(ValueError):
    """The family has no member for this sample; the message says why."""


@dataclass(frozen=True)
class Family:
    """Two ways to a member of a family: by mean and standard deviation, or by likelihood.

    `n_parameters` counts what is fitted, for AIC; None: as many as there are values. A family
    that is not `usual` is tried only where it is asked for by name.
    """

    name: str
    n_parameters: int | None
    by_moments: Callable[[Sample], Law]
    by_likelihood: Callable[[Sample], Law]
    usual: bool = True


FAMILIES: Register[Family] = Register("family")


def register(family: Family) -> Family:
    """Make a family known to `trace fit`."""
    return FAMILIES.add(family.name, family)


def spread(sample: Sample) -> float:
    """The squared coefficient of variation, which must not be zero."""
    if not sample.std > 0:
        raise CannotFitError("all values are the same")
    return (sample.std / sample.mean) ** 2
