"""Floats read as the rational numbers their users meant."""

import math
from collections.abc import Sequence
from fractions import Fraction
from numbers import Rational
from typing import cast

from zerowait.model.quantities import finite

LARGEST_DENOMINATOR = 10**6
LARGEST_COMMON_DENOMINATOR = 10**30


def exact(value: float | Fraction) -> Fraction:
    """The number as it is stored."""
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    return Fraction(float(value))


def meant(value: float | Fraction) -> Fraction:
    """The simple fraction within 4 ulp of a float, or the float itself where there is none.

    0.1 is read as 1/10 and 0.05 / 3 as 1/60; whole numbers and fractions are taken as they are.
    """
    stored = exact(value)
    if isinstance(value, Rational):
        return stored
    simple = stored.limit_denominator(LARGEST_DENOMINATOR)
    return simple if abs(simple - stored) <= 4 * Fraction(math.ulp(float(value))) else stored


def proportional_integers(
    readings: Sequence[Fraction], fallback: Sequence[Fraction] | None = None
) -> list[int]:
    """Integers in the same proportions as the readings.

    Many unrelated denominators multiply up to huge integers; past 10**30 the fallback (the
    stored, dyadic values, whose denominators divide one another) is used for all.
    """
    common = math.lcm(*(r.denominator for r in readings))
    if fallback is not None and common > LARGEST_COMMON_DENOMINATOR:
        return proportional_integers(fallback)
    integers = [r.numerator * (common // r.denominator) for r in readings]
    divisor = math.gcd(*integers) or 1
    return [i // divisor for i in integers]


def rational(field: str, value: object) -> Fraction:
    """`meant` for a number from outside."""
    finite(field, value)
    return meant(cast(float | Fraction, value))
