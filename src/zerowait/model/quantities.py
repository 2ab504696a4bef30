"""Numbers from outside, checked and accepted as quantities of the model, or refused by name."""

import math
import operator
import reprlib
from collections.abc import Iterable, Sequence
from fractions import Fraction
from numbers import Rational, Real
from typing import SupportsIndex, cast

import numpy as np
from numpy.typing import NDArray

from zerowait.model.errors import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

HOUR_S, DAY_S, WEEK_S = 3_600.0, 86_400.0, 604_800.0
TIME_UNITS_S = {"s": 1.0, "min": 60.0, "h": HOUR_S, "d": DAY_S, "w": WEEK_S}  # as users spell them

# Shares that users type or compute add up to one up to rounding, hardly ever exactly.
SUM_TOLERANCE = 1e-9


def refuse(field: str, value: object, remedy: str) -> InputError:
    """Return the error to raise: field, value (shortened to one line) and remedy."""
    if isinstance(value, np.generic):
        value = value.item()
    shown = repr(value) if isinstance(value, float) else reprlib.repr(value)
    shown = " ".join(shown.split())
    error = InputError(f"{field} = {shown}: {remedy}")
    error.field, error.remedy = field, remedy
    error.value = value if isinstance(value, (float, int, str)) else shown
    return error


def finite(field: str, value: object, remedy: str = "must be a finite number") -> float:
    """Return the value as a float, or refuse it."""
    # bool is a Real in Python, yet True is never what a user means by a number.
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise refuse(field, value, remedy)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise refuse(field, value, remedy)
    return number


def positive(
    field: str, value: object, remedy: str = "must be a finite number above zero"
) -> float:
    """Return the value as a float > 0, or refuse it."""
    number = finite(field, value, remedy)
    if number <= 0:
        raise refuse(field, value, remedy)
    return number


def magnitude(field: str, value: object, least: float = 1e-100, most: float = 1e100) -> float:
    """Return the value as a float > 0 with which squares, sums and quotients stay floats."""
    number = positive(field, value)
    if not least <= number <= most:
        raise refuse(field, value, f"must lie between {least:g} and {most:g}")
    return number


def non_negative(
    field: str, value: object, remedy: str = "must be a finite number, zero or more"
) -> float:
    """Return the value as a float >= 0, or refuse it."""
    number = finite(field, value, remedy)
    if number < 0:
        raise refuse(field, value, remedy)
    return number


def whole(field: str, value: object, least: int = 1, most: int | None = None) -> int:
    """Return the value as an int >= least, or refuse it."""
    remedy = f"must be a whole number, {least} or more"
    remedy += "" if most is None else f", at most {most}"
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        raise refuse(field, value, remedy)
    try:
        number = operator.index(cast(SupportsIndex, value))
    except TypeError:  # NumPy arrays have __index__ too
        raise refuse(field, value, remedy) from None
    if number < least or (most is not None and number > most):
        raise refuse(field, value, remedy)
    return number


def items(field: str, values: object) -> list[object]:
    """Return the members of a non-empty list-like value."""
    if isinstance(values, (str, bytes, dict)) or not isinstance(values, Iterable):
        raise refuse(field, values, "must be a list")
    try:
        members = list(values)
    except TypeError:  # a zero-dimensional array
        raise refuse(field, values, "must be a list") from None
    if not members:
        raise refuse(field, values, "must not be empty")
    return members


def probabilities(field: str, values: object) -> tuple[float, ...]:
    """Return non-negative weights that sum to one, as given."""
    weights = tuple(non_negative(f"{field}[{i}]", w) for i, w in enumerate(items(field, values)))
    check_sum_is_one(field, weights)
    return weights


def check_sum_is_one(field: str, weights: Sequence[float]) -> None:
    """Refuse weights that do not sum to one, up to rounding."""
    total = math.fsum(weights)
    if abs(total - 1) > SUM_TOLERANCE:
        raise refuse(
            f"sum of {field}", total, "must be 1; divide each by the sum if they are only relative"
        )


def vector(field: str, values: object, remedy: str) -> Floats:
    """Return a read-only copy of a non-empty list of finite non-negative numbers."""
    try:
        array = np.array(values)
    except (TypeError, ValueError):
        array = np.array(None)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iuf":
        raise refuse(field, values, f"must be a non-empty flat list of numbers; {remedy}")
    array = array.astype(np.float64)
    bad = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
    if bad.size:
        first = int(bad[0])
        raise refuse(
            f"{field}[{first}]",
            float(array[first]),
            f"must be a finite number, zero or more; {remedy}",
        )
    array.flags.writeable = False
    return array


LARGEST_DENOMINATOR = 10**6
LARGEST_COMMON_DENOMINATOR = 10**30


def stored_fraction(value: float | Fraction) -> Fraction:
    """Return the number as it is stored."""
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    return Fraction(float(value))


def meant(value: float | Fraction) -> Fraction:
    """Return the simple fraction within 4 ulp of a float, or the float itself where there is none.

    0.1 is read as 1/10 and 0.05 / 3 as 1/60; whole numbers and fractions are taken as they are.
    """
    stored = stored_fraction(value)
    if isinstance(value, Rational):
        return stored
    simple = stored.limit_denominator(LARGEST_DENOMINATOR)
    return simple if abs(simple - stored) <= 4 * Fraction(math.ulp(float(value))) else stored


def proportional_integers(
    readings: Sequence[Fraction], fallback: Sequence[Fraction] | None = None
) -> list[int]:
    """Return integers in the same proportions as the readings.

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
    """Return what is `meant` by a number from outside."""
    finite(field, value)
    return meant(cast(float | Fraction, value))
