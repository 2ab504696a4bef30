"""The verdict: change, or change nothing and why, in an operator's words."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from zerowait.experiment.optimisation.scoring import Score
from zerowait.experiment.optimisation.space import Candidate
from zerowait.experiment.plans.audit import FEWEST_WEEKS, WEEKS_FOR_SURE, Audit, Baseline
from zerowait.experiment.plans.choice import PlanChoice, Scored
from zerowait.policies.families.options import time_in_words


def in_words(candidate: Candidate) -> list[str]:
    """Say what to do, in sentences; a policy that has none of its own speaks for itself."""
    policy = candidate.policy.auxiliary or candidate.policy
    return [*_split(candidate), *policy.advice()]


def _split(candidate: Candidate) -> Iterator[str]:
    slots = getattr(candidate.policy, "slots", None)
    if slots is not None:
        yield (
            f"Give classes by need and estimate {'/'.join(map(str, slots))} slots of their own, "
            "and leave the other servers to everybody."
        )


LEVEL = 0.05  # of Holm's tests
WORTH = 0.95  # a smaller gain is not worth a change
# Without a queue: hardly anybody waits, or waits are short and so is the bounded slowdown.
FEW, SHORT_WAIT, LOW_SLOWDOWN = 0.05, 0.05, 2.0
# Beyond its limit, and still not called broken: the longest wait is one job's, and a class mean has
# an interval of its own.
LONGEST_SLACK, CLASS_SLACK = 1.2, 1.5

Kept = Literal["kept", "unclear", "broken"]
Confidence = Literal["high", "moderate", "low"]


@dataclass(frozen=True)
class PlanVerdict:
    """What to do, in plain words."""

    candidate: Candidate | None  # None: change nothing
    tuned_on: str  # half that the candidate was chosen on; empty: not tuned
    reason: str  # one sentence
    sentences: tuple[str, ...]
    confidence: Confidence
    rejected: Candidate | None = None  # the best that was found, where it is not recommended

    @property
    def change(self) -> bool:
        return self.candidate is not None


@dataclass(frozen=True)
class Queue:
    """How much jobs wait today, on the whole log: in a replay, or as the log recorded it."""

    wait: float
    service: float
    bounded_slowdown: float
    p_wait: float

    @property
    def is_none(self) -> bool:
        short = self.wait < SHORT_WAIT * self.service and self.bounded_slowdown < LOW_SLOWDOWN
        return short or self.p_wait < FEW


def judge_plan(
    audit: Audit,
    baseline: Baseline,
    queue: Queue,
    choice: PlanChoice | None,
    recorded: Queue | None = None,
) -> PlanVerdict:
    """Reasons to change nothing come first; `recorded` is the queue in the log's own waits."""
    if queue.is_none:
        return _no_queue(audit, baseline, queue, recorded)
    if choice is None or audit.weeks < FEWEST_WEEKS:
        return _nothing(
            f"the log says too little: {audit.weeks} whole weeks cannot be halved into a part to "
            "choose on and a part to check on", "low",
        )  # fmt: skip
    gaining = [one for one in ("first", "second", "") if _gains(choice, one)]
    if not gaining:
        return _no_gain(audit, baseline, choice)
    allowed = [one for one in gaining if not _broken(choice.whole(one))]
    if not allowed:
        return _too_many_lose(audit, baseline, choice, gaining)
    # What keeps every protection comes before what gains more.
    chosen = min(
        allowed, key=lambda one: (bool(_beyond(choice, one)), _mean_ratio(choice.whole(one)))
    )
    return _change(audit, baseline, choice, chosen)


def _nothing(
    reason: str, confidence: Confidence, *more: str, rejected: Candidate | None = None
) -> PlanVerdict:
    sentences = (f"Change nothing: {reason}.", *more)
    return PlanVerdict(None, "", reason, sentences, confidence, rejected)


def _no_queue(
    audit: Audit, baseline: Baseline, queue: Queue, recorded: Queue | None
) -> PlanVerdict:
    """The log's own waits say whether to believe it."""
    found = (
        f"there is no queue: under {baseline.policy} {queue.p_wait:.1%} of the jobs wait, "
        f"{queue.wait / 60:.1f} min on average over all"
    )
    if recorded is None:
        return _nothing(found, "low", "The log has no waits of its own to check that against.")
    if recorded.is_none:
        return _nothing(found, "high")
    return _nothing(
        f"{found}, in this replay", "low",
        f"The log contradicts that: {recorded.p_wait:.0%} of its jobs waited, "
        f"{time_in_words(recorded.wait)} on average over all, with a bounded slowdown of "
        f"{recorded.bounded_slowdown:.3g}. Something else than too few servers kept them (limits "
        "of users, partitions, nodes that were down), or the number of servers is not "
        f"{audit.servers:,}.",
    )  # fmt: skip


