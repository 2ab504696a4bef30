"""Mistakes in a policy that can be seen before the first job comes."""

import dis
import inspect
from collections.abc import Iterator
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from zerowait.engine.policy import Policy
from zerowait.model import InputError

# A policy without one of these can do nothing.
NEEDED = ("on_arrival", "on_departure", "next_start")


def check_policy_class(policy: Policy) -> None:
    """Raise InputError where a hook is missing, is no static function or has other arguments."""
    kind = type(policy)
    if not isinstance(getattr(kind, "name", None), str):
        raise InputError(f"policy {kind.__qualname__}: has no name; write name = 'my-policy'")
    for hook in policy.HOOKS:
        _check_hook(policy, hook)
    missing = [name for name in NEEDED if not defines(policy, name)]
    if missing:
        raise InputError(f"policy {policy.name}: has no {' and no '.join(missing)}")
    if defines(policy, "next_stop") and not policy.preemptive and policy.auxiliary is None:
        raise InputError(
            f"policy {policy.name}: has next_stop but pauses nobody; write preemptive = True"
        )
    if policy.auxiliary is not None:
        check_policy_class(policy.auxiliary)


def defines(policy: Policy, hook: str) -> bool:
    """Has the policy a hook of its own?"""
    return getattr(type(policy), hook) is not getattr(Policy, hook)


def _check_hook(policy: Policy, hook: str) -> None:
    found = inspect.getattr_static(type(policy), hook)
    if not isinstance(found, staticmethod) or not isinstance(found.__func__, FunctionType):
        if hasattr(getattr(found, "__func__", None), "py_func"):
            raise InputError(f"policy {policy.name}: {hook} is compiled already; leave it plain")
        raise InputError(f"policy {policy.name}: {_place(found)}{hook} must be a @staticmethod")
    _check_body(policy.name, hook, found.__func__)


@cache  # replays of short logs come by the thousand; what passes is not looked at again
def _check_body(policy: str, hook: str, function: FunctionType) -> None:
    expected = list(inspect.signature(getattr(Policy, hook)).parameters)
    given = list(inspect.signature(function).parameters)
    if len(given) != len(expected):
        raise InputError(
            f"policy {policy}: {_place(function)}{hook} takes ({', '.join(given)}); "
            f"it must take ({', '.join(expected)})"
        )
    if hook.startswith("next_"):
        _check_return(policy, hook, function)


def _check_return(policy: str, hook: str, function: FunctionType) -> None:
    """A function that ends without `return` returns Python's None, which is no job."""
    last = None
    for step in dis.get_instructions(function):
        returns = last if step.opname == "RETURN_VALUE" else step
        if step.opname in ("RETURN_VALUE", "RETURN_CONST") and _is_none(returns):
            raise InputError(
                f"policy {policy}: {function.__code__.co_filename}:{line_of(function, step)}: "
                f"{hook} can end without returning a job; return NONE where there is none"
            )
        last = step


def line_of(function: FunctionType, step: dis.Instruction) -> int:
    line = step.positions and step.positions.lineno
    return line or function.__code__.co_firstlineno


def _is_none(step: dis.Instruction | None) -> bool:
    return step is not None and step.opname.endswith("CONST") and step.argval is None


def _place(function: Any) -> str:
    """`file:line: ` of a function, or nothing."""
    code = getattr(function, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}: " if code else ""


def check_state(policy: Policy, state: Any) -> None:
    """Raise InputError where the state is more than arrays of whole numbers or floats."""
    if not hasattr(state, "_fields"):
        raise InputError(
            f"policy {policy.name}: initial_state returned {type(state).__name__}; "
            "it must be a NamedTuple of arrays"
        )
    for name, value in _arrays("", state):
        if not isinstance(value, np.ndarray) or value.ndim != 1:
            what = f"an array of {value.ndim} dimensions" if hasattr(value, "ndim") else repr(value)
            raise InputError(
                f"policy {policy.name}: its state's {name} is {what}; it must be an array of one "
                "dimension (a single number is np.array([number]))"
            )
        if value.dtype not in (np.int64, np.float64):
            raise InputError(
                f"policy {policy.name}: its state's {name} has entries of {value.dtype}; "
                "use int64 or float64"
            )


def _arrays(prefix: str, state: Any) -> Iterator[tuple[str, Any]]:
    for name, value in zip(state._fields, state, strict=True):
        if hasattr(value, "_fields"):
            yield from _arrays(f"{prefix}{name}.", value)
        else:
            yield f"{prefix}{name}", value
