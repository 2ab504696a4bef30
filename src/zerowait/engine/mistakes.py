"""What goes wrong in a user's policy, told in a few lines that name the file and the line."""

import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType

import numpy as np

from zerowait.engine.policy import Policy
from zerowait.engine.policy_code import has_own_code, is_ours, own_functions, states_of, told
from zerowait.model import EngineError, InputError
from zerowait.model.errors import PolicyCodeError

DEBUG = "jit=False runs the policy in plain Python, under a debugger"
REMEDY = (
    "hooks work with numbers and the arrays they are given: no new arrays, lists, dicts, strings; "
    f"{DEBUG}"
)
# What a kernel itself may raise.
RAISED = (ZeroDivisionError, AssertionError, ValueError, OverflowError, IndexError, RuntimeError)
# What the compiler says of memory that would have to be allocated, and what it means.
ALLOCATES = ("NRT required but not enabled", "Only accept returning of array passed")


@contextmanager
def mistakes_of(policy: Policy) -> Iterator[None]:
    """Turn what the compiler says of the policy's code, and what a kernel of it raises, into a
    PolicyCodeError."""
    try:
        yield
    except (EngineError, InputError):
        raise
    except Exception as error:
        if not has_own_code(policy):
            raise
        raise PolicyCodeError(_explained(policy, error)) from None


@contextmanager
def slips_of(policy: Policy) -> Iterator[None]:
    """Turn what the policy's code raises in plain Python into a PolicyCodeError."""
    try:
        with np.errstate(all="ignore"):  # kernels warn of nothing
            yield
    except (EngineError, InputError):
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {_in_words(error)}"
        files = {one.__code__.co_filename for one in _functions(policy)}
        for frame in reversed(traceback.extract_tb(error.__traceback__)):
            if frame.filename in files and frame.lineno is not None:
                raise PolicyCodeError(told(policy, frame.filename, frame.lineno, reason)) from error
        if not has_own_code(policy):
            raise
        raise PolicyCodeError(
            f"policy {policy.name}: {reason}; look at what next_start and next_stop return"
        ) from error


def _in_words(error: Exception) -> str:
    said = re.sub(r"'State__\w*' object", "jobs, or the state,", str(error))
    if "read-only" in said:
        return "the jobs are not the policy's to write"
    return said.replace("can't set attribute", "a state stays; write state.name[0] = ...")


def _functions(policy: Policy) -> list[FunctionType]:
    """All of the user's that the engine may call."""
    return [*own_functions(policy), *(one for one in states_of(policy) if not is_ours(one))]


def _explained(policy: Policy, error: Exception) -> str:
    complaint = str(error)
    kind = type(error)
    if kind in RAISED:
        return f"policy {policy.name}: its code raised {kind.__name__}: {complaint}; {DEBUG}"
    if not kind.__module__.startswith("numba"):
        complaint = f"{kind.__name__}: {complaint}"
    reason = _reason(complaint)
    place = _place(own_functions(policy), complaint)
    if place is None:
        return f"policy {policy.name}: cannot be run compiled: {reason}\n{REMEDY}"
    return f"{told(policy, *place, reason)}\n{REMEDY}"


def _place(functions: list[FunctionType], complaint: str) -> tuple[str, int] | None:
    """The last place named in the complaint that lies in one of the functions."""
    named = re.findall(
        r'at (.+?) \((\d+)\)|File "([^"]+)", line (\d+)|([^/"\n]+\.py):(\d+)', complaint
    )
    for groups in reversed(named):
        path, line = (part for part in groups if part)
        for function in functions:
            code = function.__code__
            lines = [number for _, _, number in code.co_lines() if number]
            within = min(lines) <= int(line) <= max(lines)
            if within and Path(path).name == Path(code.co_filename).name:
                return code.co_filename, int(line)
    return None


def _reason(complaint: str) -> str:
    if any(words in complaint for words in ALLOCATES):
        return "this would allocate memory, which a hook must not"
    if re.search(r"function getitem>|function setitem>", complaint) and "float64)" in complaint:
        return "an index must be a whole number (int64), and this one is a float"
    lines = (line.strip(" -") for line in complaint.splitlines())
    first = next((line for line in lines if line and not line.startswith("Failed in")), complaint)
    return first.partition(" of type State__")[0]
