"""What a policy must declare before anybody can name it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

import zerowait as zw
from zerowait.kit import COUNT
from zerowait.policies.base import POLICIES, register
from zerowait.policies.fcfs import Fcfs


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    known = dict(POLICIES)
    yield
    assert {name: POLICIES[name] for name in known} == known  # none of ours was replaced
    for name in POLICIES.keys() - known.keys():
        del POLICIES[name]


def policy(qualname: str = "Mine", **declared: Any) -> Any:
    return type(qualname, (zw.Policy,), declared)


@pytest.mark.parametrize(
    ("qualname", "declared"),
    [("Fcfs", {"name": "fcfs"}), ("FirstFit", {"name": "x", "alias": "ff"})],
)
def test_a_users_class_never_hides_one_of_ours(qualname: str, declared: Any) -> None:
    with pytest.raises(zw.InputError, match=f"is taken by {qualname}; give .* a name and an alias"):
        register(policy(qualname, **declared))
    assert "x" not in POLICIES


def test_a_users_class_may_be_defined_again_but_not_hide_another() -> None:
    register(policy(name="mine"))
    again = register(policy(name="mine"))
    assert POLICIES["mine"] is again
    with pytest.raises(zw.InputError, match="'mine' is taken by Mine; give Other a name"):
        register(policy("Other", name="mine"))


@pytest.mark.parametrize(
    ("what", "told"),
    [
        (3, "policy = 3: must be a class that inherits from zerowait.Policy"),
        (Fcfs(), "must be a class that inherits"),
        (int, "must be a class that inherits"),
        (policy(), "policy Mine: has no name; write name = 'my-policy'"),
        (policy(name=""), "policy Mine: has no name"),
        (policy(name=3), "policy Mine: name = 3: must be a text"),
        (policy(name="a,b"), "policy Mine: name = 'a,b': must be a text"),
        (policy(name="mine", alias=None), "policy Mine: alias = None: must be a text"),
    ],
)
def test_what_is_no_policy_with_a_name_is_refused(what: Any, told: str) -> None:
    with pytest.raises(zw.InputError, match=told):
        register(what)


def test_a_policy_without_a_name_is_refused_wherever_it_is_given() -> None:
    for use in (zw.check_policy, zw.parse_policy):
        for given in (policy(), policy()()):
            with pytest.raises(zw.InputError, match="policy Mine: has no name"):
                use(given)


def test_options_say_how_they_are_read_and_searched() -> None:
    @dataclass(frozen=True)
    class Bare(Fcfs):
        name = "bare"
        keep: int = 0

    @dataclass(frozen=True)
    class Searched(Fcfs):
        name = "searched"
        keep: int = field(default=0, metadata=COUNT | {"search": (0, 10)})

    for use in (register, zw.parse_policy):
        with pytest.raises(zw.InputError, match=r"policy bare: option keep .*COUNT.*NUMBER"):
            use(Bare)
        with pytest.raises(
            zw.InputError, match=r"option keep: search = \(0, 10\): must be a Range"
        ):
            use(Searched)
