"""When a protection counts as kept, unclear or broken."""

import math

import pytest

from zerowait.experiment.optimisation.scoring import Score
from zerowait.experiment.plans.verdict import Queue, kept
from zerowait.experiment.plans.worth import fewest


def score(ratio: float, low: float = math.nan, high: float = math.nan) -> Score:
    ok = ratio <= 1.25
    return Score("wait", ratio, 1.0, "easy", ratio, low, high, math.nan, kept=ok, limit=1.25)


@pytest.mark.parametrize(
    ("one", "state"),
    [
        (score(1.25), "kept"),
        (score(1.4), "unclear"),  # the longest wait: one job's
        (score(1.6), "broken"),
        (score(1.4, 1.1, 1.9), "unclear"),  # a mean, whose interval reaches below the limit
        (score(1.4, 1.3, 1.5), "broken"),
        (score(2.0, 1.0, 3.0), "broken"),
    ],
)
def test_what_counts_as_kept(one: Score, state: str) -> None:
    assert kept(one) == state


def test_a_queue_is_none_where_few_wait_or_waits_are_short() -> None:
    assert Queue(10.0, 1000.0, 1.5, 0.5).is_none
    assert not Queue(100.0, 1000.0, 1.5, 0.5).is_none
    assert not Queue(10.0, 1000.0, 3.0, 0.5).is_none
    assert Queue(100.0, 1000.0, 3.0, 0.01).is_none


def test_the_fewest_that_are_enough() -> None:
    assert fewest(lambda n: n >= 37, 1, 100) == 37
    assert fewest(lambda n: True, 5, 100) == 5
    assert fewest(lambda n: n > 100, 5, 100) is None
