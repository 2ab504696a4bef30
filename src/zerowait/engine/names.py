"""The global names that a function reads, and the functions that it can call by them."""

import dis
from collections.abc import Iterable, Iterator
from functools import cache
from types import CellType, CodeType, FunctionType
from typing import Any

Read = tuple[dict[str, Any], str, Any]  # names of a module, one of them, what it stands for


@cache
def global_names(code: CodeType) -> tuple[str, ...]:
    """Each once, in a fixed order; attributes, as in `jobs.need`, are none."""
    found = dict.fromkeys(
        step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"
    )
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= dict.fromkeys(global_names(constant))
    return tuple(found)


def functions_read(function: FunctionType) -> Iterator[FunctionType]:
    """The functions that this one can call itself."""
    for name in global_names(function.__code__):
        value = function.__globals__.get(name)
        if isinstance(value, FunctionType):
            yield value


def reachable(functions: Iterable[FunctionType]) -> list[FunctionType]:
    """The functions and all that they can call, each once."""
    found: dict[FunctionType, None] = {}
    waiting = list(functions)
    while waiting:
        function = waiting.pop()
        if function not in found:
            found[function] = None
            waiting += functions_read(function)
    return list(found)


def reads_of(functions: Iterable[FunctionType]) -> Iterator[Read]:
    """Every global name that the functions, and those that they can call, may read."""
    for function in reachable(functions):
        for name in global_names(function.__code__):
            yield function.__globals__, name, function.__globals__.get(name)


def enclosed(function: FunctionType) -> dict[str, Any]:
    """What the function reads of the function around it, by name; nothing where that is not set."""
    names = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: cell.cell_contents for name, cell in names if cell != CellType()}


def constants_of(function: FunctionType) -> tuple[Any, ...]:
    """What is bound to the function itself: defaults, and what it reads of the one around it."""
    return (function.__defaults__, tuple(enclosed(function).values()))
