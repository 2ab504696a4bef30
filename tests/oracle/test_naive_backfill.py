"""The naive twin of `backfill` against examples worked by hand from the definition."""

import pytest

from .backfill import Options, options_of
from .guarantees import stream_of_small_jobs
from .naive import JobRow, naive
from .spellings import time_of


def starts(
    policy: str,
    jobs: list[JobRow],
    servers: int,
    job_class: list[int] | None = None,
    slots: list[int] | None = None,
    estimates: list[float] | None = None,
) -> list[float]:
    return [o.start for o in naive(policy, jobs, servers, job_class, slots, estimates)]


# -- spellings ------------------------------------------------------------------------------------


def test_times_take_units() -> None:
    spelled = ["7", "-2.5", "45s", "90min", "10h", "-1h", "3d", "0.5d"]
    seconds = [7, -2.5, 45, 5400, 36000, -3600, 259200, 43200]
    assert [time_of(text) for text in spelled] == seconds
    assert time_of("never") > 1e300


def test_options() -> None:
    assert options_of("") == Options("arrival", 0.0)
    spelled = "order=due,allowance=0/10/10min/-1h,reserve_after=1d"
    assert options_of(spelled) == Options("due", 86400.0, (0.0, 10.0, 600.0, -3600.0))
    spelled = "order=due,patience=10h,time_weight=0.5,by=class"
    assert options_of(spelled) == Options("due", 0.0, None, 36000.0, 1.0, 0.5, "class")


# -- orders ---------------------------------------------------------------------------------------

# Job 0 holds all four servers until 10; no two of the others fit together, so that they are served
# one by one, and what comes first in the scan is what starts first.
ONE_BY_ONE = [
    (0.0, 4, 10.0),
    (1.0, 3, 5.0),  # area 15
    (2.0, 4, 4.0),  # area 16
    (3.0, 3, 4.0),  # area 12
    (4.0, 3, 4.0),  # area 12
]


def served(options: str, jobs: list[JobRow] = ONE_BY_ONE) -> list[int]:
    """The jobs in the order of their starts."""
    begun = starts(f"backfill,{options}", jobs, 4)
    assert len(set(begun)) == len(begun)
    return sorted(range(len(jobs)), key=lambda i: begun[i])


def test_orders() -> None:
    assert starts("backfill", ONE_BY_ONE, 4) == [0, 10, 15, 19, 23]
    assert served("order=arrival") == [0, 1, 2, 3, 4]
    assert served("order=need") == [0, 1, 3, 4, 2]  # equal needs by arrival
    assert served("order=estimate") == [0, 2, 3, 4, 1]  # three of 4, by arrival
    assert served("order=area") == [0, 3, 4, 1, 2]  # two of 12, by arrival


def test_due_by_table() -> None:
    # Class 0 has need 3, class 1 need 4: only job 2 is of class 1. Keys 1, 2 + a, 3, 4.
    assert served("order=due,allowance=0/-2") == [0, 2, 1, 3, 4]
    assert served("order=due,allowance=0/-1") == [0, 1, 2, 3, 4]  # 1 and 1: by arrival
    assert served("order=due,allowance=0/1") == [0, 1, 2, 3, 4]  # 3 and 3: by arrival
    assert served("order=due,allowance=0/1.5") == [0, 1, 3, 2, 4]
    assert served("order=due,allowance=0/2") == [0, 1, 3, 2, 4]  # 4 and 4: by arrival
    assert served("order=due,allowance=0/1min") == [0, 1, 3, 4, 2]
    assert served("order=due,allowance=-1min/0") == [0, 1, 3, 4, 2]  # differences count


