"""A change in an operator's words."""

import pytest

from zerowait.experiment.optimisation.space import Candidate
from zerowait.experiment.plans.verdict import in_words
from zerowait.policies import parse_policy

ORDER = "Order the queue by submission"
FIXED = "fixed when a job is submitted: "


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (
            "backfill",
            ["Reserve servers at once for the first job that does not fit, as EASY does."],
        ),
        (
            "backfill,order=due,patience=10h,reserve_after=1d",
            [
                f"{ORDER} + 10 h x ln(estimate) + 10 h x ln(servers), {FIXED}short jobs pass long "
                "ones and small jobs pass large ones, but nobody is passed for ever.",
                "Reserve servers for a job that does not fit only once it has waited 24 h.",
            ],
        ),
        (
            "backfill,order=due,patience=2h,need_weight=-0.25,reserve_after=1200",
            [
                f"{ORDER} + 2 h x ln(estimate) - 30 min x ln(servers), {FIXED}short jobs pass "
                "long ones and large jobs pass small ones, but nobody is passed for ever.",
                "Asking for more servers then moves a job forward, which users can exploit.",
                "Reserve servers for a job that does not fit only once it has waited 20 min.",
            ],
        ),
        (
            "backfill,order=due,patience=2h,need_weight=0.001,time_weight=-0.5",
            [
                f"{ORDER} - 1 h x ln(estimate), {FIXED}long jobs pass short ones, but nobody is "
                "passed for ever.",
                "Asking for more time then moves a job forward, which users can exploit.",
                "Reserve servers at once for the first job that does not fit, as EASY does.",
            ],
        ),
        (
            "bs:backfill,slots=4/2",
            [
                "Give classes by need and estimate 4/2 slots of their own, and leave the other "
                "servers to everybody.",
                "Reserve servers at once for the first job that does not fit, as EASY does.",
            ],
        ),
        ("first-fit", []),
    ],
)
def test_every_thing_that_changes_has_a_sentence(policy: str, words: list[str]) -> None:
    assert in_words(Candidate(parse_policy(policy))) == words
