"""Bind an event loop to a policy, compile it, and keep its disk cache honest.

Policies and kernels are plain Python functions; only this module and `kernel_compiler` know
Numba. Its cache notices edits only in the file of the cached function itself, so each
compiled loop is named after a fingerprint of everything it is built from. It believes whatever
its files hold, so each ends in a checksum; what fails it is compiled again.
"""

import io
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, cast

import numpy as np

from zerowait.engine.loop import event_loop
from zerowait.engine.policy import Policy
from zerowait.engine.policy_code import (
    Read,
    check_code,
    constants_of,
    functions_read,
    global_names,
    has_own_code,
    hooks_of_all,
    is_ours,
    reads_of,
)

# Kernels borrow their arrays and never allocate, so they need no reference counts;
# counting them makes a NamedTuple of arrays 3 to 8 times slower.
KERNEL: dict[str, Any] = {"nogil": True, "_nrt": False}

Kernel = Callable[..., int]
Transform = Callable[[Any], Any]

_compiled: dict[str, Kernel] = {}
_known: dict[tuple[Any, ...], tuple[Kernel, list[Read]]] = {}


def compile_loop(policy: Policy, *, jit: bool = True) -> Kernel:
    """Return the event loop specialised to `policy`; `jit=False` keeps it in Python."""
    bodies = list(hooks_of_all(policy))
    key = (*bodies, policy.pauses, jit)
    return _unless_known(key, [event_loop, *bodies], lambda: _specialised(policy, jit))


def trial_loop(policy: Policy) -> Kernel:
    """Return the loop in plain Python, in which a user's hooks cannot write into the jobs."""
    bodies = list(hooks_of_all(policy))
    key = (*bodies, policy.pauses, "trial")
    return _unless_known(key, [event_loop, *bodies], lambda: _bind(policy, _unchanged, _guarded))


def _guarded(hook: FunctionType) -> Any:
    if is_ours(hook):
        return hook
    shown: list[Any] = [None, None]  # jobs, and what the hook sees of them

    def guarded(state: Any, jobs: Any, *job: int) -> Any:
        if shown[0] is not jobs:
            shown[:] = jobs, type(jobs)(*map(_read_only, jobs))
        return hook(state, shown[1], *job)

    return guarded


def _read_only(values: Any) -> Any:
    view = values.view()
    view.flags.writeable = False
    return view


def _unless_known(key: tuple[Any, ...], functions: list[Any], make: Callable[[], Kernel]) -> Kernel:
    """Return the kernel made before, unless a name that it read stands for something else by now.

    Linking and hashing hundreds of functions takes longer than to replay a thousand jobs.
    """
    kernel, reads = _known.get(key, (None, []))
    if kernel is None or any(names.get(name) is not value for names, name, value in reads):
        reads = list(reads_of(functions))
        kernel = make()
        _known[key] = kernel, reads
    return kernel


def _specialised(policy: Policy, jit: bool) -> Kernel:
    all_ours = not has_own_code(policy)
    if not all_ours:
        check_code(policy)
    plain = _bind(policy, _unchanged)
    if not jit or _is_switched_off():
        return plain
    # Policies of one body share their kernel, whatever they are called.
    body = re.sub(r"\W+", "_", policy.next_start.__qualname__)
    key = f"{body}_{fingerprint(plain)[:16]}"
    if key not in _compiled:
        loop = _bind(policy, _parts_compiler())
        loop.__qualname__ = f"{loop.__name__}.{key}"
        # Threads that come here at once must share one kernel, which Numba then compiles once.
        _compiled.setdefault(key, _cached(loop, all_ours))
    return _compiled[key]


def compile_function(function: Any, *, jit: bool = True) -> Callable[..., None]:
    """Return a function of arrays, compiled alone; `jit=False` keeps it in Python."""
    if not jit or _is_switched_off():
        return cast(Callable[..., None], function)
    kernel = _unless_known((function,), [function], lambda: _alone(function))
    return cast(Callable[..., None], kernel)


def _is_switched_off() -> bool:
    """Read NUMBA_DISABLE_JIT=1: how users of Numba debug, and how coverage is measured."""
    from numba import config

    settings: Any = config  # made when it is imported
    return bool(settings.DISABLE_JIT)


