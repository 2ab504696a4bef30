"""The examples in the documents run, and print what the documents say they print."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import zerowait as zw
from tests.cli.run import zerowait

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])


def blocks(document: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", document.read_text(), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_python(document: Path) -> None:
    """The blocks of a document follow each other in one session."""
    names: dict[str, Any] = {}
    for block in blocks(document, "python"):
        exec(compile(block, str(document), "exec"), names)


def console_sessions() -> list[tuple[str, str]]:
    return [
        (command, output)
        for document in DOCUMENTS
        for block in blocks(document, "console")
        for command, output in re.findall(r"^\$ ([^\n]*)\n((?:(?!\$ ).*\n?)*)", block, re.MULTILINE)
    ]


@pytest.mark.parametrize(("command", "output"), console_sessions())
def test_console(command: str, output: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "zerowait"
    shown = zerowait(*arguments).stdout
    assert [line.rstrip() for line in shown.strip().splitlines()] == [
        line.rstrip() for line in output.strip().splitlines()
    ]


def test_the_workload_file_of_the_readme(tmp_path: Path) -> None:
    (block,) = blocks(ROOT / "README.md", "toml")
    (tmp_path / "own.toml").write_text(block)
    assert zw.load_workload(tmp_path / "own.toml").needs.tolist() == [1, 16]


def test_public_names_exist() -> None:
    assert sorted(zw.__all__) == dir(zw)
    for name in zw.__all__:
        assert getattr(zw, name) is not None
