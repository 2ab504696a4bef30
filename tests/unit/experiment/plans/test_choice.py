"""How much a protection must be kept by, while a change is chosen."""

from dataclasses import fields, replace
from typing import Any

import pytest

from zerowait.experiment.optimisation.problem import NO_JUDGEMENT, Problem
from zerowait.experiment.optimisation.search import Trial
from zerowait.experiment.optimisation.space import Candidate
from zerowait.experiment.plans.choice import Chooser, plan_problem
from zerowait.policies import parse_policy

NOTHING: dict[str, Any] = {one.name: None for one in fields(Chooser)}
CHOOSER = replace(Chooser(**NOTHING), problem=plan_problem(["small"], "easy"))


@pytest.mark.parametrize(
    ("found", "margins"),
    [({"deviation": "backfill,order=due,patience=1"}, ["deviation"]),
     ({"deviation": "easy", "error": "backfill,order=due,patience=2"}, ["deviation", "error"]),
     ({"deviation": "easy", "error": "easy"}, ["deviation", "error"])],
)  # fmt: skip
def test_where_only_todays_policy_is_allowed_a_smaller_margin_must_do(
    found: dict[str, str], margins: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []

    def search(self: Chooser, problem: Problem, half: Any, split: bool) -> tuple[Trial, int]:
        tried.append(problem.margin)
        candidate = Candidate(parse_policy(found[problem.margin]))
        return Trial(candidate, 0, (), NO_JUDGEMENT), 7

    monkeypatch.setattr(Chooser, "_search_with", search)
    trial, n = CHOOSER._search(NOTHING["known"], split=False)
    assert tried == margins
    assert n == 7 * len(margins)
    assert trial.candidate.spelling == parse_policy(found[margins[-1]]).spec
