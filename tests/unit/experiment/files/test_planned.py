"""A plan's file where a policy is expected."""

import math
from pathlib import Path

import numpy as np
import pytest

import zerowait as zw
from zerowait.experiment.files.plan_file import (
    Plan,
    PlanClass,
    in_planned_classes,
    plan_named,
    planned_policy,
    save_plan,
)
from zerowait.model import InputError

SPLIT = Plan(
    servers=8,
    baseline="easy",
    choice="bs:easy,slots=1/1/1",
    reason="short jobs wait less",
    classes=(
        PlanClass("small, short", (1, 2), (0.0, 100.0)),
        PlanClass("small, long", (1, 2), (100.0, math.inf)),
        PlanClass("large", (3, 4)),
    ),
)
JOBS = zw.Jobs([0, 1, 2, 3], [1, 2, 4, 2], [10.0, 20.0, 5.0, 150.0], estimate=[99, 100, 7, 50])


def test_a_policy_stays_as_it_is() -> None:
    assert planned_policy("easy") == "easy"
    assert plan_named("easy") is None


@pytest.mark.parametrize(("choice", "policy"), [("first-fit", "first-fit"), (None, "easy")])
def test_a_plan_stands_for_its_choice_or_for_today(
    tmp_path: Path, choice: str | None, policy: str
) -> None:
    save_plan(Plan(8, "easy", choice, "so it was found"), tmp_path / "plan.toml")
    assert planned_policy("plan.toml", tmp_path) == policy


def test_jobs_are_put_into_the_classes_of_a_plan_in_its_order() -> None:
    placed = in_planned_classes(JOBS, SPLIT)
    # The last ran longer than estimated: the plan saw its estimate raised.
    assert np.asarray(placed.job_class).tolist() == [
        "1: small, short", "2: small, long", "3: large", "2: small, long",
    ]  # fmt: skip
    assert placed.class_labels == ["1: small, short", "2: small, long", "3: large"]


def test_a_job_without_a_class_is_refused() -> None:
    wide = zw.Jobs([0, 1], [1, 5], [1.0, 1.0])
    with pytest.raises(InputError, match=r"job 2 \(need 5\): is in no class of the plan"):
        in_planned_classes(wide, SPLIT)


def test_a_workload_has_no_such_classes(tmp_path: Path) -> None:
    save_plan(SPLIT, tmp_path / "plan.toml")
    with pytest.raises(InputError, match="use replay"):
        planned_policy("plan.toml", tmp_path)
