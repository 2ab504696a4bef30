"""What kernel code is written with: array types, the mark of called functions, portable tuples.

Numba's disk cache pickles the *types* of a kernel's arguments by reference. A state class
that lives in a notebook or in a user's file would make the cache miss, or fail to load,
elsewhere; `portable` swaps it for a class that cannot.
"""

from collections import namedtuple
from functools import cache
from typing import Any, TypeVar

F = TypeVar("F")


def called(function: F) -> F:
    """Mark a long function of the engine: it is compiled once per kernel.

    Hooks and short functions are inlined, which is fastest to run; but a search tree that is
    copied into every place that uses it takes half a minute to compile. A called function uses
    no name that is bound to a policy's hooks.
    """
    function.__dict__["called"] = True
    return function


_PREFIX = "State__"


def portable(state: Any) -> Any:
    """Return the same fields and values, held in a type this module can always rebuild."""
    values = (portable(value) if hasattr(value, "_fields") else value for value in state)
    return _type(_PREFIX + "__".join(state._fields))(*values)


@cache
def _type(name: str) -> Any:
    rebuilt = namedtuple(name, name.removeprefix(_PREFIX).split("__"))  # type: ignore[misc]
    rebuilt.__module__ = __name__
    return rebuilt


def __getattr__(name: str) -> Any:
    if name.startswith(_PREFIX):
        return _type(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
