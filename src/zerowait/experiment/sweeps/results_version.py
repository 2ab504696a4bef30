"""A fingerprint of all code that a simulated number depends on.

Stored with each point of a sweep: where it differs from today's, the point is stale. It is taken
of sources without comments and docstrings, so that neither a reworded remark nor another Python
makes results stale; docs/decisions/0401 says what it covers.
"""

import ast
import dataclasses
import inspect
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from zerowait.engine.compile import compile_loop, fingerprint
from zerowait.model import Workload
from zerowait.policies import Policy

ROOT = "zerowait.experiment.simulation.simulate"
# What changes no result: the number of the package; what refuses values, and shows results; how a
# workload was read, for a point is named after the workload itself.
WITHOUT_RESULTS = (
    "zerowait._version",
    "zerowait.experiment.checks",
    "zerowait.experiment.files.",
    "zerowait.model.display",
)
WORDS = ("label", "meaning")  # arguments of the registers that only people read
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
Imports = ast.Import | ast.ImportFrom


def results_version(policy: Policy, workload: Workload) -> str:
    """Hash of the sources of simulation, policy, laws and arrivals, and of NumPy's release."""
    chosen = [policy] if policy.auxiliary is None else [policy, policy.auxiliary]
    known = {type(one): one for one in (*chosen, *_parts(workload))}
    files = {kind.__module__: _file_of(kind.__module__) for kind in known}
    elsewhere = [kind for kind in known if files[kind.__module__] is None]
    # A user's file may have been edited and loaded again since it was last asked about.
    content = {
        name: b"" if _is_ours(name) else file.read_bytes()
        for name, file in files.items()
        if file is not None
    }
    digest = sha256(_digest_of_sources(tuple(sorted(content.items()))).encode())
    for kind in sorted(elsewhere, key=lambda kind: kind.__qualname__):
        digest.update(_definition(known[kind]).encode())
    # NumPy keeps its random streams within a release series only (NEP 19).
    digest.update(".".join(np.__version__.split(".")[:2]).encode())
    return digest.hexdigest()[:12]


def _parts(value: Any) -> Iterator[Any]:
    """The dataclasses inside a value: classes, laws, arrivals."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield value
        for field in dataclasses.fields(value):
            yield from _parts(getattr(value, field.name))
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _parts(item)


@cache
def _digest_of_sources(modules: tuple[tuple[str, bytes], ...]) -> str:
    """Hash of the sources of modules and of all that they import, without remarks."""
    seen: dict[str, str] = {}
    roots = [name for name, _ in modules]
    waiting = [ROOT, *roots]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            path = _file_of(name)
            assert path is not None
            seen[name], imports = _without_remarks(path.read_bytes())
            waiting += [other for other in _origins(imports) if _is_followed(other, roots)]
    # Not under its name: a user's file may be moved or renamed.
    return sha256("\n".join(sorted(seen.values())).encode()).hexdigest()


@cache  # most policies share most of their files
def _without_remarks(source: bytes) -> tuple[str, tuple[Imports, ...]]:
    """What is left of a file, and its imports."""
    tree = ast.parse(source)
    imports = tuple(_strip(tree))
    if any(word.encode() in source for word in WORDS):
        _strip_words(tree)
    return ast.unparse(tree), imports


def _strip(node: Any) -> Iterator[Imports]:
    """Drop docstrings and what only type checkers read (comments are no part of a tree); tell the
    imports that are left. Statements alone are looked at: a tenth of all nodes."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        block = getattr(node, name, None)
        if not isinstance(block, list):
            continue
        if name == "body" and block and isinstance(node, DOCUMENTED) and _is_text(block[0]):
            block = block[1:] or [ast.Pass()]
        block = [one for one in block if not _is_for_type_checkers(one)]
        setattr(node, name, block)
        for one in block:
            if isinstance(one, Imports):
                yield one
            yield from _strip(one)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_for_type_checkers(node: ast.AST) -> bool:
    if not isinstance(node, ast.If):
        return False
    return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _strip_words(tree: ast.AST) -> None:
    """Drop what registers say to people."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            node.keywords = [one for one in node.keywords if one.arg not in WORDS]


def _file_of(module: str) -> Path | None:
    path = getattr(sys.modules.get(module), "__file__", None)
    return Path(path) if path is not None and path.endswith(".py") else None


def _is_ours(module: str) -> bool:
    return module.startswith("zerowait.")


def _is_followed(module: str, roots: Iterable[str]) -> bool:
    """Our own modules (packages only collect names), and those beside a user's file."""
    path = _file_of(module)
    if path is None or path.name == "__init__.py" or module.startswith(WITHOUT_RESULTS):
        return False
    if _is_ours(module):
        return True
    folders = {file.parent for file in map(_file_of, roots) if file is not None}
    return path.parent in folders


def _origins(imports: Iterable[Imports]) -> Iterator[str]:
    """The modules in which imported names are defined, whatever package passes them on."""
    for node in imports:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif node.module is not None:
            if node.module.startswith("zerowait"):
                import_module(node.module)
            home = sys.modules.get(node.module)
            for alias in node.names:
                value = getattr(home, alias.name, None)
                if isinstance(value, ModuleType):
                    yield value.__name__
                else:
                    defined = getattr(value, "__module__", None)
                    yield defined if isinstance(defined, str) else node.module


def _definition(part: Any) -> str:
    """A class from a notebook: its source if Python still has it, else what is compiled of it."""
    kind = type(part)
    try:
        return _without_remarks(inspect.getsource(kind).encode())[0]
    except (OSError, TypeError, SyntaxError):
        if isinstance(part, Policy):
            hooks = fingerprint(compile_loop(part, jit=False))  # type: ignore[arg-type]
            return hooks + fingerprint(type(part).initial_state)  # type: ignore[arg-type]
        return kind.__qualname__
