"""Rules that a policy can break, and mistakes in its code, each told in a few lines."""

import dis
import inspect
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from zerowait.engine.policy import Policy
from zerowait.engine.policy_code import (
    has_own_code,
    is_ours,
    mistake_text,
    own_functions,
    states_of,
)
from zerowait.engine.seats import REFUSED, RUNNING, VACANT, Seats, is_seat
from zerowait.model import EngineError, InputError
from zerowait.model.errors import PolicyCodeError

# What is wrong with what a hook returned.
FINE, NO_SEAT, GONE, STARTED_TWICE, OVERBOOKED, HELPERS_OVERBOOKED, NOT_IN_SERVICE = range(7)


def fault_of_start(jobs: Seats, job: int, free: int) -> int:
    """Return why `job` cannot be put into service on so many free servers, or FINE."""
    if not is_seat(jobs, job):
        return NO_SEAT
    phase = jobs.phase[job]
    if phase == VACANT:
        return GONE
    if phase == RUNNING:
        return STARTED_TWICE
    if phase == REFUSED:
        return HELPERS_OVERBOOKED
    if jobs.need[job] > free:
        return OVERBOOKED
    return FINE


def fault_of_stop(jobs: Seats, job: int) -> int:
    """Return why `job` cannot be paused, or FINE."""
    if not is_seat(jobs, job):
        return NO_SEAT
    if jobs.phase[job] != RUNNING:
        return NOT_IN_SERVICE
    return FINE


def broken_rule(policy: str, fault: int, jobs: Seats, job: int, free: int) -> EngineError:
    """Return the error that says what a policy did, to which job, and when."""
    what = f"job {job}" if fault == NO_SEAT else _told(jobs, job)
    rule = {
        NO_SEAT: "a hook returned it, but there is no such job; return what on_arrival was given",
        GONE: "was started after it left; take a job out of the state when it starts",
        STARTED_TWICE: "was started twice; take a job out of the state when it starts",
        OVERBOOKED: f"was started, but only {free} servers are free",
        HELPERS_OVERBOOKED: "was started on the helpers, but not so many of them are free",
        NOT_IN_SERVICE: "was paused, but is not in service",
    }[fault]
    return EngineError(f"policy {policy}, time {jobs.clock[0]:g}: {what}: {rule}")


def never_started(policy: str, jobs: Seats) -> EngineError:
    """Return the error of a run that ended while jobs waited for free servers."""
    waiting = [int(job) for job in (jobs.phase != VACANT).nonzero()[0]]
    oldest = min(waiting, key=lambda job: int(jobs.order[job]))
    return EngineError(
        f"policy {policy}, time {jobs.clock[0]:g}: {_told(jobs, oldest)}: was never started; "
        f"{len(waiting)} jobs wait for ever in an empty system"
    )


def _told(jobs: Seats, job: int) -> str:
    return f"job {jobs.order[job]} (need {jobs.need[job]}, arrived at {jobs.arrival[job]:g})"


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
        raise InputError(f"policy {policy.name}: {_line_told(found)}{hook} must be a @staticmethod")
    _check_body(policy.name, hook, found.__func__)


@cache  # replays of short logs come by the thousand; what passes is not looked at again
def _check_body(policy: str, hook: str, function: FunctionType) -> None:
    expected = list(inspect.signature(getattr(Policy, hook)).parameters)
    given = list(inspect.signature(function).parameters)
    if len(given) != len(expected):
        raise InputError(
            f"policy {policy}: {_line_told(function)}{hook} takes ({', '.join(given)}); "
            f"it must take ({', '.join(expected)})"
        )
    if hook.startswith("next_"):
        _check_return(policy, hook, function)


def _check_return(policy: str, hook: str, function: FunctionType) -> None:
    """Refuse a hook that ends without `return`: that returns Python's None, which is no job."""
    last = None
    for step in dis.get_instructions(function):
        returns = last if step.opname == "RETURN_VALUE" else step
        if step.opname in ("RETURN_VALUE", "RETURN_CONST") and _is_none(returns):
            raise InputError(
                f"policy {policy}: {function.__code__.co_filename}:{line_number(function, step)}: "
                f"{hook} can end without returning a job; return NONE where there is none"
            )
        last = step


def line_number(function: FunctionType, step: dis.Instruction) -> int:
    line = step.positions and step.positions.lineno
    return line or function.__code__.co_firstlineno


def _is_none(step: dis.Instruction | None) -> bool:
    return step is not None and step.opname.endswith("CONST") and step.argval is None


def _line_told(function: Any) -> str:
    """Return `file:line: ` of a function, or nothing."""
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
    """Turn what the compiler or a kernel says of the policy's code into a PolicyCodeError."""
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
                raise PolicyCodeError(
                    mistake_text(policy, frame.filename, frame.lineno, reason)
                ) from error
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
    """List all of the user's functions that the engine may call."""
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
    return f"{mistake_text(policy, *place, reason)}\n{REMEDY}"


def _place(functions: list[FunctionType], complaint: str) -> tuple[str, int] | None:
    """Find the last place named in the complaint that lies in one of the functions."""
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
