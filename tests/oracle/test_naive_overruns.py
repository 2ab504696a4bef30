"""The naive rules for jobs that outrun their estimates, against examples worked by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.draws import draws

from . import backfill, backfilling  # noqa: F401 (register their twins)
from .naive import naive
from .overruns import RULES, settle
from .strategies import Case, guessed, plain_cases

JOBS = [(0.0, 1, 5.0), (1.0, 2, 5.0), (2.0, 1, 5.0)]


def test_rules() -> None:
    estimates = [3.0, 5.0, 9.0]
    assert settle("extend", JOBS, estimates) == (JOBS, [5, 5, 9])
    killed = [(0, 1, 3), (1, 2, 5), (2, 1, 5)]
    assert settle("kill", JOBS, estimates) == (killed, estimates)
    assert settle("as-recorded", JOBS, estimates) == (JOBS, estimates)
    for rule in RULES:
        assert settle(rule, JOBS, None) == (JOBS, [5, 5, 5])


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


def test_an_overrun_job_is_free_now_at_every_decision_anew() -> None:
    # Three servers. Job 0 (need 2) is announced until 2, and runs until 20. Job 1 needs 2. At 3 and
    # at 9 two servers are assumed free now, three with the idle one, so that one is extra: job 2
    # takes it at 3 (until 8), job 3 at 9, however long it is.
    jobs = [(0.0, 2, 20.0), (1.0, 2, 1.0), (3.0, 1, 5.0), (9.0, 1, 30.0)]
    estimates = [2.0, 1.0, 5.0, 30.0]
    outcomes = naive("backfill", jobs, 3, estimates=estimates, overruns="as-recorded")
    assert [o.start for o in outcomes] == [0, 20, 3, 9]


@pytest.mark.parametrize(
    ("order", "rule", "expected"),
    [
        # Served one by one after 5; services 6, 2, 3, announced as 1, 2, 3.
        ("estimate", "as-recorded", [0, 5, 11, 13]),
        ("estimate", "extend", [0, 10, 5, 7]),
        ("estimate", "kill", [0, 5, 6, 8]),
        ("due,patience=9", "as-recorded", [0, 5, 11, 13]),
        ("due,patience=9", "extend", [0, 10, 5, 7]),
    ],
)
def test_keys_see_what_the_rule_made_of_an_estimate(
    order: str, rule: str, expected: list[float]
) -> None:
    jobs = [(0.0, 1, 5.0), (1.0, 1, 6.0), (1.0, 1, 2.0), (1.0, 1, 3.0)]
    estimates = [5.0, 1.0, 2.0, 3.0]
    outcomes = naive(f"backfill,order={order}", jobs, 1, estimates=estimates, overruns=rule)
    assert [o.start for o in outcomes] == expected


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


@pytest.mark.parametrize("policy", ["fcfs", "first-fit", "easy", "conservative", "backfill"])
@given(case=guessed(plain_cases()))
@draws(100)
def test_without_overruns_the_rules_are_one(policy: str, case: Case) -> None:
    jobs, estimates = settle("extend", case.jobs, case.estimates)
    outcomes = [
        naive(policy, jobs, case.servers, case.job_class, None, estimates, rule) for rule in RULES
    ]
    assert outcomes[0] == outcomes[1] == outcomes[2]


@pytest.mark.parametrize("policy", ["fcfs", "first-fit", "maxweight-myopic"])
@given(case=guessed(plain_cases()), rule=st.sampled_from(["extend", "as-recorded"]))
@draws(100)
def test_who_looks_at_no_estimate_is_concerned_by_kill_only(
    policy: str, case: Case, rule: str
) -> None:
    exact = naive(policy, case.jobs, case.servers, case.job_class)
    assert naive(policy, *case._replace(overruns=rule)) == exact
    killed, _ = settle("kill", case.jobs, case.estimates)
    expected = naive(policy, killed, case.servers, case.job_class)
    assert naive(policy, *case._replace(overruns="kill")) == expected
