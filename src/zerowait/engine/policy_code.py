"""What the code of a user's policy may use, checked before it is compiled.

A kernel takes every name that it reads for a constant, and keeps no Python objects. What may change
unnoticed, or be something else once it is compiled, is refused here in words of Python: later there
would be a wrong number, or a page of the compiler's.
"""

import builtins
import dis
import inspect
import linecache
import math
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cache
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from zerowait.engine.policy import Policy
from zerowait.engine.seats import remaining_of
from zerowait.model.errors import PolicyCodeError

Read = tuple[dict[str, Any], str, Any]  # names of a module, one of them, what it stands for


@cache
def global_names(code: CodeType) -> tuple[str, ...]:
    """List the global names that code reads, each once, in a fixed order; no attributes."""
    found = dict.fromkeys(
        step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"
    )
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= dict.fromkeys(global_names(constant))
    return tuple(found)


def functions_read(function: FunctionType) -> Iterator[FunctionType]:
    """Yield the functions that this one can call itself."""
    for name in global_names(function.__code__):
        value = function.__globals__.get(name)
        if isinstance(value, FunctionType):
            yield value


def reachable(functions: Iterable[FunctionType]) -> list[FunctionType]:
    """List the functions and all that they can call, each once."""
    found: dict[FunctionType, None] = {}
    waiting = list(functions)
    while waiting:
        function = waiting.pop()
        if function not in found:
            found[function] = None
            waiting += functions_read(function)
    return list(found)


def reads_of(functions: Iterable[FunctionType]) -> Iterator[Read]:
    """Yield every global name that the functions, and those that they can call, may read."""
    for function in reachable(functions):
        for name in global_names(function.__code__):
            yield function.__globals__, name, function.__globals__.get(name)


def enclosed(function: FunctionType) -> dict[str, Any]:
    """Return what a function reads of the function around it, by name, where that is set."""
    names = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: cell.cell_contents for name, cell in names if cell != CellType()}


def constants_of(function: FunctionType) -> tuple[Any, ...]:
    """Return a function's defaults, and what it reads of the function around it."""
    return (function.__defaults__, tuple(enclosed(function).values()))


NOT_PLAIN = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
ANY_NUMBER = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
NUMBERS = (bool, int, float, np.number, np.bool_, str, type(None))
MODULES = (math, np)
MISSING = object()
DRAWING = ("random", "numpy.random", "secrets")  # modules
DRAWS = "a run must be the same again; draw random numbers in initial_state, from a seed"


def hooks_of_all(policy: Policy) -> Iterator[FunctionType]:
    """Yield the hooks of a policy and of its auxiliary."""
    for name in policy.HOOKS:
        yield getattr(policy, name)
    if policy.auxiliary is not None:
        yield from hooks_of_all(policy.auxiliary)


def own_functions(policy: Policy) -> list[FunctionType]:
    """List what its hooks can call that does not come with zerowait."""
    return [one for one in reachable(hooks_of_all(policy)) if not is_ours(one)]


def has_own_code(policy: Policy) -> bool:
    return not all(map(is_ours, (*hooks_of_all(policy), *states_of(policy))))


def states_of(policy: Policy) -> Iterator[Any]:
    """Yield what makes the states of a policy and of its auxiliary."""
    yield type(policy).initial_state
    if policy.auxiliary is not None:
        yield from states_of(policy.auxiliary)


def is_built_in(policy: Policy) -> bool:
    """Tell whether the classes of a policy and its auxiliary are zerowait's: tests check those."""
    if policy.auxiliary is not None and not is_built_in(policy.auxiliary):
        return False
    return type(policy).__module__.partition(".")[0] == "zerowait"


def is_ours(function: FunctionType) -> bool:
    home = function.__globals__.get("__name__") or ""  # code from a string has none
    return str(home).partition(".")[0] == "zerowait"


def check_code(policy: Policy) -> None:
    """Raise PolicyCodeError where a function of the user's reads what a kernel cannot follow."""
    for function in own_functions(policy):
        for line, objection in objections(function, policy):
            raise PolicyCodeError(
                mistake_text(policy, function.__code__.co_filename, line, objection)
            )


def mistake_text(policy: Policy, path: str, line: int, reason: str) -> str:
    """Describe a mistake, its place, and the line of code."""
    code = linecache.getline(path, line).strip()
    return f"policy {policy.name}: {path}:{line}: {reason}" + (f"\n    {code}" if code else "")


