"""A plan's file where a policy is expected: what it decided."""

from pathlib import Path

from zerowait.model import InputError


def planned_policy(text: str, folder: Path = Path()) -> str:
    """The policy of a plan's file, or the text as it is; files are looked for in `folder`."""
    if not text.endswith(".toml"):
        return text
    from zerowait.experiment.files.plan_file import load_plan

    plan = load_plan(folder / text)
    if plan.classes:
        raise InputError(f"{text}: its policy has classes of its own; deploy reads such a plan")
    return plan.choice or plan.baseline
