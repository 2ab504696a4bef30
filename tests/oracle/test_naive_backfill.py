"""The naive twins that fill gaps against examples worked by hand from the definitions."""

import pytest

from . import backfilling  # noqa: F401 (registers its twins)
from .backfill import Options, options_of
from .naive import JobRow, naive
from .overruns import RULES
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
    """List the jobs in the order of their starts."""
    begun = starts(f"backfill,{options}", jobs, 4)
    assert len(set(begun)) == len(begun)
    return sorted(range(len(jobs)), key=lambda i: begun[i])


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


# -- one reservation ------------------------------------------------------------------------------


def test_extra_counts_all_that_is_free_by_then() -> None:
    # Jobs 0 and 1 both end at 10. Job 2 needs 3, which job 0 and the idle server would make up; but
    # by 10 all four are free, so that job 3 may take the idle one for as long as it likes.
    jobs = [(0.0, 2, 10.0), (0.0, 1, 10.0), (1.0, 3, 5.0), (2.0, 1, 50.0)]
    assert starts("backfill", jobs, 4) == [0, 0, 10, 2]
    jobs[1] = (0.0, 1, 11.0)  # one second later, and it may not
    assert starts("backfill", jobs, 4) == [0, 0, 10, 11]


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


# -- splits ---------------------------------------------------------------------------------------


def test_a_job_that_no_helper_can_serve_holds_nobody_up() -> None:
    # Class 0: need 1, no slot. Class 1: need 4, one slot. Two helpers.
    jobs = [(0.0, 4, 9.0), (1.0, 4, 3.0), (2.0, 1, 50.0), (3.0, 1, 50.0), (4.0, 1, 1.0)]
    for options in ("", ",order=need", ",order=due,allowance=0/-9"):
        assert starts(f"bs:backfill{options}", jobs, 6, slots=[0, 1]) == [0, 9, 2, 3, 52]


# -- the other policies that fill gaps ------------------------------------------------------------


def test_easy_lets_others_take_what_the_head_will_not_need() -> None:
    # At 10 the head needs two of four servers: job 2 may take one for as long as it likes.
    assert starts("easy", [(0.0, 3, 10.0), (1.0, 2, 5.0), (2.0, 1, 50.0)], 4) == [0, 10, 2]
    assert starts("easy", [(0.0, 3, 10.0), (1.0, 4, 5.0), (2.0, 1, 50.0)], 4) == [0, 10, 15]


def test_conservative_keeps_the_reservations_of_all() -> None:
    # Under easy job 3 takes the server that the head leaves over, and delays job 2.
    jobs = [(0.0, 2, 10.0), (1.0, 3, 10.0), (2.0, 4, 5.0), (3.0, 1, 30.0)]
    assert starts("easy", jobs, 4) == [0, 10, 33, 3]
    assert starts("conservative", jobs, 4) == [0, 10, 20, 25]
    # Who ends when a reservation begins is not in its way.
    assert starts("conservative", [(0.0, 2, 10.0), (1.0, 4, 5.0), (2.0, 2, 8.0)], 4) == [0, 10, 2]


def test_smallest_area_first_skips_what_does_not_fit() -> None:
    assert starts("smallest-area-first", [(0.0, 2, 10.0), (1.0, 2, 1.0), (2.0, 1, 3.0)], 3)[2] == 2
    # Areas 10 and 6: the longer job goes first.
    assert starts("smallest-area-first", [(0.0, 5, 9.0), (1.0, 5, 2.0), (2.0, 1, 6.0)], 5)[2] == 9


def test_myopic_maxweight_prefers_large_needs_among_equals() -> None:
    # At 5 (3, 1) and (2, 1) both weigh two jobs.
    jobs = [(0.0, 4, 5.0), (1.0, 2, 1.0), (2.0, 3, 1.0), (3.0, 1, 1.0)]
    assert starts("maxweight-myopic", jobs, 4) == [0, 6, 5, 5]


# -- jobs that outrun their estimates -------------------------------------------------------------

# Three servers. Job 0 is announced until 4 and runs until 10; job 1 needs all servers.
LIST = [(0.0, 2, 10.0), (1.0, 3, 1.0), (2.0, 1, 3.0), (6.0, 1, 1.0), (7.0, 1, 5.0)]
ESTIMATES = [4.0, 1.0, 3.0, 1.0, 0.0]


@pytest.mark.parametrize("policy", ["easy", "backfill"])
@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        # Job 1 has a reservation at 10. Job 2 ends at 5, job 3 at 7, and job 4 is now announced as
        # long as it is, until 12: it waits for job 1.
        ("extend", [(0, 10), (10, 11), (2, 5), (6, 7), (11, 16)]),
        # Job 0 is ended at 4, when job 1 starts; job 2 would have ended at 5. Job 4 ends at once.
        ("kill", [(0, 4), (4, 5), (5, 8), (6, 7), (7, 7)]),
        # 2: job 1 has a reservation at 4, job 2 would end at 5. 6: job 0 has outrun its estimate
        # and is assumed to end now, so that nobody ends in time. 7: as before, anew; but job 4 is
        # announced to end now, and starts. 10: job 0 ends. Job 4 is assumed to end now, and jobs 2
        # and 3 may not delay job 1, which starts when job 4 does end.
        ("as-recorded", [(0, 10), (12, 13), (13, 16), (13, 14), (7, 12)]),
    ],
)
def test_reservations(rule: str, expected: list[tuple[float, float]], policy: str) -> None:
    outcomes = naive(policy, LIST, 3, estimates=ESTIMATES, overruns=rule)
    assert [(o.start, o.end) for o in outcomes] == expected


def test_means_of_classes_see_what_was_killed() -> None:
    # Class 0 has services 9 and 9, announced as 2 and 1; class 1 has 4. Job 0 holds the server.
    jobs = [(0.0, 1, 9.0), (1.0, 1, 4.0), (1.0, 1, 9.0)]
    policy = "backfill,order=estimate,by=class"
    begun = {
        rule: [o.start for o in naive(policy, jobs, 1, [0, 1, 0], None, [2.0, 4.0, 1.0], rule)]
        for rule in RULES
    }
    # Extend, as-recorded: 9 against 4. Kill: 3 / 2 against 4.
    assert begun == {"extend": [0, 9, 13], "kill": [0, 3, 2], "as-recorded": [0, 9, 13]}
