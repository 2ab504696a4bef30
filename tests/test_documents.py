"""The examples in the documents run, and print what the documents say they print."""

import re
import shlex
from datetime import datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard

import zerowait as zw
from tests.cli.running import ran

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted(
    path for path in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")] if "_build" not in path.parts
)


def blocks(document: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", document.read_text(), re.DOTALL | re.MULTILINE)


def runnable(document: Path) -> list[tuple[str, str]]:
    """Language and text of the blocks that run, in the order of the document."""
    return re.findall(
        r"^```(console|python)\n(.*?)^```", document.read_text(), re.DOTALL | re.MULTILINE
    )


def files(document: Path) -> list[tuple[str, str]]:
    """Name and text of the blocks that the reader is asked to save: `<!-- file: name -->`."""
    return re.findall(
        r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```", document.read_text(), re.DOTALL | re.MULTILINE
    )


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the documents speak of."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    begun = datetime(2025, 1, 6)
    rows = [
        "JobID|User|Submit|Start|End|ElapsedRaw|State|AllocCPUS|AllocTRES|TimelimitRaw|Partition"
    ]
    for job in range(400):
        submit = begun + timedelta(hours=2 * job)
        need, elapsed = int(2 ** rng.integers(0, 9)), int(rng.integers(60, 20_000))
        end = submit + timedelta(seconds=elapsed)
        times = "|".join(f"{time:%Y-%m-%dT%H:%M:%S}" for time in (submit, submit, end))
        tres = f"cpu={need},gres/gpu={need},node=1"
        rows.append(f"{job}|ann|{times}|{elapsed}|COMPLETED|{need}|{tres}|{elapsed // 60 + 60}|gpu")
    (tmp_path / "jobs.sacct.zst").write_bytes(zstandard.compress("\n".join(rows).encode()))
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_examples(document: Path, desk: Path) -> None:
    """Commands print what the document shows, where it shows it; Python blocks share names."""
    for name, text in files(document):
        (desk / name).write_text(text)
    names: dict[str, Any] = {}
    for language, block in runnable(document):
        if language == "python":
            exec(compile(block, str(document), "exec"), names)
        else:
            run_commands(block)


def run_commands(block: str) -> None:
    for command, output in re.findall(r"^\$ ([^\n]*)\n((?:(?!\$ ).*\n?)*)", block, re.MULTILINE):
        program, *arguments = shlex.split(command)
        assert program == "zerowait"
        shown = ran(*arguments).stdout
        if output.strip():
            assert lines(shown) == lines(output)


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


def test_the_workload_file_of_the_readme(tmp_path: Path) -> None:
    (block,) = blocks(ROOT / "README.md", "toml")
    (tmp_path / "own.toml").write_text(block)
    assert zw.load_workload(tmp_path / "own.toml").needs.tolist() == [1, 16]


def test_public_names_exist() -> None:
    assert sorted(zw.__all__) == dir(zw)
    for name in zw.__all__:
        assert getattr(zw, name) is not None


def test_the_map_is_the_house() -> None:
    """Every layer and every room in it has its line on the map, and no line leads nowhere."""
    house = ROOT / "src" / "zerowait"
    (plan,) = blocks(ROOT / "CONTRIBUTING.md", "text")
    drawn, layer = set(), ""
    for line in plan.splitlines():
        name = line.split()[0]
        layer = layer if line.startswith(" ") else name
        drawn.add(layer if name == layer else f"{layer}/{name}")
    rooms = {path.parent.relative_to(house).as_posix() for path in house.rglob("__init__.py")}
    # A room inside a room is on the plan of that room alone.
    beside = {".", "cli/deploy"}
    assert drawn == {room for room in rooms if room.count("/") < 2} - beside


def test_files_that_contributors_are_sent_to_exist() -> None:
    named = re.findall(
        r"`((?:src|tests|docs|\w+)/[\w/.-]*)`", (ROOT / "CONTRIBUTING.md").read_text()
    )
    assert len(named) > 20
    for name in named:
        homes = (ROOT, ROOT / "src" / "zerowait", ROOT / "tests")
        assert name.endswith("__pycache__") or any((home / name).exists() for home in homes), name


def test_the_generated_parts_of_the_reference_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs/_ext"))
    for name, make in import_module("register_tables").PARTS_OF_PAGES.items():
        assert make(), name