def objections(function: FunctionType, policy: Policy) -> Iterator[tuple[int, str]]:
    first = function.__code__.co_firstlineno
    if function.__code__.co_flags & NOT_PLAIN:
        yield first, f"{function.__name__} yields or awaits; a hook is a plain function"
    if function.__code__.co_flags & ANY_NUMBER or function.__code__.co_kwonlyargcount:
        yield first, f"{function.__name__} has arguments without a place; name each, without a *"
    if _calls(function, function):
        yield first, f"{function.__name__} calls itself, which a kernel cannot; write a loop"
    for name, value in (*enclosed(function).items(), ("a default", function.__defaults__)):
        strange = [one for one in _values(value) if not isinstance(one, NUMBERS)]
        if name == "__class__":
            yield (
                first,
                "super() cannot be compiled; write base = Parent.hook at the top, call that",
            )
        elif strange:
            what = f"{name} of {function.__name__} is a {type(strange[0]).__name__}"
            yield first, f"{what}; only numbers may come so, define it at the top of the file"
    for line, name, attribute in _reads(function):
        value = function.__globals__.get(name, getattr(builtins, name, MISSING))
        reason = _objection(name, value, attribute)
        if value is remaining_of and not policy.pauses:
            reason = (
                "what jobs have left is kept only where they may be paused; write preemptive = "
                "True, or read jobs.service[job] of one that waits"
            )
        if reason is not None:
            yield line, reason


def _calls(function: FunctionType, wanted: FunctionType) -> bool:
    return wanted in reachable(functions_read(function))


def _values(constant: Any) -> Iterator[Any]:
    """Yield single values out of nested tuples."""
    if isinstance(constant, tuple):
        for one in constant:
            yield from _values(one)
    else:
        yield constant


@cache
def _reads(function: FunctionType) -> list[tuple[int, str, str]]:
    """List line and global name wherever one is read, with the attribute that is taken of it."""
    code = [function.__code__]
    found = []
    while code:
        one = code.pop()
        code += [constant for constant in one.co_consts if inspect.iscode(constant)]
        steps = [step for step in dis.get_instructions(one) if step.opname != "CACHE"]
        for step, after in zip(steps, [*steps[1:], None], strict=True):
            if step.opname == "LOAD_GLOBAL":
                taken = after is not None and after.opname in ("LOAD_ATTR", "LOAD_METHOD")
                attribute = after.argval if after is not None and taken else ""
                line = step.positions and step.positions.lineno
                found.append((line or one.co_firstlineno, step.argval, attribute))
    return found


def _objection(name: str, value: Any, attribute: str) -> str | None:
    """Say why a kernel cannot read this name, in a few words with the remedy; None if it can."""
    if value is MISSING:
        return f"{name} is not defined"
    if isinstance(value, ModuleType):
        return _objection_to_module(name, value, attribute)
    if isinstance(value, np.ndarray):
        return f"{name} is an array, and may change; make it a field of the state in initial_state"
    if isinstance(value, FunctionType) or _is_known_function(value):
        return None
    if hasattr(value, "py_func"):
        return f"{name} is compiled already; leave it plain, zerowait compiles what a hook calls"
    if isinstance(value, type):
        return f"{name} is a class; give what you need of it a name at the top of the file"
    if isinstance(value, Enum):
        return f"{name} is of an Enum; write int({name}) at the top of the file, and use that"
    if type(getattr(value, "__self__", value)).__module__.startswith(DRAWING):
        return DRAWS
    strange = [one for one in _values(value) if not isinstance(one, NUMBERS)]
    if strange:
        what = type(strange[0]).__name__
        return f"{name} is or holds a {what}; hooks read numbers, and call functions"
    return None


def _objection_to_module(name: str, module: ModuleType, attribute: str) -> str | None:
    if module not in MODULES:
        source = module.__name__
        if source.startswith(DRAWING):
            return DRAWS
        return f"{name} is a module, whose names may change; write from {source} import ..."
    return DRAWS if attribute == "random" else None


def _is_known_function(value: Any) -> bool:
    """Is it a function of Python, math or NumPy, or a type of numbers, which is called like one?"""
    if isinstance(value, BuiltinFunctionType):
        return value.__self__ in (builtins, math)
    if isinstance(value, type):
        return value.__module__ == "builtins" or issubclass(value, (np.number, np.bool_))
    return isinstance(value, np.ufunc) or type(value).__module__ == "numpy"
