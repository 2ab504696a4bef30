"""What a compiler complains of in a policy, told in a few lines that name the file and the line."""

import dis
import linecache
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType

from zerowait.engine.hooks import line_of
from zerowait.engine.policy import Policy
from zerowait.model.errors import PolicyCodeError

REMEDY = (
    "hooks work with numbers and the arrays they are given: no new arrays, lists, dicts, strings; "
    "jit=False runs the policy in plain Python, under a debugger"
)
# What the compiler says of memory that would have to be allocated, and what it means.
ALLOCATES = ("NRT required but not enabled", "Only accept returning of array passed")


@contextmanager
def mistakes_of(policy: Policy) -> Iterator[None]:
    """Turn what the compiler says of the policy's code into a PolicyCodeError."""
    try:
        yield
    except Exception as error:
        if not type(error).__module__.startswith("numba"):
            raise
        raise PolicyCodeError(_explained(policy, str(error))) from None


def _explained(policy: Policy, complaint: str) -> str:
    functions = list(_functions(policy))
    place = _place(functions, complaint)
    reason = _reason(complaint)
    if place is None:
        return f"policy {policy.name}: cannot be compiled: {reason}\n{REMEDY}"
    path, line = place
    code = linecache.getline(path, line).strip()
    return f"policy {policy.name}: {path}:{line}: {reason}\n    {code}\n{REMEDY}"


def _functions(policy: Policy) -> Iterator[FunctionType]:
    """The hooks, and all that they can call."""
    seen: set[int] = set()

    def visit(function: object) -> Iterator[FunctionType]:
        if isinstance(function, FunctionType) and id(function) not in seen:
            seen.add(id(function))
            yield function
            for name in function.__code__.co_names:
                yield from visit(function.__globals__.get(name))

    for hook in policy.HOOKS:
        yield from visit(getattr(policy, hook))
    if policy.auxiliary is not None:
        yield from _functions(policy.auxiliary)


def _place(functions: list[FunctionType], complaint: str) -> tuple[str, int] | None:
    """The last place named in the complaint that lies in one of the functions."""
    missing = re.search(r"NameError: (?:global )?name '(\w+)' is not defined", complaint)
    if missing:
        return _use_of(missing[1], functions)
    named = re.findall(r'at (\S+) \((\d+)\)|File "([^"]+)", line (\d+)|(\w+\.py):(\d+)', complaint)
    for groups in reversed(named):
        path, line = (part for part in groups if part)
        for function in functions:
            code = function.__code__
            lines = [number for _, _, number in code.co_lines() if number]
            within = min(lines) <= int(line) <= max(lines)
            if within and Path(path).name == Path(code.co_filename).name:
                return code.co_filename, int(line)
    return None


def _use_of(name: str, functions: list[FunctionType]) -> tuple[str, int] | None:
    for function in functions:
        for step in dis.get_instructions(function):
            if step.opname == "LOAD_GLOBAL" and step.argval == name:
                return function.__code__.co_filename, line_of(function, step)
    return None


def _reason(complaint: str) -> str:
    if any(words in complaint for words in ALLOCATES):
        return "this would allocate memory, which a hook must not"
    lines = (line.strip(" -") for line in complaint.splitlines())
    first = next(line for line in lines if line and not line.startswith("Failed in"))
    return first.partition(" of type State__")[0]