def test_due_by_formula() -> None:
    # arrival + 10 ln(area) = 28.08, 29.73, 27.85, 28.85.
    assert served("order=due,patience=10") == [0, 3, 1, 4, 2]
    assert served("order=due,patience=1") == [0, 1, 2, 3, 4]
    assert served("order=due,patience=0") == [0, 1, 2, 3, 4]
    # arrival + 10 ln(estimate) = 17.09, 15.86, 16.86, 17.86.
    assert served("order=due,patience=10,need_weight=0") == [0, 2, 3, 1, 4]
    # arrival + 10 ln(need) = 11.99, 15.86, 13.99, 14.99.
    assert served("order=due,patience=10,time_weight=0") == [0, 1, 3, 4, 2]
    # arrival - 10 ln(need): the need of 4 first.
    assert served("order=due,patience=10,need_weight=-1,time_weight=0") == [0, 2, 1, 3, 4]
    # A unit: 0.5 min are 30 s. arrival + 30 ln(area) = 82.24, 85.18, 77.55, 78.55.
    assert served("order=due,patience=0.5min") == [0, 3, 4, 1, 2]


def test_by_class() -> None:
    # Mean services: need 3 has 13 / 3 (of 5, 4, 4), need 4 has 7 (of 10, 4).
    assert served("order=estimate,by=class") == [0, 1, 3, 4, 2]
    assert served("order=area,by=class") == [0, 1, 3, 4, 2]
    # arrival + ln(need x mean): 3.56, 5.33, 5.56, 6.56.
    assert served("order=due,patience=1,by=class") == [0, 1, 2, 3, 4]
    # ln 7 - ln(13 / 3) = 0.48: job 2 is put back by 2.4, behind job 4.
    assert served("order=due,patience=5,need_weight=0,by=class") == [0, 1, 3, 4, 2]


def test_by_class_takes_the_need_of_the_job() -> None:
    # One class of mixed needs, mean service 3. Areas: job 1 has 6, jobs 2 and 3 have 3.
    jobs = [(0.0, 3, 5.0), (1.0, 2, 1.0), (2.0, 1, 3.0), (3.0, 1, 3.0)]
    assert starts("backfill,order=area,by=class", jobs, 3, [0] * 4) == [0, 8, 5, 5]
    assert starts("backfill,order=area", jobs, 3, [0] * 4) == [0, 5, 5, 6]


def test_by_class_reserves_by_the_estimate_of_the_job() -> None:
    # All keys are 23 / 3, so that arrival decides. Job 1 has a reservation at 10, not at 23 / 3,
    # and job 2 ends then, not at 2 + 23 / 3.
    jobs = [(0.0, 1, 10.0), (1.0, 2, 5.0), (2.0, 1, 8.0)]
    assert starts("backfill,order=estimate,by=class", jobs, 2, [0] * 3) == [0, 10, 2]


def test_an_estimate_of_zero_stands_first_by_formula() -> None:
    jobs = [(0.0, 1, 5.0), (1.0, 1, 1.0), (2.0, 1, 0.0), (3.0, 1, 0.0)]
    assert starts("backfill,order=due,patience=1", jobs, 1) == [0, 5, 5, 5]
    ends = [o.end for o in naive("backfill,order=due,patience=1", jobs, 1)]
    assert ends == [5, 6, 5, 5]
    for arrival in ("patience=0", "patience=1,time_weight=0"):
        assert starts(f"backfill,order=due,{arrival}", jobs, 1) == [0, 5, 6, 6]
    assert starts("backfill,order=due,patience=1,time_weight=-1", jobs, 1) == [0, 5, 6, 6]


# -- instants -------------------------------------------------------------------------------------


def test_completions_of_an_instant_decide_before_its_arrivals() -> None:
    # At 2 job 1 takes both servers, before job 2, which would stand before it, is there.
    jobs = [(0.0, 2, 2.0), (1.0, 2, 3.0), (2.0, 1, 1.0)]
    assert starts("backfill,order=need", jobs, 2) == [0, 2, 5]


def test_arrivals_of_an_instant_are_decided_on_one_by_one() -> None:
    jobs = [(0.0, 2, 1.0), (0.0, 1, 1.0), (0.0, 1, 1.0)]
    assert starts("backfill,order=need", jobs, 2) == [0, 1, 1]


# -- one reservation ------------------------------------------------------------------------------


