"""Reading a policy's spelling: `name[:auxiliary][,key=value...]`."""

from dataclasses import fields, is_dataclass
from typing import Any

from zerowait.model import InputError
from zerowait.policies.base import POLICIES, Policy


def parse_policy(policy: "str | Policy | type[Policy]") -> Policy:
    """The policy that is meant: an instance as it is, a class with its defaults, or a spelling."""
    if isinstance(policy, Policy):
        return policy
    if isinstance(policy, type) and issubclass(policy, Policy):
        return policy()
    if not isinstance(policy, str):
        raise InputError(f"policy={policy!r}: give a name such as 'fcfs', or a Policy")
    names, *options = (part.strip() for part in policy.split(","))
    name, colon, auxiliary_name = names.partition(":")
    kind = _find(name, policy)
    given = dict(_option(option, policy) for option in options)
    if not colon:
        return _build(kind, given, policy)
    if "auxiliary" not in _fields(kind):
        raise InputError(f"policy {policy!r}: {kind.name} takes no auxiliary policy")
    auxiliary = _find(auxiliary_name, policy)
    if "auxiliary" in _fields(auxiliary):
        raise InputError(f"policy {policy!r}: {auxiliary.name} cannot be an auxiliary policy")
    # An option belongs to the policy that has it, the outer one first.
    inner = {key: given.pop(key) for key in list(given) if key not in _fields(kind)}
    return _build(kind, given, policy, auxiliary=_build(auxiliary, inner, policy))


def _find(name: str, spelling: str) -> type[Policy]:
    key = name.strip().lower().replace("_", "-")
    if key not in POLICIES:
        known = ", ".join(sorted({kind.alias or kind.name for kind in POLICIES.values()}))
        raise InputError(f"policy {spelling!r}: there is no policy {name!r}; known: {known}")
    return POLICIES[key]


def _option(option: str, spelling: str) -> tuple[str, str]:
    key, equals, value = option.partition("=")
    if not equals:
        raise InputError(f"policy {spelling!r}: option {option!r} is not of the form key=value")
    return key.strip(), value.strip()


def _fields(kind: type[Policy]) -> dict[str, Any]:
    return {field.name: field for field in fields(kind)} if is_dataclass(kind) else {}


def _build(kind: type[Policy], given: dict[str, str], spelling: str, **more: Any) -> Policy:
    known = _fields(kind)
    options = {}
    for key, value in given.items():
        if key == "auxiliary" or key not in known:
            can = ", ".join(name for name in known if name != "auxiliary") or "none"
            raise InputError(f"policy {spelling!r}: unknown option {key!r}; {kind.name} has: {can}")
        options[key] = known[key].metadata["parse"](value)
    return kind(**options, **more)
