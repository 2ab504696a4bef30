"""Reading a policy's spelling: `name[:auxiliary][,key=value...]`."""

from dataclasses import dataclass, field, fields, is_dataclass
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
    return parse_family(policy).build()


@dataclass(frozen=True)
class Family:
    """A policy and perhaps an auxiliary one, of which only some options may be given yet."""

    kind: type[Policy]
    values: dict[str, Any]  # by option
    auxiliary: type[Policy] | None = None
    auxiliary_values: dict[str, Any] = field(default_factory=dict)

    def build(self) -> Policy:
        kind: Any = self.kind
        if self.auxiliary is None:
            return kind(**self.values)
        return kind(auxiliary=self.auxiliary(**self.auxiliary_values), **self.values)


def parse_family(policy: str) -> Family:
    """The parts of a spelling, with the values of its options."""
    names, *options = (part.strip() for part in policy.split(","))
    name, colon, auxiliary_name = names.partition(":")
    kind = _find(name, policy)
    given = dict(_option(option, policy) for option in options)
    if not colon:
        return Family(kind, _values(kind, given, policy))
    if "auxiliary" not in options_of(kind):
        raise InputError(f"policy {policy!r}: {kind.name} takes no auxiliary policy")
    auxiliary = _find(auxiliary_name, policy)
    if "auxiliary" in options_of(auxiliary):
        raise InputError(f"policy {policy!r}: {auxiliary.name} cannot be an auxiliary policy")
    # An option belongs to the policy that has it, the outer one first.
    inner = {key: given.pop(key) for key in list(given) if key not in options_of(kind)}
    return Family(kind, _values(kind, given, policy), auxiliary, _values(auxiliary, inner, policy))


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


def options_of(kind: type[Policy]) -> dict[str, Any]:
    """The fields that can be spelled, and `auxiliary`."""
    return {field.name: field for field in fields(kind)} if is_dataclass(kind) else {}


def _values(kind: type[Policy], given: dict[str, str], spelling: str) -> dict[str, Any]:
    known = options_of(kind)
    values = {}
    for key, value in given.items():
        if key == "auxiliary" or key not in known:
            can = ", ".join(name for name in known if name != "auxiliary") or "none"
            raise InputError(f"policy {spelling!r}: unknown option {key!r}; {kind.name} has: {can}")
        values[key] = known[key].metadata["parse"](value)
    return values
