"""A plan's file where a policy is expected: what it decided."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zerowait.experiment.files.plan_file import Plan, load_plan
from zerowait.model import InputError, Jobs
from zerowait.model.overruns import apply_overruns


def plan_named(text: str, folder: Path = Path()) -> Plan | None:
    """The plan in a file; None where the text is a policy. Files are looked for in `folder`."""
    return load_plan(folder / text) if text.endswith(".toml") else None


def planned_policy(text: str, folder: Path = Path()) -> str:
    """The policy of a plan's file, or the text as it is."""
    plan = plan_named(text, folder)
    if plan is None:
        return text
    if plan.classes:
        raise InputError(
            f"{text}: its policy has classes by need and estimate, which only jobs of a log have; "
            "use replay"
        )
    return plan.policy


def in_planned_classes(jobs: Jobs, plan: Plan) -> Jobs:
    """The jobs in the classes of a plan, in its order; the same jobs where it has none."""
    if not plan.classes:
        return jobs
    settled, _ = apply_overruns(jobs, plan.overruns)  # the plan saw these estimates
    number = _class_numbers(settled, plan)
    if (number < 0).any():
        at = int(np.argmax(number < 0))
        raise InputError(
            f"job {at + 1} (need {np.asarray(jobs.need)[at]}): is in no class of the plan; make a "
            "new one for this log"
        )
    width = len(str(len(plan.classes)))
    names = [f"{at:0{width}}: {one.name}" for at, one in enumerate(plan.classes, start=1)]
    return replace(jobs, job_class=np.asarray(names)[number])


def _class_numbers(jobs: Jobs, plan: Plan) -> NDArray[np.int64]:
    """Per job the first class that it belongs to; -1: none."""
    need, estimate = np.asarray(jobs.need), np.asarray(jobs.estimate)
    number = np.full(len(jobs), -1, np.int64)
    for at, one in reversed([*enumerate(plan.classes)]):
        (least, most), (low, high) = one.need, one.estimate
        number[(least <= need) & (need <= most) & (low <= estimate) & (estimate < high)] = at
    return number
