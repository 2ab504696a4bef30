"""Proportional integers: exact, and never huge because of unrelated denominators."""

from fractions import Fraction

import pytest

from zerowait.model import InputError
from zerowait.model.quantities import proportional_integers, rational


def test_proportional_integers() -> None:
    assert proportional_integers([Fraction(1, 2), Fraction(2, 3), Fraction(0)]) == [3, 4, 0]
    assert proportional_integers([Fraction(0)]) == [0]


def test_huge_common_denominators_fall_back() -> None:
    unrelated = [Fraction(1, n) for n in (999983, 999979, 999961, 999959, 999953, 999931)]
    stored = [Fraction(float(r)) for r in unrelated]
    assert proportional_integers(unrelated, stored) == proportional_integers(stored)
    assert proportional_integers(unrelated[:5], stored[:5]) == proportional_integers(unrelated[:5])


def test_refuses_what_is_not_a_number() -> None:
    with pytest.raises(InputError, match="exponent = 'x'"):
        rational("exponent", "x")