def test_the_shadow_counts_to_the_second() -> None:
    # Job 1 will fit at 10, when job 0 ends, and leave no server over (four servers, need 4).
    jobs = [(0.0, 2, 10.0), (1.0, 4, 5.0)]
    assert starts("backfill", [*jobs, (3.0, 1, 7.0)], 4) == [0, 10, 3]  # ends at 10
    assert starts("backfill", [*jobs, (3.0, 1, 8.0)], 4) == [0, 10, 15]
    assert starts("backfill,reserve_after=never", [*jobs, (3.0, 1, 8.0)], 4) == [0, 11, 3]


def test_extra_is_used_up() -> None:
    # Job 1 needs 3: one server is extra. Job 2 takes it, job 3 finds none, job 4 ends in time.
    jobs = [(0.0, 2, 10.0), (1.0, 3, 5.0), (2.0, 1, 50.0), (3.0, 1, 50.0), (4.0, 1, 6.0)]
    assert starts("backfill", jobs, 4) == [0, 10, 2, 15, 4]
    # Who ends in time leaves what is extra to others: job 2 ends at 10, so job 3 may stay longer,
    # and no server is idle for job 4.
    jobs[2] = (2.0, 1, 8.0)
    assert starts("backfill", jobs, 4) == [0, 10, 2, 3, 15]


def test_extra_counts_all_that_is_free_by_then() -> None:
    # Jobs 0 and 1 both end at 10. Job 2 needs 3, which job 0 and the idle server would make up; but
    # by 10 all four are free, so that job 3 may take the idle one for as long as it likes.
    jobs = [(0.0, 2, 10.0), (0.0, 1, 10.0), (1.0, 3, 5.0), (2.0, 1, 50.0)]
    assert starts("backfill", jobs, 4) == [0, 0, 10, 2]
    jobs[1] = (0.0, 1, 11.0)  # one second later, and it may not
    assert starts("backfill", jobs, 4) == [0, 0, 10, 11]


def test_who_starts_in_a_scan_runs_when_the_shadow_is_found() -> None:
    # 4: by need job 2 starts (until 9), job 3 does not fit beside it and job 1, and will at 6.
    jobs = [(0.0, 2, 4.0), (0.0, 2, 6.0), (1.0, 1, 5.0), (2.0, 3, 5.0), (3.0, 3, 2.0)]
    assert starts("backfill,order=need", jobs, 4) == [0, 0, 4, 6, 11]
    # Now job 4 needs 1 and stands last: at 4 it may have the last idle server until 6.
    for service, expected in ((2.0, 4), (3.0, 9)):
        patient = [*jobs[:4], (3.0, 1, service)]
        begun = starts("backfill,order=due,allowance=0/99", patient, 4, [0, 0, 0, 0, 1])
        assert begun == [0, 0, 4, 6, expected]


# Class 1 stands before class 0 whenever it comes. Four servers, job 0 leaves one idle until 10.
RUSH = [(0.0, 3, 10.0), (1.0, 4, 4.0), (5.0, 2, 4.0), (6.0, 1, 6.0)]
RUSH_CLASS = [0, 0, 1, 0]


@pytest.mark.parametrize(
    ("reserve_after", "expected"),
    [
        # 6: job 2 is first and does not fit, but has not waited enough: job 1 has the reservation,
        # at 10 with none to spare, which holds up job 3. 10: job 2 stands before the reserved job,
        # fits and starts; job 1 has to wait for its end, and job 3 goes on being held up.
        ("1.5", [0, 14, 10, 18]),
        ("5", [0, 14, 10, 18]),  # job 1 has waited 5, which is enough
        # Job 2 has waited 1, which is enough: it has the one reservation, at 10 with two to spare,
        # and job 3 takes one. 10: job 2 starts; job 1 waits for it.
        ("1", [0, 14, 10, 6]),
        ("0", [0, 14, 10, 6]),
        # Nobody has waited enough at 6.
        ("5.5", [0, 14, 10, 6]),
        ("never", [0, 14, 10, 6]),
    ],
)
def test_the_first_that_has_waited_enough_is_reserved_for(
    reserve_after: str, expected: list[float]
) -> None:
    policy = f"backfill,order=due,allowance=0/-100,reserve_after={reserve_after}"
    assert starts(policy, RUSH, 4, RUSH_CLASS) == expected


