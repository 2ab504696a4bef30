"""The oracle against examples worked by hand from the definitions."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.draws import draws

from .measures import naive_measures
from .naive import Outcome, naive, naive_split
from .strategies import Case, plain_cases, split_cases


def starts(outcomes: list[Outcome]) -> list[float]:
    return [o.start for o in outcomes]


def where(outcomes: list[Outcome]) -> str:
    """H: served by helpers; r: routed there but refilled into A_i; A: its own at once."""
    return "".join("H" if o.helpers else "r" if o.routed else "A" for o in outcomes)


def test_fcfs_blocks_and_first_fit_does_not() -> None:
    jobs = [(0.0, 2, 4.0), (1.0, 3, 1.0), (2.0, 1, 1.0)]
    # The job of need 3 waits for the end at 4; under FCFS it keeps the idle third server closed.
    assert starts(naive("fcfs", jobs, 3)) == [0, 4, 5]
    assert starts(naive("first-fit", jobs, 3)) == [0, 4, 2]
    assert naive("fcfs", jobs, 3)[1] == Outcome(4, 5, helpers=False, routed=False)


def test_completions_of_an_instant_release_together_before_its_arrivals() -> None:
    # Both end at 2. Were the first end decided on alone, first-fit would give its server to the
    # job of need 1 waiting behind the job of need 2; were the arrival at 2 first, it would wait.
    jobs = [(0.0, 1, 2.0), (0.0, 1, 2.0), (1.0, 2, 3.0), (1.0, 1, 1.0), (5.0, 2, 1.0)]
    assert starts(naive("first-fit", jobs, 2)) == [0, 0, 2, 5, 6]
    # At 5: the end of job 2 frees both, job 3 starts at 5, then job 4 arrives and waits until 6.
    jobs = [(0.0, 1, 2.0), (2.0, 1, 1.0)]
    assert starts(naive("fcfs", jobs, 1)) == [0, 2]


def test_the_policy_decides_after_each_arrival_of_an_instant() -> None:
    # In stream order the small job takes a server before the large one is there.
    assert starts(naive("first-fit", [(0.0, 1, 1.0), (0.0, 2, 1.0)], 2)) == [0, 1]
    assert starts(naive("first-fit", [(0.0, 2, 1.0), (0.0, 1, 1.0)], 2)) == [0, 1]


def test_zero_service_ends_before_the_next_arrival_of_its_instant() -> None:
    jobs = [(0.0, 1, 0.0), (0.0, 1, 3.0), (0.0, 1, 0.0), (0.0, 1, 0.0)]
    outcomes = naive("fcfs", jobs, 1)
    assert [(o.start, o.end) for o in outcomes] == [(0, 0), (0, 3), (3, 3), (3, 3)]
    # A service too short to move the clock is a zero service.
    assert starts(naive("fcfs", [(1.0, 1, 1e-17), (1.0, 1, 1.0)], 1)) == [1, 1]


def test_zero_services_that_start_together_end_together() -> None:
    # At 2 both zero jobs start on servers 1 and 2; both end, then one decision: the job of need 2
    # goes before the job of need 1. Ended one at a time, first-fit would let need 1 in first.
    jobs = [(0.0, 2, 2.0), (1.0, 1, 0.0), (1.0, 1, 0.0), (1.0, 2, 1.0), (1.0, 1, 1.0)]
    assert starts(naive("first-fit", jobs, 2)) == [0, 2, 2, 2, 3]


def test_bs_refills_its_own_servers_before_the_helpers_decide() -> None:
    # Need 1: one slot. Need 2: no slot. Helpers: 2.
    jobs = [(0.0, 1, 4.0), (0.0, 2, 3.0), (1.0, 1, 1.0), (2.0, 1, 5.0)]
    outcomes = naive("bs:fcfs", jobs, 3, slots=[1, 0])
    # Jobs 2 and 3 wait; at 3 the helpers are free and take both.
    assert starts(outcomes) == [0, 0, 3, 3]
    assert where(outcomes) == "AHHH"
    # With the helpers busy until 6 the end at 4 refills A_1 with the oldest, the end at 5 again.
    jobs[1] = (0.0, 2, 6.0)
    outcomes = naive("bs:fcfs", jobs, 3, slots=[1, 0])
    assert starts(outcomes) == [0, 0, 4, 5]
    assert where(outcomes) == "AHrr"
    # Under mbs both stay with the helpers, and A_1 is left idle.
    outcomes = naive("mbs:fcfs", jobs, 3, slots=[1, 0])
    assert starts(outcomes) == [0, 0, 6, 6]
    assert where(outcomes) == "AHHH"


def test_an_arrival_takes_an_idle_slot_past_those_committed_to_the_helpers_under_mbs() -> None:
    jobs = [(0.0, 1, 2.0), (0.0, 1, 9.0), (1.0, 1, 1.0), (3.0, 1, 1.0)]
    outcomes = naive("mbs:fcfs", jobs, 2, slots=[1])
    assert starts(outcomes) == [0, 0, 9, 3]
    assert where(outcomes) == "AHHA"


def test_a_pull_from_the_middle_of_the_helpers_queue_unblocks_what_is_behind() -> None:
    # Classes: need 1 (no slot), need 2 (one slot), need 3 (no slot). Four helpers.
    jobs = [
        (0.0, 2, 2.0),  # A
        (0.0, 3, 9.0),  # H, one helper idle until 9
        (1.0, 2, 5.0),  # does not fit: heads the helpers' queue and blocks it
        (1.0, 1, 1.0),  # would fit
    ]
    # At 2 A_2 pulls the head, and the job of need 1 starts in the same decision.
    outcomes = naive("bs:fcfs", jobs, 6, slots=[0, 1, 0])
    assert starts(outcomes) == [0, 0, 2, 2]
    assert where(outcomes) == "AHrH"
    # A second waiting job of need 3 ahead of them: the pull is from the middle, and with FCFS
    # the head goes on blocking (until 9), with first-fit job 4 never waited.
    jobs.insert(2, (1.0, 3, 1.0))
    assert starts(naive("bs:fcfs", jobs, 6, slots=[0, 1, 0])) == [0, 0, 9, 2, 9]
    assert starts(naive("bs:first-fit", jobs, 6, slots=[0, 1, 0])) == [0, 0, 9, 2, 1]


def test_an_arrival_that_enters_its_own_servers_is_a_decision_for_all() -> None:
    # One class of needs 1 and 3 with one slot (3 servers), another of need 1 with one slot;
    # 3 helpers.
    jobs = [
        (0.0, 3, 5.0),  # A_0, until 5
        (0.0, 1, 4.0),  # H, until 4: two helpers idle
        (1.0, 3, 9.0),  # blocked in A_0 and in H
        (1.0, 1, 9.0),  # behind it in both
        (6.0, 1, 1.0),  # class 1: enters A_1 at once
    ]
    outcomes = naive("bs:fcfs", jobs, 7, [0, 0, 0, 0, 1], [1, 1])
    # At 4 H takes job 2 (all 3 helpers); A_0 is busy until 5, then takes job 3.
    assert starts(outcomes) == [0, 0, 4, 5, 6]
    assert where(outcomes) == "AHHrA"


def test_mixed_needs_are_fcfs_in_their_own_servers_and_refilled_once_per_decision() -> None:
    # One class, needs 1, 2, 3, one slot (3 servers), 3 helpers.
    jobs = [
        (0.0, 2, 20.0),  # A, one own server idle until 20
        (0.0, 2, 4.0),  # does not fit in A: H, one helper idle until 4
        (1.0, 3, 30.0),  # waits for both
        (2.0, 1, 1.0),  # would fit in A, but an older job of its class waits
        (3.0, 1, 1.0),
        (6.0, 1, 1.0),
    ]
    outcomes = naive("bs:fcfs", jobs, 6, [0] * 6, [1])
    # At 4: (1) job 2 heads A's queue and blocks; (2) H takes it, none is left for job 3.
    # (1) is not repeated: jobs 3 and 4 fit in A and yet wait for the next decision, the arrival
    # at 6. There job 3 goes in, job 4 waits for its end at 7, job 5 for 8.
    assert starts(outcomes) == [0, 0, 4, 6, 7, 8]
    assert where(outcomes) == "AHHrrr"
    # First-fit helpers take job 3 at 2 (one helper idle), job 4 at 3, and job 2 at 4.
    outcomes = naive("bs:first-fit", jobs, 6, [0] * 6, [1])
    assert starts(outcomes) == [0, 0, 4, 2, 3, 6]
    assert where(outcomes) == "AHHHHA"


def test_any_event_retries_the_refill_of_every_class() -> None:
    # As above with a second class (need 1, one slot) whose arrival at 5 is the next decision.
    jobs = [(0.0, 2, 20.0), (0.0, 2, 4.0), (1.0, 3, 30.0), (2.0, 1, 1.0), (5.0, 1, 9.0)]
    outcomes = naive("bs:fcfs", jobs, 7, [0, 0, 0, 0, 1], [1, 1])
    assert starts(outcomes) == [0, 0, 4, 5, 5]
    assert where(outcomes) == "AHHrA"


def test_routed_is_settled_before_the_decision_of_the_arrival() -> None:
    # Three own servers idle but for one job of need 1; job 3 fits since 4, untaken (see above).
    jobs = [(0.0, 1, 20.0), (0.0, 3, 4.0), (1.0, 3, 30.0), (2.0, 1, 9.0), (5.0, 1, 9.0)]
    outcomes = naive("bs:fcfs", jobs, 6, [0] * 5, [1])
    # At 5 the older job 3 waits, so job 4 is routed; the decision then takes both into A.
    assert starts(outcomes) == [0, 0, 4, 5, 5]
    assert where(outcomes) == "AHHrr"
    assert [o.routed for o in outcomes] == [False, True, True, True, True]


def test_no_helpers_at_all() -> None:
    jobs = [(0.0, 1, 2.0), (0.0, 2, 3.0), (0.0, 1, 2.0), (1.0, 2, 1.0)]
    outcomes = naive("bs:first-fit", jobs, 3, slots=[1, 1])
    assert starts(outcomes) == [0, 0, 2, 3]
    assert where(outcomes) == "AArr"
    with pytest.raises(ValueError, match="2 jobs can never be served"):
        naive("mbs:first-fit", jobs, 3, slots=[1, 1])


def figure1(f: int) -> tuple[list[int], list[Fraction]]:
    """Needs and demands of the paper's Figure 1 at need scale f."""
    needs = [f, 2 * f, 4 * f, 8 * f]
    shares = [Fraction(95, 100)] + 3 * [Fraction(5, 300)]
    return needs, [n * a * d for n, a, d in zip(needs, shares, (1, 40, 20, 10), strict=True)]


