"""The mark of a kernel function that is called, not copied into each of its callers."""

from typing import TypeVar

F = TypeVar("F")


def called(function: F) -> F:
    """Decorator for long functions of the engine: compiled once per kernel.

    Hooks and short functions are inlined, which is fastest to run; but a search tree that is
    copied into every place that uses it takes half a minute to compile. A called function uses
    no name that is bound to a policy's hooks.
    """
    function.__dict__["called"] = True
    return function
