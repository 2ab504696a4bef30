"""The oracle of the preemptive policies against examples worked by hand from the definitions."""

from .fills import Job
from .naive import JobRow
from .preemptive import (
    Age,
    Outcome,
    empirical_mean_residual,
    empirical_rank,
    naive_preemptive,
    services_of,
)

Rows = list[tuple[float, float, int]]
Priced = tuple[float, float, int, float]  # start, end, preemptions, lost


def rows(outcomes: list[Outcome]) -> Rows:
    return [(o.start, o.end, o.preemptions) for o in outcomes]


def starts(outcomes: list[Outcome]) -> list[float]:
    return [o.start for o in outcomes]


def queue(*needs: int) -> list[Job]:
    return [Job(i, 0.0, need, 1.0, 0, remaining=1.0) for i, need in enumerate(needs)]


def orders(jobs: list[Job]) -> list[int]:
    return [job.order for job in jobs]


# -- one policy at a time -------------------------------------------------------------------------


def test_most_servers_first() -> None:
    jobs = [(0.0, 1, 4.0), (1.0, 3, 2.0), (2.0, 2, 1.0)]
    # At 1 the need of 3 takes all, job 0 is paused with 3 to go; at 3 the other two go together.
    assert rows(naive_preemptive("msf", jobs, 3)) == [(0, 6, 1), (1, 3, 0), (3, 4, 0)]
    # The need of 2 does not fit beside the need of 3, the need of 1 does.
    jobs = [(0.0, 3, 2.0), (0.0, 2, 2.0), (0.0, 1, 2.0)]
    assert starts(naive_preemptive("msf", jobs, 4)) == [0, 2, 0]


def test_least_servers_first() -> None:
    jobs = [(0.0, 3, 4.0), (1.0, 1, 2.0), (2.0, 2, 5.0)]
    # At 3 job 1 ends, but the need of 2 goes on before the need of 3, which has 3 to go at 7.
    assert rows(naive_preemptive("lsf", jobs, 3)) == [(0, 10, 1), (1, 3, 0), (2, 7, 0)]


def test_first_fit_srpt() -> None:
    jobs = [(0.0, 2, 5.0), (1.0, 2, 3.0), (1.0, 1, 9.0), (2.0, 3, 1.0)]
    # 1: job 1 (3) pauses job 0 (4), which is skipped for job 2 (9). 2: job 3 (1) pauses both.
    # 3: jobs 1 (2) and 2 (8). 5: jobs 0 (4) and 2 (6).
    expected = [(0, 9, 1), (1, 5, 1), (1, 11, 1), (2, 3, 0)]
    assert rows(naive_preemptive("ff-srpt", jobs, 3)) == expected


def test_greedy_srpt_stops_where_first_fit_skips() -> None:
    jobs = [(0.0, 1, 5.0), (0.0, 3, 2.0), (0.0, 1, 9.0)]  # sizes 5, 6, 9
    assert rows(naive_preemptive("greedy-srpt", jobs, 3)) == [(0, 5, 0), (5, 7, 0), (7, 16, 0)]
    # At 5 job 2 has a size of 4 and goes before job 1.
    expected = [(0, 5, 0), (9, 11, 0), (0, 9, 0)]
    assert rows(naive_preemptive("ff-srpt,key=size", jobs, 3)) == expected


def test_maxweight() -> None:
    jobs = [(0.0, 3, 10.0), (0.0, 1, 10.0), (0.0, 2, 10.0), (0.0, 2, 10.0)]
    # Needs 3, 2, 1. With three jobs x = (1, 0, 1) and (0, 1, 1) weigh 2: the former is larger.
    # With four, Q = (1, 2, 1): (0, 2, 0) weighs 4, more than (0, 1, 1) with 3.
    expected = [(0, 20, 1), (0, 20, 1), (0, 10, 0), (0, 10, 0)]
    assert rows(naive_preemptive("maxweight", jobs, 4)) == expected
    assert starts(naive_preemptive("maxweight", jobs[:3], 4)) == [0, 0, 10]


def test_server_filling() -> None:
    jobs = [(0.0, 1, 5.0), (1.0, 4, 2.0), (2.0, 2, 1.0), (2.0, 1, 1.0)]
    # 1: M = {0, 1}, the need of 4 goes. 3: M is the other three, which fill 4 servers.
    expected = [(0, 7, 1), (1, 3, 0), (3, 4, 0), (3, 4, 0)]
    assert rows(naive_preemptive("sf", jobs, 4)) == expected


