"""The oracle against examples worked by hand from the definitions."""

import math
from fractions import Fraction

import pytest

from .measures import naive_measures
from .naive import Outcome, naive, naive_split


def starts(outcomes: list[Outcome]) -> list[float]:
    return [o.start for o in outcomes]


def where(outcomes: list[Outcome]) -> str:
    """Write H for served by helpers, r for routed but refilled into A_i, A for A_i at once."""
    return "".join("H" if o.helpers else "r" if o.routed else "A" for o in outcomes)


def test_zero_services_that_start_together_end_together() -> None:
    # At 2 both zero jobs start on servers 1 and 2; both end, then one decision: the job of need 2
    # goes before the job of need 1. Ended one at a time, first-fit would let need 1 in first.
    jobs = [(0.0, 2, 2.0), (1.0, 1, 0.0), (1.0, 1, 0.0), (1.0, 2, 1.0), (1.0, 1, 1.0)]
    assert starts(naive("first-fit", jobs, 2)) == [0, 2, 2, 2, 3]


def test_an_arrival_takes_an_idle_slot_past_those_committed_to_the_helpers_under_mbs() -> None:
    jobs = [(0.0, 1, 2.0), (0.0, 1, 9.0), (1.0, 1, 1.0), (3.0, 1, 1.0)]
    outcomes = naive("mbs:fcfs", jobs, 2, slots=[1])
    assert starts(outcomes) == [0, 0, 9, 3]
    assert where(outcomes) == "AHHA"


def test_routed_is_settled_before_the_decision_of_the_arrival() -> None:
    # Three own servers idle but for one job of need 1. At 4 the helpers take job 2, which kept job
    # 3 out of A; that is looked at again at the next event only.
    jobs = [(0.0, 1, 20.0), (0.0, 3, 4.0), (1.0, 3, 30.0), (2.0, 1, 9.0), (5.0, 1, 9.0)]
    outcomes = naive("bs:fcfs", jobs, 6, [0] * 5, [1])
    # At 5 the older job 3 waits, so job 4 is routed; the decision then takes both into A.
    assert starts(outcomes) == [0, 0, 4, 5, 5]
    assert where(outcomes) == "AHHrr"
    assert [o.routed for o in outcomes] == [False, True, True, True, True]


def test_split_by_hand() -> None:
    # c = (3, 2): integers, so psi = 1 and there are no helpers.
    assert naive_split([1, 2], [3, 4], 7) == (Fraction(1), [3, 2], 0)
    # c = (4, 2), k = 8 as well; with k = 9, c = (9/2, 9/4): breakpoints 2/9, 4/9 (both), 6/9,
    # 8/9 (both); helpers there 8, 5, 4, 1. At least 2 are wanted: stop before 8/9.
    assert naive_split([1, 2], [1, 1], 8) == (Fraction(1), [4, 2], 0)
    assert naive_split([1, 2], [1, 1], 9) == (Fraction(8, 9), [3, 1], 4)
    # A class with no slot, and a cluster of one job: c = (3/2, 1/2), the only breakpoint 2/3.
    assert naive_split([1, 3], [1, 1], 3) == (Fraction(2, 3), [0, 0], 3)
    # Never too few: c = (7/3, 14/3), and at x = 1 one helper is left, which is enough.
    assert naive_split([1, 1], [1, 2], 7) == (Fraction(1), [2, 4], 1)


def test_measures_by_hand() -> None:
    jobs = [(1.0, 1, 4.0), (1.0, 2, 20.0), (2.0, 1, 2.0)]
    outcomes = naive("bs:fcfs", jobs, 3, slots=[1, 0])  # starts 1, 1, 5; ends 5, 21, 7
    assert where(outcomes) == "AHr"
    overall, (small, large) = naive_measures(jobs, outcomes, 3)
    assert small.count == 2
    assert small.response == (4.5, 0.25, 5.0)  # 4 and 5
    assert small.wait == (1.5, 2.25, 3.0)  # 0 and 3
    assert small.slowdown == (1.75, 0.5625, 2.5)  # 1 and 5/2
    assert small.bounded_slowdown == (1.0, 0.0, 1.0)
    assert (small.p_wait, small.routed_to_helpers, small.served_by_helpers) == (0.5, 0.5, 0.0)
    assert (large.p_wait, large.routed_to_helpers, large.served_by_helpers) == (0.0, 1.0, 1.0)
    # From 1 to 21: 4 + 2 and 2 x 20 server seconds of 3 x 20; 9 and 20 job seconds.
    assert (small.utilisation, large.utilisation) == (6 / 60, 40 / 60)
    assert (small.in_system, large.in_system) == (9 / 20, 1.0)
    assert overall.utilisation == pytest.approx(46 / 60)
    assert overall.in_system == pytest.approx(29 / 20)
    assert (overall.p_wait, overall.routed_to_helpers) == (1 / 3, 2 / 3)


def test_measures_of_zero_service() -> None:
    jobs = [(0.0, 1, 20.0), (5.0, 1, 0.0)]
    overall, _ = naive_measures(jobs, naive("fcfs", jobs, 1), 1)
    assert (overall.slowdown.mean, overall.slowdown.max) == (math.inf, math.inf)
    assert overall.bounded_slowdown.max == 1.5
    jobs = [(0.0, 1, 0.0)]
    overall, _ = naive_measures(jobs, naive("fcfs", jobs, 1), 1)
    assert overall.slowdown.mean == 1.0
    assert math.isnan(overall.utilisation)
