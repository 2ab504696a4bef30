"""The register of all known policies, and policies from a user's own file."""

import importlib.util
import sys
import traceback
from hashlib import sha256
from pathlib import Path
from typing import Any

from zerowait.engine.policy import Policy
from zerowait.model import InputError
from zerowait.model.quantities import refuse
from zerowait.policies.families.options import check_options

POLICIES: dict[str, type[Policy]] = {}
OURS = "zerowait.policies."
SPELLING = ",:="  # what separates the parts of a spelling


def register(policy: type[Policy]) -> type[Policy]:
    """Class decorator: make `policy` known to the CLI, the docs and the contract tests.

    A decorator, not `__init_subclass__`: Dask rebuilds classes from notebooks piecemeal, and
    a hook that runs before `name` exists would break them.
    """
    check_declared(policy)
    names = [name for name in (policy.name, policy.alias) if name]
    for name in names:
        known = POLICIES.get(name)
        if known is not None and not _may_retake(policy, known):
            raise InputError(
                f"policy name {name!r} is taken by {known.__qualname__}; give "
                f"{policy.__qualname__} a name and an alias of its own"
            )
    POLICIES.update(dict.fromkeys(names, policy))
    return policy


def _may_retake(policy: type[Policy], known: type[Policy]) -> bool:
    """Allow a cell that is run again, a file after an edit; never a user's class to hide ours."""
    if known.__module__.startswith(OURS) and policy.__module__ != known.__module__:
        return False
    return known.__qualname__ == policy.__qualname__


def check_declared(policy: Any) -> None:
    """Raise InputError where a class is no policy, has no name or options that none can spell."""
    if not isinstance(policy, type) or not issubclass(policy, Policy):
        raise refuse("policy", policy, "must be a class that inherits from zerowait.Policy")
    if not getattr(policy, "name", None):
        raise InputError(f"policy {policy.__qualname__}: has no name; write name = 'my-policy'")
    for field in ("name", "alias"):
        value = getattr(policy, field)
        if not isinstance(value, str) or value != value.strip() or {*SPELLING} & {*value}:
            remedy = f"must be a text without blanks at its ends and without any of {SPELLING}"
            raise refuse(f"policy {policy.__qualname__}: {field}", value, remedy)
    check_options(policy)


def load_policy_file(path: str | Path, home: str | Path | None = None) -> list[str]:
    """Run a Python file whose classes `register` themselves; return the names they added.

    `home` is where the file lives, if `path` is a copy of it.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: there is no such policy file")
    before = dict(POLICIES)
    name = module_name(home or path, path.read_bytes())
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path}: is not a Python file; name it .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise InputError(_told(path, error)) from error
    # A file that is loaded again after an edit puts its classes in place of the old ones.
    added = sorted(key for key, kind in POLICIES.items() if before.get(key) is not kind)
    if not added:
        raise InputError(f"{path}: registers no policy; decorate its class with zerowait.register")
    return added


def _told(path: Path, error: Exception) -> str:
    """Tell the line of the file at which it went wrong, and how."""
    if isinstance(error, SyntaxError):
        where = f"{path}:{error.lineno}" if error.lineno else str(path)  # null bytes have no line
        return f"{where}: {type(error).__name__}: {error.msg}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    where = f"{path}:{lines[-1]}" if lines else str(path)
    return f"{where}: {type(error).__name__}: {error}"


def module_name(path: str | Path, content: bytes) -> str:
    """Name the module of a policy file: two files, or a file before and after an edit, are two."""
    digest = sha256(str(path).encode() + b"\0" + content).hexdigest()
    return f"zerowait_policy_file_{Path(path).stem}_{digest[:12]}"


__all__ = ["POLICIES", "Policy", "check_declared", "register"]
