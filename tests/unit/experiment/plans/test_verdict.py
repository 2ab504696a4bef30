"""What is recommended, and when a protection counts as kept, unclear or broken."""

import math
from dataclasses import fields, replace

import pytest

from zerowait.experiment.optimisation.scoring import Score
from zerowait.experiment.optimisation.space import Candidate
from zerowait.experiment.plans.audit import Audit, Baseline, Explained
from zerowait.experiment.plans.choice import PlanChoice, Scored, plan_problem
from zerowait.experiment.plans.effects import fewest
from zerowait.experiment.plans.verdict import PlanVerdict, Queue, judge_plan, kept
from zerowait.policies import parse_policy

AUDIT = Audit(**{one.name: None for one in fields(Audit)})  # of which the verdict takes the weeks


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


POLICIES = {"first": "backfill,reserve_after=1h", "second": "backfill,reserve_after=2h"}
EASY = Baseline(Explained(0.1, 0.9, "easy", 1e4), (), True, 1e4, "easy is today's.")
QUEUE = Queue(1e4, 1e4, 50.0, 0.5)


def choice(**found: tuple[float, float, float]) -> PlanChoice:
    """Per half that was tuned on: the goal on the other half, its p-value, and the longest wait."""
    rows, p_values = [], {}
    for tuned_on, (goal, p_value, longest) in found.items():
        candidate = Candidate(parse_policy(POLICIES[tuned_on]))
        for half in ("first", "second"):
            aim = Score(
                "bounded_slowdown", goal, 1.0, "easy", goal, goal - 0.1, goal + 0.1, p_value
            )
            rows.append(Scored(candidate, half, tuned_on, "", (aim, score(longest))))
            if half != tuned_on:
                p_values[tuned_on, half] = p_value
    return PlanChoice(plan_problem(["all"], "easy"), tuple(rows), p_values, 2, "")  # type: ignore[arg-type]


def judged(
    weeks: int = 20, baseline: Baseline = EASY, **found: tuple[float, float, float]
) -> PlanVerdict:
    return judge_plan(replace(AUDIT, weeks=weeks), baseline, QUEUE, choice(**found))


def test_what_keeps_all_protections_comes_before_what_gains_more() -> None:
    both = judged(first=(0.4, 0.001, 1.4), second=(0.6, 0.001, 1.1))
    assert both.tuned_on == "second"
    assert both.confidence == "high"
    alone = judged(first=(0.4, 0.001, 1.4))
    assert alone.tuned_on == "first"
    assert alone.confidence == "moderate"
    assert any("Watch these" in one for one in alone.sentences)


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ((0.5, 0.2, 1.0), "no significant gain: at best 0.50"),
        ((0.97, 0.001, 1.0), "no significant gain: at best 0.97"),
        ((0.5, 0.001, 1.6), "too many would lose"),
    ],
)
def test_nothing_is_changed_without_support(found: tuple[float, float, float], why: str) -> None:
    verdict = judged(first=found)
    assert not verdict.change
    assert verdict.reason.startswith(why)
    assert POLICIES["first"] in verdict.reason
    assert verdict.rejected == Candidate(parse_policy(POLICIES["first"]))
    assert verdict.confidence == "moderate"


@pytest.mark.parametrize("goal", [(0.4, 0.001, 1.0), (0.5, 0.2, 1.0), (0.5, 0.001, 1.6)])
def test_no_verdict_is_surer_than_what_is_known_of_today(goal: tuple[float, float, float]) -> None:
    poorly = replace(EASY, chosen=replace(EASY.chosen, correlation=0.0))
    verdict = judged(baseline=poorly, first=goal)
    assert verdict.confidence == "low"
    assert verdict.sentences[1].startswith("easy does not explain the waits that the log recorded")


def test_few_weeks_are_never_sure_and_say_so() -> None:
    few = judged(weeks=19, first=(0.4, 0.001, 1.0))
    assert few.confidence == "moderate"
    assert any("19 weeks are few: with another seed" in one for one in few.sentences)
    assert judged(first=(0.4, 0.001, 1.0)).confidence == "high"


@pytest.mark.parametrize(
    ("recorded", "confidence", "told"),
    [
        (Queue(20.0, 1000.0, 1.2, 0.9), "high", "on average over all."),
        (Queue(3 * 3600.0, 1000.0, 9.0, 0.01), "high", "on average over all."),  # of one in 100
        (Queue(3 * 3600.0, 1000.0, 9.0, 0.6), "low", "60% of its jobs waited, 3 h on average"),
        (Queue(20.0, 1000.0, 9.0, 0.6), "low", "with a bounded slowdown of 9"),
        (None, "low", "no waits of its own to check that against"),
    ],
)
def test_no_queue_is_checked_against_the_recorded_waits(
    recorded: Queue | None, confidence: str, told: str
) -> None:
    log = replace(AUDIT, weeks=20, servers=64)
    verdict = judge_plan(log, EASY, Queue(10, 1000, 1.1, 0.01), None, recorded)
    assert verdict.confidence == confidence
    assert verdict.reason.startswith("there is no queue")
    assert told in " ".join(verdict.sentences)