def test_server_filling_gittins_by_age() -> None:
    jobs = [(0.0, 1, 5.0), (1.0, 1, 1.0), (2.0, 1, 1.0)]
    rank: list[Age] = [lambda a: 2.0, lambda a: 1.0 + a]
    # 1: job 0 has rank 2 as has job 1, and goes on. 2: it has rank 3 and is paused until 4.
    for policy in ("sf-gittins", "df-gittins"):
        outcomes = naive_preemptive(policy, jobs, 1, [1, 0, 0], rank=rank)
        assert rows(outcomes) == [(0, 7, 1), (2, 3, 0), (3, 4, 0)]
    # Times need: 2 x 2 comes after 3 and 3, which fill the servers.
    jobs = [(0.0, 1, 5.0), (0.0, 1, 5.0), (1.0, 2, 1.0)]
    rank = [lambda a: 3.0, lambda a: 2.0]
    outcomes = naive_preemptive("sf-gittins", jobs, 2, rank=rank)
    assert rows(outcomes) == [(0, 5, 0), (0, 5, 0), (5, 6, 0)]


def test_divisor_filling_srpt() -> None:
    jobs = [(0.0, 2, 3.0), (1.0, 1, 1.0), (1.0, 1, 9.0), (2.0, 1, 2.0)]
    # 1 and 2: the first two by size are job 1 and job 0, and only the latter fills both servers.
    # 3: sizes 1, 9, 2.
    expected = [(0, 3, 0), (3, 4, 0), (4, 13, 0), (3, 5, 0)]
    assert rows(naive_preemptive("df-srpt", jobs, 2)) == expected


def test_zero_service_preempts_and_ends_at_once() -> None:
    jobs = [(0.0, 1, 3.0), (1.0, 1, 0.0), (1.0, 1, 1e-17), (1.0, 1, 2.5)]
    for policy in ("ff-srpt", "sf-srpt", "greedy-srpt"):
        outcomes = naive_preemptive(policy, jobs, 1)
        assert rows(outcomes) == [(0, 3, 2), (1, 1, 0), (1, 1, 0), (3, 5.5, 0)]


# -- splits ---------------------------------------------------------------------------------------


def test_own_servers_do_not_take_what_is_paused_in_the_same_decision() -> None:
    jobs = [(0.0, 1, 1.0), (0.0, 1, 6.0), (2.0, 2, 2.0), (3.0, 1, 1.0)]
    # 1: A_0 is idle, job 1 is in service on H and stays there. 2: job 2 pauses it (4 to go) after
    # A_0 has looked. 3: job 3 finds it waiting and is routed; A_0 takes job 1, the older.
    assert naive_preemptive("bs:msf", jobs, 3, slots=[1, 0]) == [
        Outcome(0, 1, False, False, 0),
        Outcome(0, 7, False, True, 1),
        Outcome(2, 4, True, True, 0),
        Outcome(4, 5, True, True, 0),
    ]


def test_an_event_of_own_servers_is_a_decision_on_the_helpers() -> None:
    # Classes by need (1, 2, 4, 8), one slot for the last; five helpers.
    jobs = [(0.0, 4, 2.0), (0.0, 2, 3.0), (0.0, 1, 1.0), (1.0, 8, 9.0)]
    # 0: sizes 8, 6, 1, M = all; the need of 4 goes, the need of 2 does not fit and stops all.
    # 1: job 3 enters its own servers. Job 0 has a size of 4 now: M = {2, 0}, and job 2 starts.
    outcomes = naive_preemptive("bs:sf-srpt", jobs, 13, slots=[0, 0, 0, 1])
    assert rows(outcomes) == [(0, 2, 0), (2, 5, 0), (1, 2, 0), (1, 10, 0)]
    assert outcomes[3] == Outcome(1, 10, False, False, 0)
    assert starts(naive_preemptive("sf-srpt", jobs[:3], 5)) == [0, 2, 2]


def test_refill_with_the_largest_of_mixed_needs_blocks() -> None:
    # One class of needs 1 and 3, one slot, three helpers busy until 20.
    jobs = [(0.0, 3, 5.0), (0.0, 3, 20.0), (1.0, 1, 10.0), (2.0, 1, 2.0), (3.0, 3, 1.0)]
    # 5: sizes 10, 2, 3: job 2 goes in, job 4 does not fit and keeps job 3 out.
    largest = naive_preemptive("bs:fcfs,refill=largest", jobs, 6, [0] * 5, [1])
    assert starts(largest) == [0, 0, 5, 16, 15]
    oldest = naive_preemptive("bs:fcfs", jobs, 6, [0] * 5, [1])
    assert starts(oldest) == [0, 0, 5, 5, 15]
    # Without knowing sizes the largest need is expected to be the largest.
    expected = naive_preemptive(
        "bs:fcfs,refill=expected", jobs, 6, [0] * 5, [1], mean_residual=[lambda a: 4.0]
    )
    assert starts(expected) == [0, 0, 6, 6, 5]