def _alone(function: Any) -> Kernel:
    key = f"{function.__name__}_{fingerprint(function)[:16]}"
    if key not in _compiled:
        copy = link(function, {}, _parts_compiler())
        copy.__qualname__ = f"{function.__name__}.{key}"
        _compiled.setdefault(key, _cached(copy))
    return _compiled[key]


def _cached(function: FunctionType, all_ours: bool = True) -> Any:
    """Return a kernel that is kept on disk for other processes and runs, if there is a place."""
    from numba import njit

    from zerowait.engine.kernel_compiler import KernelCompiler

    only_for_python: dict[str, Any] = {"no_cfunc_wrapper": True}
    kernel: Any = njit(pipeline_class=KernelCompiler, **only_for_python, **KERNEL)(function)
    try:
        kernel._cache = _checked_cache()(kernel.py_func, all_ours)
    except RuntimeError:  # no folder can be written: a container, a read-only home
        _say_that_nothing_is_kept("no folder for them can be written")
    return kernel


@cache
def _checked_cache() -> Any:
    """Return Numba's cache on disk, made safe against damaged files and full disks."""
    from numba.core import caching

    base: Any = caching  # it has no types

    class CheckedFile(base.IndexDataCacheFile):  # type: ignore[misc]
        """An index and its kernels. A damaged kernel may crash the process, or miscount."""

        def _load_index(self) -> Any:
            if not _is_whole(self._index_path):
                return {}
            try:
                return super()._load_index()
            except (ImportError, AttributeError):  # of a version that has a state elsewhere
                return {}

        def _load_data(self, name: str) -> Any:
            if not _is_whole(self._data_path(name)):
                raise OSError  # as if it were not there
            try:
                return super()._load_data(name)
            except (ImportError, AttributeError) as error:
                raise OSError from error

        @contextmanager
        def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
            content = io.BytesIO()
            yield content
            with super()._open_for_write(filepath) as file:
                # Behind the end of a pickle, where its reader does not look.
                file.write(content.getvalue() + sha256(content.getvalue()).digest())

    class CheckedCache(base.FunctionCache):  # type: ignore[misc]
        def __init__(self, function: Any, all_ours: bool) -> None:
            super().__init__(function)
            self.all_ours = all_ours
            stamp = self._impl.locator.get_source_stamp()
            self._cache_file = CheckedFile(self._cache_path, self._impl.filename_base, stamp)

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            # Numba imports all that it can compile, SciPy included, before it looks for the file.
            # What lies there is compiled already; only a user's code may call some of that.
            if not self.all_ours:
                return super().load_overload(sig, target_context)
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)

        def save_overload(self, sig: Any, data: Any) -> None:
            try:
                super().save_overload(sig, data)
            except OSError as error:
                _say_that_nothing_is_kept(f"{self._cache_path}: {error.strerror}")

    return CheckedCache


def _is_whole(path: str) -> bool:
    """Does the file end in the checksum of what stands before?"""
    try:
        content = Path(path).read_bytes()
    except OSError:
        return False
    size = sha256().digest_size
    return sha256(content[:-size]).digest() == content[-size:]


@cache
def _say_that_nothing_is_kept(reason: str) -> None:
    """Warn once for each reason."""
    warnings.warn(
        f"compiled kernels are not kept ({reason}), so that each run compiles them anew; "
        "NUMBA_CACHE_DIR names another folder",
        stacklevel=2,
    )


def _parts_compiler() -> Transform:
    """Compile the parts of one kernel: inlined, or (see `outline.called`) once for all callers."""
    from numba import njit

    from zerowait.engine.kernel_compiler import Part

    shared: dict[tuple[Any, ...], Any] = {}

    def compiled(function: FunctionType) -> Any:
        # Parts that read the same and call the same parts are one. (1, 1.0 and True are equal.)
        uses = (id(function.__globals__.get(name)) for name in global_names(function.__code__))
        key = (function.__module__, function.__code__, repr(constants_of(function)), *uses)
        if key not in shared:
            if function.__dict__.get("called"):
                shared[key] = Part(function, KERNEL)
            else:
                shared[key] = njit(inline="always", **KERNEL)(function)
        return shared[key]

    return compiled


