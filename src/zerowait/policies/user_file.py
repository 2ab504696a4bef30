"""Policies from a user's own file."""

import importlib.util
import sys
import traceback
from hashlib import sha256
from pathlib import Path

from zerowait.model import InputError
from zerowait.policies.base import POLICIES


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
    """The line of the file at which it went wrong, and how."""
    if isinstance(error, SyntaxError):
        where = f"{path}:{error.lineno}" if error.lineno else str(path)  # null bytes have no line
        return f"{where}: {type(error).__name__}: {error.msg}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    where = f"{path}:{lines[-1]}" if lines else str(path)
    return f"{where}: {type(error).__name__}: {error}"


def module_name(path: str | Path, content: bytes) -> str:
    """What the module of a policy file is called: two files, or a file before and after an edit,
    are two modules."""
    digest = sha256(str(path).encode() + b"\0" + content).hexdigest()
    return f"zerowait_policy_file_{Path(path).stem}_{digest[:12]}"