def test_refill_with_the_largest_expected_by_age() -> None:
    jobs = [(0.0, 1, 4.0), (0.0, 1, 9.0), (2.0, 2, 6.0), (3.0, 1, 9.0)]
    # 2: job 2 pauses job 1 at the age of 2. 4: A_0 chooses between it and job 3, of age 0.
    older: list[Age] = [lambda a: 1 + a, lambda a: 1.0]
    outcomes = naive_preemptive(
        "bs:msf,refill=expected", jobs, 3, slots=[1, 0], mean_residual=older
    )
    assert rows(outcomes) == [(0, 4, 0), (0, 11, 1), (2, 8, 0), (8, 17, 0)]
    assert [o.helpers for o in outcomes] == [False, False, True, True]
    younger: list[Age] = [lambda a: 10 - a, lambda a: 1.0]
    outcomes = naive_preemptive(
        "bs:msf,refill=expected", jobs, 3, slots=[1, 0], mean_residual=younger
    )
    assert rows(outcomes) == [(0, 4, 0), (0, 15, 1), (2, 8, 0), (4, 13, 0)]
    assert [o.helpers for o in outcomes] == [False, True, True, False]


# -- prices of pauses -----------------------------------------------------------------------------


def priced(policy: str, jobs: list[JobRow], servers: int, cost: str | float) -> list[Priced]:
    outcomes = naive_preemptive(policy, jobs, servers, preemption_cost=cost)
    return [(o.start, o.end, o.preemptions, o.lost) for o in outcomes]


def test_a_pause_while_paying_adds_the_new_price() -> None:
    jobs = [(0.0, 1, 10.0), (2.0, 1, 3.0), (6.0, 1, 1.0)]
    # 2: 8 left and 4 to pay. 6: 8 left, 3 and 4 to pay. 7: 15 left.
    assert priced("ff-srpt", jobs, 1, 4)[0] == (0, 22, 2, 8)
    # 2: 8 left and 2 to pay. 6: 2 are done still, so 8 left, 1 and 2 to pay. 7: 11 left.
    assert priced("ff-srpt", jobs, 1, "100%")[0] == (0, 18, 2, 4)


def test_a_pause_at_the_instant_of_the_start_has_the_price_of_any() -> None:
    jobs = [(0.0, 2, 2.0), (0.0, 1, 3.0)]
    assert priced("ff-srpt,key=size", jobs, 2, 1.5) == [(0, 6.5, 1, 3), (0, 3, 0, 0)]
    assert priced("ff-srpt,key=size", jobs, 2, "90%") == [(0, 5, 1, 0), (0, 3, 0, 0)]


def test_own_servers_take_a_paused_job_with_what_it_owes() -> None:
    # Class 0: need 1, one slot. Class 1: need 2, no slot. Two helpers. 1: job 2 pauses job 1 (5 to
    # go, 3 to pay) on H. 2: A_0 takes it.
    jobs = [(0.0, 1, 2.0), (0.0, 1, 6.0), (1.0, 2, 2.0)]
    outcomes = naive_preemptive("bs:msf", jobs, 3, slots=[1, 0], preemption_cost=3)
    assert outcomes[1] == Outcome(0, 10, False, True, 1, 3)
    outcomes = naive_preemptive("mbs:msf", jobs, 3, slots=[1, 0], preemption_cost=3)
    assert outcomes[1] == Outcome(0, 11, True, True, 1, 3)


def test_refill_with_the_largest_counts_what_is_owed() -> None:
    # 1: job 2 pauses job 1 on H, with 5 left. 2: A_0 chooses between it and job 3 with 6.
    jobs = [(0.0, 1, 2.0), (0.0, 1, 6.0), (1.0, 2, 9.0), (1.5, 1, 6.0)]
    # Equal sizes: the oldest.
    for cost, (paused, waiting) in ((0, (8, 2)), (1, (2, 8)), (2, (2, 9))):
        outcomes = naive_preemptive(
            "bs:msf,refill=largest", jobs, 3, slots=[1, 0], preemption_cost=cost
        )
        resumed = outcomes[1].end - 5 - cost
        assert (resumed, outcomes[3].start) == (paused, waiting)


# -- ranks ----------------------------------------------------------------------------------------


def test_ranks_and_mean_residuals_of_a_sample() -> None:
    rank = empirical_rank([2.0, 2.0])
    assert [rank(a) for a in (0.0, 0.5, 1.0, 2.0)] == [2, 1.5, 1, 0]
    rank = empirical_rank([1.0, 9.0])  # at 0: (1 + 1) / 1 for b = 1, (1 + 9) / 2 for b = 9
    assert [rank(a) for a in (0.0, 0.5, 1.0, 5.0)] == [2, 1, 8, 4]
    residual = empirical_mean_residual([1.0, 9.0])
    assert [residual(a) for a in (0.0, 0.5, 1.0, 9.0)] == [5, 4.5, 8, 0]
    assert services_of([(0.0, 2, 5.0), (0.0, 1, 6.0), (0.0, 2, 7.0)], None) == [[6], [5, 7]]
