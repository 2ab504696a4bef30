"""Reading a policy's spelling: `name[:auxiliary][,key=value...]`."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from inspect import Parameter, signature
from typing import Any

from zerowait.model import InputError
from zerowait.policies.base import POLICIES, Policy, check_declared
from zerowait.policies.families.options import policy_options

__all__ = ["PartialPolicy", "parse_family", "parse_option", "parse_policy", "policy_options"]


def parse_policy(policy: "str | Policy | type[Policy]") -> Policy:
    """Return the policy that is meant by an instance, a class (with its defaults) or a spelling."""
    if isinstance(policy, Policy):
        check_declared(type(policy))
        return policy
    if isinstance(policy, type) and issubclass(policy, Policy):
        check_declared(policy)
        return _made(policy, {})
    if not isinstance(policy, str):
        raise InputError(f"policy={policy!r}: give a name such as 'fcfs', or a Policy")
    return parse_family(policy).build()


@dataclass(frozen=True)
class PartialPolicy:
    """A policy and perhaps an auxiliary one, of which only some options may be given yet."""

    kind: type[Policy]
    values: dict[str, Any]  # by option
    auxiliary: type[Policy] | None = None
    auxiliary_values: dict[str, Any] = field(default_factory=dict)

    def build(self) -> Policy:
        if self.auxiliary is None:
            return _made(self.kind, self.values)
        auxiliary = _made(self.auxiliary, self.auxiliary_values)
        return _made(self.kind, {"auxiliary": auxiliary, **self.values})


def _made(kind: Any, values: dict[str, Any]) -> Policy:
    try:
        made: Policy = kind(**values)
    except TypeError:
        missing = [name for name in _needed(kind) if name not in values]
        if not missing:
            raise
        example = f"{kind.__name__}({', '.join(f'{name}=...' for name in missing)})"
        raise InputError(
            f"policy {kind.name}: {' and '.join(missing)} must be given: there is no default; "
            f"write {example}, or give the field a default"
        ) from None
    return made


def _needed(kind: Any) -> list[str]:
    """Return the names of what cannot be left out where the policy is made."""
    return [
        one.name
        for one in signature(kind).parameters.values()
        if one.default is Parameter.empty
        and one.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    ]


def parse_family(policy: str) -> PartialPolicy:
    """Read the parts of a spelling, with the values of its options."""
    names, *options = map(str.strip, policy.split(","))
    name, colon, auxiliary_name = names.partition(":")
    kind = _find(name, policy)
    given: dict[str, str] = {}
    for option in options:
        key, value = _option(option, policy)
        if key in given:
            raise InputError(f"policy {policy!r}: {key} is given twice; leave one out")
        given[key] = value
    if not colon:
        _check_known([kind], given, policy)
        return PartialPolicy(kind, _values(kind, given, policy))
    if "auxiliary" not in policy_options(kind):
        raise InputError(f"policy {policy!r}: {kind.name} takes no auxiliary policy")
    auxiliary = _find(auxiliary_name.partition(":")[0], policy)
    if "auxiliary" in policy_options(auxiliary) or ":" in auxiliary_name:
        raise InputError(f"policy {policy!r}: {auxiliary.name} cannot be an auxiliary policy")
    _check_known([kind, auxiliary], given, policy)
    # An option belongs to the policy that has it, the outer one first.
    inner = {key: given.pop(key) for key in list(given) if key not in policy_options(kind)}
    return PartialPolicy(
        kind, _values(kind, given, policy), auxiliary, _values(auxiliary, inner, policy)
    )


def _find(name: str, spelling: str) -> type[Policy]:
    key = name.strip()
    if key not in POLICIES:
        key = key.lower().replace("_", "-")
    if key not in POLICIES:
        known = ", ".join(sorted({kind.alias or kind.name for kind in POLICIES.values()}))
        raise InputError(f"policy {spelling!r}: there is no policy {name!r}; known: {known}")
    return POLICIES[key]


def _option(option: str, spelling: str) -> tuple[str, str]:
    key, equals, value = option.partition("=")
    if not equals:
        raise InputError(f"policy {spelling!r}: option {option!r} is not of the form key=value")
    return key.strip(), value.strip()


def _check_known(kinds: list[type[Policy]], given: Iterable[str], spelling: str) -> None:
    for key in given:
        can = {
            kind.name: [one for one in policy_options(kind) if one != "auxiliary"] for kind in kinds
        }
        if not any(key in options for options in can.values()):
            told = "; ".join(f"{kind} has: {', '.join(one) or 'none'}" for kind, one in can.items())
            raise InputError(f"policy {spelling!r}: unknown option {key!r}; {told}")


def _values(kind: type[Policy], given: dict[str, str], spelling: str) -> dict[str, Any]:
    known = policy_options(kind)
    where = f"policy {spelling!r}"
    return {key: parse_option(known[key], value, where) for key, value in given.items()}


def parse_option(option: Any, text: str, where: str) -> Any:
    """Read the value of an option; errors say where it stands, and which option it is."""
    try:
        return option.metadata["parse"](text)
    except ValueError as error:  # an InputError, or from a function of the user's own
        told = str(error)
        named = told if told.startswith(option.name) else f"{option.name}: {told}"
        raise InputError(f"{where}: {named}") from None
