"""The policies that are compared, and which of them is the baseline."""

from collections.abc import Sequence

from zerowait.model import InputError
from zerowait.model.quantities import refuse
from zerowait.policies import Policy, parse_policy

AnyPolicy = str | Policy | type[Policy]


def contenders(
    policies: Sequence[AnyPolicy], baseline: str | None = None
) -> tuple[list[Policy], int]:
    """Each as it is spelled, once, and the number of the baseline: the first unless it is named."""
    if isinstance(policies, str) or len(policies) == 0:
        raise InputError(f"policies = {policies!r}: give a list of policies, the baseline first")
    chosen = [parse_policy(policy) for policy in policies]
    names = [policy.spec for policy in chosen]
    doubled = next((name for name in names if names.count(name) > 1), None)
    if doubled is not None:
        raise refuse("policies", doubled, "is given twice; leave one out")
    if baseline is None:
        return chosen, 0
    return chosen, policy_number(baseline, names, "baseline")


def policy_number(name: str, names: Sequence[str], argument: str = "policy") -> int:
    """The place of a policy among those compared, however it is spelled."""
    if name not in names:
        name = parse_policy(name).spec
    if name not in names:
        raise refuse(argument, name, f"must be one of {', '.join(names)}")
    return names.index(name)
