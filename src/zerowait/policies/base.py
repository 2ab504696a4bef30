"""The register of all known policies."""

from typing import Any

from zerowait.engine.policy import Policy
from zerowait.model import InputError
from zerowait.model.quantities import refuse
from zerowait.policies.families.options import check_options

__all__ = ["POLICIES", "Policy", "check_declared", "register"]

POLICIES: dict[str, type[Policy]] = {}
OURS = "zerowait.policies."
SPELLING = ",:="  # what separates the parts of a spelling


def register(policy: type[Policy]) -> type[Policy]:
    """Class decorator: make `policy` known to the CLI, the docs and the contract tests.

    A decorator, not `__init_subclass__`: Dask rebuilds classes from notebooks piecemeal, and
    a hook that runs before `name` exists would break them.
    """
    check_declared(policy)
    names = [name for name in (policy.name, policy.alias) if name]
    for name in names:
        known = POLICIES.get(name)
        if known is not None and not _may_retake(policy, known):
            raise InputError(
                f"policy name {name!r} is taken by {known.__qualname__}; give "
                f"{policy.__qualname__} a name and an alias of its own"
            )
    POLICIES.update(dict.fromkeys(names, policy))
    return policy


def _may_retake(policy: type[Policy], known: type[Policy]) -> bool:
    """A cell that is run again, a file after an edit; a user's class never hides one of ours."""
    if known.__module__.startswith(OURS) and policy.__module__ != known.__module__:
        return False
    return known.__qualname__ == policy.__qualname__


def check_declared(policy: Any) -> None:
    """Raise InputError where a class is no policy, has no name or options that none can spell."""
    if not isinstance(policy, type) or not issubclass(policy, Policy):
        raise refuse("policy", policy, "must be a class that inherits from zerowait.Policy")
    if not getattr(policy, "name", None):
        raise InputError(f"policy {policy.__qualname__}: has no name; write name = 'my-policy'")
    for field in ("name", "alias"):
        value = getattr(policy, field)
        if not isinstance(value, str) or value != value.strip() or {*SPELLING} & {*value}:
            remedy = f"must be a text without blanks at its ends and without any of {SPELLING}"
            raise refuse(f"policy {policy.__qualname__}: {field}", value, remedy)
    check_options(policy)
