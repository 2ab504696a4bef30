"""Objectives and constraints: what is read, what it is worth, and what is refused."""

import math

import pytest

from zerowait.experiment.optimisation.problem import parse_constraint, parse_objective
from zerowait.model import InputError

NAMES = ("small", "large x8")
VALUES = {
    "wait": (2.0, 1.0, 9.0),
    "wait_p95": (4.0, 3.0, math.nan),
    "longest_wait": (50.0, 7.0, 50.0),
}


def value(text: str) -> float:
    return parse_objective(text, NAMES, False).value(VALUES, NAMES)


def test_weighted_sums_of_statistics_and_classes() -> None:
    assert value("wait") == 2
    assert value("wait[large x8]") == 9
    assert value("0.5*wait[small] + .25 * longest_wait+wait_p95") == 0.5 + 12.5 + 4
    assert value("wait[worst]") == 9
    assert value("wait_p95[worst]") == 3  # the class without a job does not count


def test_a_limit_is_a_time_a_number_or_a_multiple() -> None:
    (ten,) = parse_constraint("wait_p95 <= 10min", NAMES, False)
    assert (ten.limit, ten.relative_to) == (600.0, None)
    (plain,) = parse_constraint("wait >= 0.5", NAMES, False)
    assert plain.excess([0.4], [0.0], "error") == pytest.approx(0.2)
    (times,) = parse_constraint("longest_wait <= 1.25x backfill,order=due,patience=3", NAMES, False)
    assert times.relative_to == "backfill,order=due,patience=3"
    assert times.excess([12.5], [10.0], "error") == 0
    assert times.excess([25.0], [10.0], "error") == 1.0


def test_each_is_one_constraint_per_class() -> None:
    found = parse_constraint("wait[each] <= 1.5x first-fit", NAMES, False)
    assert [one.left.value(VALUES, NAMES) for one in found] == [1.0, 9.0]
    assert [one.text for one in found][1] == "wait[large x8] <= 1.5x first-fit"


def test_a_limit_is_kept_by_a_margin() -> None:
    (one,) = parse_constraint("wait <= 1x easy", NAMES, False)
    # 1, 1 and 4: 2 on average, with a standard deviation of 1.73 and a standard error of 1.
    assert one.excess([1, 1, 4], [2, 2, 2], "error") == pytest.approx(0.5)
    assert one.excess([1, 1, 4], [2, 2, 2], "deviation") == pytest.approx(3**0.5 / 2)
    assert one.excess([1, 1, 4], [3, 3, 3], "error") == 0
    assert one.beyond([1, 1, 4], [4, 4, 4], "error") == pytest.approx(-0.25)
    assert one.excess([1, 1, 4], [3, 3, 3], "deviation") > 0
    assert one.excess([math.nan], [2], "error") == 0


def test_a_policy_keeps_a_limit_above_its_own_values_however_busy_samples_are() -> None:
    (one,) = parse_constraint("wait <= 1.25x easy", NAMES, False)
    assert one.excess([1, 10, 100], [1, 10, 100], "deviation") == 0


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("weight <= 2", 1, "there is no measure 'weight'"),
        ("wait[tiny] <= 2", 6, "there is no class 'tiny'; there are small, large x8"),
        ("wait < 2", 6, "<= or >= is missing"),
        ("wait <= 2parsecs", 10, "there is no unit 'parsecs'"),
        ("wait <= 2x hurry", 9, "there is no policy 'hurry'"),
        ("wait <= 2 or so", 11, "'or so' is not understood"),
        ("2* <= 2", 4, "a measure is missing"),
        ("utilisation >= 0.5", 1, "is no measure of single jobs"),
        ("bounded_slowdown <= 3", 1, "is for logs"),
    ],
)
def test_what_is_not_understood_is_told_with_its_place(text: str, column: int, words: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_constraint(text, NAMES, False)
    assert f"column {column}: " in str(refused.value)
    assert words in str(refused.value)


def test_objectives_have_no_each() -> None:
    with pytest.raises(InputError, match="each is for constraints"):
        parse_objective("wait[each]", NAMES, False)
