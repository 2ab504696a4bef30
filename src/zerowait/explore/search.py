"""A split that is searched for: a few dozen candidates on short runs, as `optimise` tries them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from zerowait.experiment.comparisons.ranking import contenders
from zerowait.experiment.optimisation.optimise import optimise
from zerowait.explore.answer import setup_of
from zerowait.explore.desk import Event
from zerowait.explore.question import Question
from zerowait.explore.stop import Stop, TooLongError
from zerowait.explore.subject import Subject
from zerowait.model import InputError
from zerowait.policies import Policy
from zerowait.policies.families.splitting import Splitting
from zerowait.policies.spelling import options_of

EVALUATIONS = 60
OF_WORKLOADS = {"arrivals": 30_000, "replications": 2, "scored_arrivals": 50_000}


def search(question: Question, subject: Subject, stop: Stop) -> Iterator[Event]:
    """The slots of the question's only policy that make the mean wait shortest."""
    policies, _ = contenders(question.policies)
    if len(policies) != 1 or not isinstance(policies[0], Splitting):
        raise InputError("policy: only the slots of one policy that splits can be searched")
    policy = replace(policies[0], slots=None)
    yield "progress", f"trying {EVALUATIONS} splits on short runs"
    what, given = _asked(question, subject)
    try:
        found = optimise(
            what, question.servers, policies=policy.spec, minimise="wait", baseline=policy,
            fix=_fixed(policy), evaluations=EVALUATIONS, seed=question.seed, progress=stop.tick,
            **given,
        )  # fmt: skip
    except TooLongError:
        remedy = "drag the borders, or try fewer classes"
        raise InputError(f"search: took longer than {stop.limit_s:.0f} s; {remedy}") from None
    best = found.objectives[0]
    yield "found", {"policy": found.policy, "ratio": best.ratio, "notes": list(found.notes)}
    yield "done", None


def _asked(question: Question, subject: Subject) -> tuple[Any, dict[str, Any]]:
    """What is searched on: the question's own workload and load, or the log's first half."""
    if subject.is_log(question.workload):
        own = {"classes": question.classes or "exact", "overruns": question.overruns}
        return subject.log, own | ({} if question.load is None else {"load": question.load})
    return setup_of(question, subject).workload, dict(OF_WORKLOADS)


def _fixed(policy: Policy) -> dict[str, str]:
    """All options but the slots stay as they are."""
    found = {}
    for one in filter(None, (policy, policy.auxiliary)):
        for name, field in options_of(type(one)).items():
            value = getattr(one, name)
            if name not in ("auxiliary", "slots") and value is not None:
                found[name] = field.metadata["spell"](value)
    return found