def _no_gain(audit: Audit, baseline: Baseline, choice: PlanChoice) -> PlanVerdict:
    unseen = [one for one in choice.scored if not one.seen and not one.part]
    best = min(unseen, key=lambda one: one.goal.ratio)
    return _nothing(
        f"no significant gain: at best {best.goal.ratio:.2f} of {baseline.policy}'s "
        f"{choice.problem.objectives[0]} in weeks that the choice had not seen, with "
        f"{best.candidate.spelling}", _at_most("moderate", baseline),
        *_unexplained(baseline), *_few(audit), rejected=best.candidate,
    )  # fmt: skip


def _too_many_lose(
    audit: Audit, baseline: Baseline, choice: PlanChoice, gaining: Sequence[str]
) -> PlanVerdict:
    best = choice.whole(min(gaining, key=lambda one: _mean_ratio(choice.whole(one))))
    candidate = best[0].candidate
    return _nothing(
        f"too many would lose under {candidate.spelling}: {'; '.join(sorted(_broken(best)))}",
        _at_most("moderate", baseline), *_unexplained(baseline), *_few(audit), rejected=candidate,
    )  # fmt: skip


def _change(audit: Audit, baseline: Baseline, choice: PlanChoice, tuned_on: str) -> PlanVerdict:
    unseen = choice.unseen(tuned_on)
    candidate = unseen[0].candidate
    goal = str(choice.problem.objectives[0])
    shares = " and ".join(f"{one.goal.ratio:.2f}" for one in unseen)
    reason = (
        f"{goal} falls to {shares} of {baseline.policy}'s in weeks that the choice had not seen"
    )
    sentences = [
        f"Change from {baseline.policy} to {candidate.spelling}.",
        *_unexplained(baseline),
        *in_words(candidate),
        *(_told(one, baseline) for one in unseen),
    ]
    unclear = _beyond(choice, tuned_on)
    if unclear:
        sentences.append(
            f"Watch these, which are beyond their limit in places: {'; '.join(unclear)}."
        )
    sentences += _few(audit)
    sure = all(one.goal.high < WORTH for one in unseen) and audit.weeks >= WEEKS_FOR_SURE
    confidence = _at_most("high" if sure and not unclear else "moderate", baseline)
    return PlanVerdict(candidate, tuned_on, reason, tuple(sentences), confidence)


def _at_most(confidence: Confidence, baseline: Baseline) -> Confidence:
    """Whatever was compared with a model of today that the log does not bear out is unsure."""
    return "low" if baseline.chosen.grade in ("poorly", "not known") else confidence


def _unexplained(baseline: Baseline) -> list[str]:
    """Second of all that is said: everything else is compared with it."""
    one, so = baseline.chosen, "gains and losses are against a model of today, not against today"
    if one.grade == "not known":
        return [f"Whether {one.policy} is today's policy cannot be checked against the log: {so}."]
    if one.grade != "poorly":
        return []
    why = "" if baseline.given else "is assumed because most sites run it, but "
    return [f"{one.policy} {why}does not explain the waits that the log recorded: {so}."]


def _few(audit: Audit) -> list[str]:
    if audit.weeks >= WEEKS_FOR_SURE:
        return []
    return [
        f"{audit.weeks} weeks are few: with another seed, or more evaluations, another change "
        f"may be recommended, or none. From {WEEKS_FOR_SURE} weeks on that is rarer."
    ]


def _told(one: Scored, baseline: Baseline) -> str:
    goal, how = one.goal, "chosen without looking at it" if one.tuned_on else "not tuned to any log"
    return (
        f"In the {one.half} half ({how}) {goal.text} is {goal.ratio:.2f} of {baseline.policy}'s "
        f"(95% interval {goal.low:.2f} to {goal.high:.2f})."
    )


def _gains(choice: PlanChoice, tuned_on: str) -> bool:
    """Significantly and worthwhile, in every part that was not seen."""
    unseen = choice.unseen(tuned_on)
    return bool(unseen) and all(
        one.goal.ratio <= WORTH and choice.p_values[tuned_on, one.half] < LEVEL for one in unseen
    )


def _mean_ratio(scored: Sequence[Scored]) -> float:
    return float(np.mean([math.log(one.goal.ratio) for one in scored]))


def kept(score: Score) -> Kept:
    """Say whether a protection is kept on weeks as they were."""
    if score.kept is not False or not score.reference > 0:
        return "kept"
    limit = score.limit if score.compared_with and score.limit else 1.0
    slack = LONGEST_SLACK if not score.has_interval else CLASS_SLACK
    if score.has_interval and score.low > limit:
        return "broken"
    return "unclear" if score.ratio <= limit * slack else "broken"


def _broken(scored: Sequence[Scored]) -> list[str]:
    return [text for one in scored for text in _texts(one, "broken")]


def _beyond(choice: PlanChoice, tuned_on: str) -> list[str]:
    """Protections beyond their limit in one half or the other, though not clearly broken."""
    return sorted({text for one in choice.whole(tuned_on) for text in _texts(one, "unclear")})


def _texts(one: Scored, state: Kept) -> Iterator[str]:
    for score in one.protections:
        if kept(score) == state:
            yield f"{score.text}: {score.ratio:.2f} in the {one.half} half"
