"""The version of all code that a simulated number depends on; decision 0401 says what it covers."""

import ast
import dataclasses
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from zerowait.engine.compile import compile_loop, fingerprint
from zerowait.model import Workload
from zerowait.policies import Policy

OURS = "zerowait."
ROOT = "zerowait.experiment.simulation.simulate"
# What refuses values, shows results or reads workloads changes no result.
NOT_OF_RESULTS = ("_version", "experiment.checks", "experiment.files.", "model.display")
WORDS = ("label", "meaning")  # arguments of the registers that only people read


def results_version(policy: Policy, workload: Workload) -> str:
    """Hash the sources of simulation, policy, laws and arrivals, and NumPy's release."""
    parts = {type(one): one for one in (policy, policy.auxiliary or policy, *_parts(workload))}
    files = {name: _file_of(name) for name in sorted({kind.__module__ for kind in parts})}
    # A user's file may have been edited and loaded again since it was last asked about.
    texts = tuple((name, path.read_bytes()) for name, path in files.items() if path is not None)
    found = [_sources(texts), ".".join(np.__version__.split(".")[:2])]
    found += sorted(_definition(one) for kind, one in parts.items() if not files[kind.__module__])
    return sha256("\n".join(found).encode()).hexdigest()[:12]


def _parts(value: Any) -> Iterator[Any]:
    """Yield the dataclasses inside a value: classes, laws, arrivals."""
    if dataclasses.is_dataclass(value):
        yield value
        value = [getattr(value, field.name) for field in dataclasses.fields(value)]
    for one in value if isinstance(value, (tuple, list)) else ():
        yield from _parts(one)


@cache
def _sources(roots: tuple[tuple[str, bytes], ...]) -> str:
    """Return the sources of modules, and of what they import of ours and from beside them."""
    files = {name: _file_of(name) for name, _ in roots if not name.startswith(OURS)}
    folders = {path.parent for path in files.values() if path is not None}
    waiting, found = {ROOT, *dict(roots)}, dict[str, str]()
    while waiting:
        path = _file_of(name := waiting.pop())
        if path is None or not (name.startswith(OURS) or path.parent in folders):
            continue
        found[name] = _without_remarks(path.read_bytes())
        imported = re.findall(r"^ *(?:from|import) ([\w.]+)", found[name], re.MULTILINE)
        # Packages pass names on: what is in use tells itself where it is defined.
        for value in vars(sys.modules[name]).values():
            imported.append(getattr(value, "__module__", None) or getattr(value, "__name__", ""))
        waiting |= {str(one) for one in imported} - found.keys()
    return "\n".join(sorted(found.values()))


def _file_of(module: str) -> Path | None:
    """Return the file of a module; None of a package, which only collects names."""
    if module.startswith(OURS):
        if module.removeprefix(OURS).startswith(NOT_OF_RESULTS):
            return None
        import_module(module)
    path = str(getattr(sys.modules.get(module), "__file__", None))
    return Path(path) if path.endswith(".py") and Path(path).stem != "__init__" else None


@cache  # most policies share most of their files
def _without_remarks(source: bytes) -> str:
    """Drop comments, docstrings, and what only type checkers or people read."""
    tree = ast.parse(source)
    for block in (one for node in ast.walk(tree) for one in vars(node).values()):
        if isinstance(block, list):
            block[:] = [one for one in block if not _is_remark(one)]
    return ast.unparse(tree)


def _is_remark(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return getattr(node.test, "id", "") == "TYPE_CHECKING"
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or (isinstance(node, ast.keyword) and node.arg in WORDS)


def _definition(part: Any) -> str:
    """Return the source of a notebook's class, or what is compiled of it where there is none."""
    try:
        return _without_remarks(inspect.getsource(type(part)).encode())
    except (OSError, TypeError, SyntaxError):
        if not isinstance(part, Policy):
            return type(part).__qualname__
        state: Any = type(part).initial_state
        return fingerprint(compile_loop(part, jit=False)) + fingerprint(state)  # type: ignore[arg-type]