def _bind(policy: Policy, transform: Transform, guard: Transform | None = None) -> FunctionType:
    hooks = hooks_of(policy, transform, guard)
    asked = hooks_of(policy, _unchanged)
    del asked["next_stop"], asked["on_pause"]  # of policies that pause somebody: they want the time
    if not (policy.pauses or any(_reads_clock(hook) for hook in asked.values())):
        hooks["tell_time"] = transform(link(_tell_nothing, {}, transform))
    return link(event_loop, hooks | {"PAUSING": policy.pauses}, transform)


def _tell_nothing(jobs: Any, now: float) -> None:
    """Do nothing: a store at each event is two or three per cent of a fast kernel."""


def _reads_clock(function: FunctionType) -> bool:
    """Does the function, or one that it can call, mention the clock?"""
    return "clock" in function.__code__.co_names or any(map(_reads_clock, functions_read(function)))


def hooks_of(
    policy: Policy,
    transform: Transform,
    guard: Transform | None = None,
    pausing: bool | None = None,
) -> dict[str, Any]:
    """Link the policy's hooks; those of its auxiliary policy are bound inside them.

    `pausing` is whether somebody may be paused: by default, where the policy itself pauses jobs.
    """
    bound: dict[str, Any] = {"PAUSING": policy.pauses if pausing is None else pausing}
    if policy.auxiliary is not None:
        inner = hooks_of(policy.auxiliary, transform, guard, bound["PAUSING"])
        bound |= {f"auxiliary_{name}": hook for name, hook in inner.items()}
    finish = guard or transform
    return {name: finish(link(getattr(policy, name), bound, transform)) for name in policy.HOOKS}


def link(function: Any, bound: dict[str, Any], transform: Transform) -> FunctionType:
    """Copy `function` with `bound` names replaced and every function it calls transformed."""
    names = dict(bound)
    for name in set(global_names(function.__code__)) - bound.keys():
        value = function.__globals__.get(name)
        if isinstance(value, FunctionType):
            names[name] = transform(link(value, bound, transform))
    copy = FunctionType(
        function.__code__,
        function.__globals__ | names,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    # A kernel on disk is loaded with the modules of what it calls: those of users move and change.
    copy.__module__ = function.__module__ if is_ours(function) else __name__
    copy.__dict__.update(function.__dict__)
    return copy


def fingerprint(function: FunctionType) -> str:
    """Hash the bytecode, names and constants of `function` and of all it can call."""
    digest = sha256()
    seen: set[int] = set()

    def visit(value: Any) -> None:
        if isinstance(value, FunctionType):
            if id(value) in seen:
                return
            seen.add(id(value))
            visit(value.__code__)
            visit(constants_of(value))
            for name in global_names(value.__code__):
                visit(value.__globals__.get(name))
        elif isinstance(value, CodeType):
            # Bytecode holds places in these tuples: `a.x - a.y` and `a.y - a.x` differ only there.
            visit((value.co_code, value.co_names, value.co_varnames, value.co_freevars))
            visit(value.co_consts)
        elif isinstance(value, tuple):
            digest.update(f"({len(value)}{getattr(value, '_fields', '')}".encode())
            for item in value:
                visit(item)
        elif isinstance(value, np.ndarray):
            digest.update(f"{value.dtype}{value.shape}".encode() + value.tobytes())
        elif isinstance(value, (int, float, str, bytes, np.generic, type(None))):
            digest.update(f"{type(value).__name__}:{value!r};".encode())
        else:  # modules, and functions and types of others: they are what they are called
            home, name = getattr(value, "__module__", ""), getattr(value, "__name__", "")
            digest.update(f"{type(value).__name__}:{home}.{name};".encode())

    visit(repr(KERNEL))
    visit(_compiler_source())
    visit(function)
    return digest.hexdigest()


@cache
def _compiler_source() -> bytes:
    return Path(__file__).with_name("kernel_compiler.py").read_bytes()


def _unchanged(function: FunctionType) -> FunctionType:
    return function
