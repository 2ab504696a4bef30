"""What of a policy can be set on the page: its options as chips, sliders or text.

Every step of a chip or slider carries the spelling of the whole policy with it, so that the page
need not know what goes with what: `order=due` comes with a patience, and leaves it behind.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from zerowait.experiment.optimisation.space import Axis, Ground
from zerowait.model import InputError
from zerowait.policies import Choice, Policy, Range
from zerowait.policies.spelling import options_of

STEPS = 40  # of a slider
BY_HAND = ("auxiliary", "slots")  # these have controls of their own
Values = Mapping[str, Any]


def parameters(policy: Policy, ground: Ground) -> Iterator[dict[str, Any]]:
    """Of the policy, then of its auxiliary; without those that do nothing beside the others."""
    yield from _of_one(policy, False, ground, lambda own: _with(policy, own))
    inner = policy.auxiliary
    if inner is not None:
        yield from _of_one(
            inner, True, ground, lambda own: _with(policy, {"auxiliary": _with(inner, own)})
        )


def _of_one(policy: Policy, inner: bool, ground: Ground, whole: Any) -> Iterator[dict[str, Any]]:
    """`whole` makes the policy as it is spelled from other values of this part of it."""
    for name, field in options_of(type(policy)).items():
        searched, spell = field.metadata.get("search"), field.metadata.get("spell")
        if name in BY_HAND or not _applies(searched, vars(policy)):
            continue
        value = getattr(policy, name)
        if value is None and _kind(searched) == "text":
            continue  # it stands in for others that are set
        values = _values(name, inner, searched, ground)
        steps = [_step(policy, name, one, spell, ground, whole) for one in values]
        yield {
            "name": name,
            "value": "" if value is None else spell(value),
            "kind": _kind(searched),
            "steps": [one for one in steps if one is not None],
            "at": _place(value, values),
        }


def _applies(searched: Choice | Range | None, values: Values) -> bool:
    return searched is None or all(
        values.get(name) in allowed for name, allowed in searched.when.items()
    )


def _kind(searched: Choice | Range | None) -> str:
    if isinstance(searched, Choice):
        return "chips"
    return "slider" if isinstance(searched, Range) and not searched.per_class else "text"


def _values(name: str, inner: bool, searched: Choice | Range | None, ground: Ground) -> list[Any]:
    if isinstance(searched, Choice):
        return list(searched.values)
    if searched is None or searched.per_class:
        return []
    axis = Axis(name, inner, searched)
    return list(dict.fromkeys(axis.value(step / STEPS, ground) for step in range(STEPS + 1)))


def _place(value: Any, values: list[Any]) -> int:
    """Where a slider stands: at the value, or at the last step below it."""
    if value in values:
        return values.index(value)
    known = isinstance(value, (int, float))
    return max(sum(one <= value for one in values) - 1, 0) if known and values else 0


def _step(
    policy: Policy, name: str, value: Any, spell: Any, ground: Ground, whole: Any
) -> dict[str, str] | None:
    """None where the policy cannot be so."""
    for values in _candidates(policy, name, value, ground):
        try:
            return {"text": spell(value), "spec": whole(values).spec}
        except InputError:
            continue
    return None


def _candidates(policy: Policy, name: str, value: Any, ground: Ground) -> Iterator[Values]:
    """The value alone; without what then does nothing; with the middle of what then does."""
    yield {name: value}
    known = options_of(type(policy))
    values = vars(policy) | {name: value}
    ranges = {key: one.metadata["search"] for key, one in known.items() if "search" in one.metadata}
    left = {key: known[key].default for key, one in ranges.items() if not _applies(one, values)}
    yield {name: value} | left
    for key, one in ranges.items():
        hangs = isinstance(one, Range) and not one.per_class and name in one.when
        if hangs and _applies(one, values):
            yield {name: value, key: Axis(key, False, one).value(0.5, ground)} | left


def _with(policy: Policy, values: Values) -> Policy:
    return cast(Policy, replace(cast(Any, policy), **values)) if values else policy