@pytest.mark.parametrize(
    ("servers", "scale", "own_servers", "helpers"),
    [(256, 4, [44, 56, 48, 32], 76), (2048, 16, [384, 512, 512, 512], 128)],
)
def test_split_of_figure_1(servers: int, scale: int, own_servers: list[int], helpers: int) -> None:
    needs, demands = figure1(scale)
    split = naive_split(needs, demands, servers)
    assert [s * n for s, n in zip(split.slots, needs, strict=True)] == own_servers
    assert split.helpers == helpers


def test_split_of_figure_1_at_32768_servers() -> None:
    # floor(1024 ** (2/3)): the largest f with f ** 3 <= 1024 ** 2.
    scale = max(f for f in range(200) if f**3 <= 1024**2)
    split = naive_split(*figure1(scale), 32768)
    assert (split.psi, split.helpers) == (Fraction(1), 1256)


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


@pytest.mark.parametrize("policy", ["fcfs", "first-fit"])
@given(case=plain_cases())
@draws(200)
def test_every_plain_case_can_be_served(policy: str, case: Case) -> None:
    outcomes = naive(policy, case.jobs, case.servers, case.job_class)
    assert all(o.start >= arrival for o, (arrival, _, _) in zip(outcomes, case.jobs, strict=True))


@pytest.mark.parametrize("policy", ["bs:fcfs", "bs:first-fit", "mbs:fcfs", "mbs:first-fit"])
@given(data=st.data())
@draws(200)
def test_every_split_case_can_be_served(policy: str, data: st.DataObject) -> None:
    case = data.draw(split_cases(modified=policy.startswith("mbs")))
    outcomes = naive(policy, case.jobs, case.servers, case.job_class, case.slots)
    assert all(o.routed or not o.helpers for o in outcomes)
    if policy.startswith("mbs"):
        assert all(o.routed == o.helpers for o in outcomes)
