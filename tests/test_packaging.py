"""What the project says of itself is so: dependencies, versions, types."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import zerowait as zw

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
# Ours: the package, and the folders that tests import from.
OWN = {"zerowait", "tests", "benchmarks", "docs"}
# Programs that the Makefile or the documentation's settings name, which nothing imports.
PROGRAMS = {
    "coverage", "furo", "hatchling", "import-linter", "mypy", "myst-parser", "pre-commit",
    "pytest-xdist", "ruff",
}  # fmt: skip


def declared(requirements: list[str]) -> set[str]:
    """Names of distributions, as indexes spell them."""
    return {normal(re.split(r"[<>=!~;\[ ]", one, maxsplit=1)[0]) for one in requirements}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def imported(*folders: str) -> set[str]:
    """Distributions of other people that the code in these folders imports, anywhere in a file."""
    names = {
        name.partition(".")[0]
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in imports(node)
        if not path.with_name(f"{name}.py").exists()  # a script's own neighbour
    }
    known = packages_distributions()
    foreign = names - sys.stdlib_module_names - OWN
    return {normal(known[name][0]) if name in known else name for name in foreign}


def imports(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        return [node.module]
    return []


def of_users() -> set[str]:
    """What the package itself imports, perhaps only where an extra is installed."""
    return declared([*PROJECT["dependencies"], *EXTRAS["dask"], *EXTRAS["explore"]])


def test_declared_dependencies_are_those_imported() -> None:
    assert of_users() == imported("src")


def test_tools_are_those_that_tests_and_documents_use() -> None:
    core = of_users()
    tools = declared(EXTRAS["dev"]) | declared(EXTRAS["docs"])
    used = imported("tests", "benchmarks", "docs")
    assert used - core == tools - PROGRAMS - {"zerowait"}
    assert tools >= PROGRAMS


def test_versions_agree() -> None:
    citation = (ROOT / "CITATION.cff").read_text()
    assert re.findall(r"^version: (.*)$", citation, re.MULTILINE) == [zw.__version__]
    changelog = (ROOT / "CHANGELOG.md").read_text()
    assert re.search(rf"^## {re.escape(zw.__version__)}\b", changelog, re.MULTILINE)


def test_the_types_are_for_users_too() -> None:
    assert (ROOT / "src" / "zerowait" / "py.typed").exists()