def test_waiting_exactly_reserve_after_is_enough() -> None:
    # Job 1 blocks from 1 on. A job of need 1 that comes at 4 finds it has waited 3.
    jobs = [(0.0, 1, 10.0), (1.0, 2, 5.0), (4.0, 1, 20.0)]
    assert starts("backfill,reserve_after=3", jobs, 2) == [0, 10, 15]
    assert starts("backfill,reserve_after=0.05min", jobs, 2) == [0, 10, 15]
    assert starts("backfill,reserve_after=3.5", jobs, 2) == [0, 24, 4]
    jobs[2] = (3.0, 1, 20.0)
    assert starts("backfill,reserve_after=3", jobs, 2) == [0, 23, 3]


def test_estimates_decide_and_services_happen() -> None:
    # Job 2 is announced to end at 12, after the shadow at 10, though it would end at 4.
    jobs = [(0.0, 1, 10.0), (1.0, 2, 5.0), (2.0, 1, 2.0)]
    assert starts("backfill", jobs, 2) == [0, 10, 2]
    assert starts("backfill", jobs, 2, estimates=[10.0, 5.0, 10.0]) == [0, 10, 15]


# -- splits ---------------------------------------------------------------------------------------


def test_a_job_that_no_helper_can_serve_holds_nobody_up() -> None:
    # Class 0: need 1, no slot. Class 1: need 4, one slot. Two helpers.
    jobs = [(0.0, 4, 9.0), (1.0, 4, 3.0), (2.0, 1, 50.0), (3.0, 1, 50.0), (4.0, 1, 1.0)]
    for options in ("", ",order=need", ",order=due,allowance=0/-9"):
        assert starts(f"bs:backfill{options}", jobs, 6, slots=[0, 1]) == [0, 9, 2, 3, 52]


def test_auxiliaries_serve_the_helpers_in_their_order() -> None:
    # Class 0: need 1, one slot, busy until 9. Class 1: need 2, no slot. Two helpers.
    jobs = [(0.0, 1, 9.0), (0.0, 2, 4.0), (1.0, 2, 1.0), (2.0, 1, 3.0), (3.0, 1, 8.0)]
    for split in ("bs", "mbs"):
        assert starts(f"{split}:backfill", jobs, 3, slots=[1, 0]) == [0, 0, 4, 5, 5]
        assert starts(f"{split}:backfill,order=need", jobs, 3, slots=[1, 0]) == [0, 0, 12, 4, 4]
    # Own servers take the oldest, whatever the order of the helpers: at 9 job 2, not job 3.
    jobs = [(0.0, 1, 9.0), (0.0, 2, 20.0), (1.0, 1, 5.0), (2.0, 1, 1.0)]
    begun = starts("bs:backfill,order=estimate", jobs, 3, slots=[1, 0])
    assert begun == [0, 0, 9, 14]
    begun = starts("mbs:backfill,order=estimate", jobs, 3, slots=[1, 0])
    assert begun == [0, 0, 20, 20]


# -- a large job in a stream of small ones --------------------------------------------------------


@pytest.mark.parametrize("n", [10, 100])
def test_without_a_reservation_a_large_job_waits_for_the_whole_stream(n: int) -> None:
    jobs = stream_of_small_jobs(n)
    large = {
        after: starts(f"backfill,reserve_after={after}", jobs, 2)[1]
        for after in ("0", "10", "never")
    }
    # 0: from 1 on the shadow is 3, and the small job of 2 would end at 5. 10: before 11 nobody is
    # held back; then it has waited 10, the small job of 10 runs until 13, and that of 12 waits.
    assert large == {"0": 3, "10": 13, "never": 2 * n + 1}


def test_a_reservation_does_not_hold_back_who_stands_before() -> None:
    jobs = stream_of_small_jobs(10)
    assert starts("backfill,order=need", jobs, 2)[1] == 21
    # With an allowance of 6 for the large job those that come until 7 stand before it.
    assert starts("backfill,order=due,allowance=0/6", jobs, 2)[1] == 9
