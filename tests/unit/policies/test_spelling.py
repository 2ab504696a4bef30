"""Mistakes in the spelling of a policy name the option."""

from dataclasses import dataclass, field

import pytest

import zerowait as zw
from zerowait.kit import COUNT
from zerowait.policies.fcfs import Fcfs
from zerowait.policies.spelling import PartialPolicy


@dataclass(frozen=True)
class Keeping(Fcfs):
    name = "keeping"
    keep: int = field(metadata=COUNT)


@pytest.mark.parametrize(
    ("spelling", "told"),
    [
        ("mbs:fcfs,refill=largest", "unknown option 'refill'; modified-.* slots; fcfs has: none"),
        ("fcfs,auxiliary=bs", "unknown option 'auxiliary'"),
        ("bs:bs:fcfs", "balanced-splitting cannot be an auxiliary"),
        ("backfill,order=area,order=need", "order is given twice"),
    ],
)
def test_an_option_or_an_auxiliary_that_there_is_not(spelling: str, told: str) -> None:
    with pytest.raises(zw.InputError, match=f"^policy '{spelling}': {told}"):
        zw.parse_policy(spelling)


@pytest.mark.parametrize(
    ("spelling", "told"),
    [
        ("backfill,reserve_after=x", "reserve_after: 'x' is no time; give a number"),
        ("backfill,over_reserve=-1", "over_reserve: '-1' is not a whole number, zero or more"),
        ("backfill,need_weight=nan", "need_weight: 'nan' is not a number"),
        ("bs:backfill,order=size", "order=size: must be one of arrival"),
        ("bs:fcfs,slots=1/x", "slots=1/x: give one whole number per class"),
    ],
)
def test_a_value_that_an_option_cannot_have(spelling: str, told: str) -> None:
    with pytest.raises(zw.InputError, match=f"^policy '{spelling}': {told}"):
        zw.parse_policy(spelling)


def test_options_without_a_default_must_be_given() -> None:
    assert zw.parse_policy(Keeping(3)).spec == "keeping,keep=3"
    for make in (lambda: zw.parse_policy(Keeping), PartialPolicy(Keeping, {}).build):
        with pytest.raises(zw.InputError, match=r"keep must be given.*write Keeping\(keep=...\)"):
            make()
