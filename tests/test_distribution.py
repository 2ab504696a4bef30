"""The wheel, built from the source distribution, runs in an environment that has nothing else."""

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from tests.pages import check

ROOT = Path(__file__).parents[1]

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("installed wheel")]


def run(*command: object, cwd: Path) -> str:
    # Neither this tree nor this user's packages may lend what the wheel lacks.
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [*map(str, command)], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the unpacked source distribution, so that this one is complete too."""
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=ROOT)
    (packed,) = folder.glob("*.tar.gz")
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="data")
    source = folder / packed.name.removesuffix(".tar.gz")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=source)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`zerowait` of a fresh environment; the dependencies are lent, not fetched once more."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "--quiet", "--no-index", "--no-deps", wheel, cwd=folder)
    (site,) = folder.glob("lib/python*/site-packages")
    # A folder that is named in a file is not searched for such files: our own tree stays unseen.
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    where = run(python, "-c", "import zerowait; print(zerowait.__file__)", cwd=folder)
    assert Path(where.strip()).is_relative_to(folder)
    return folder / "bin" / "zerowait"


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    package = ROOT / "src" / "zerowait"
    ours = {
        path.relative_to(ROOT / "src").as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert "zerowait/py.typed" in ours
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == ours


def test_it_compares_replays_and_writes_pages(program: Path, tmp_path: Path) -> None:
    compared = run(
        program, "compare", "figure1", "fcfs", "bs:fcfs", "--servers", 256, "--arrivals", 20000,
        "--report", tmp_path / "page.html", cwd=tmp_path,
    )  # fmt: skip
    assert "bs:fcfs" in compared
    check((tmp_path / "page.html").read_text())
    (tmp_path / "jobs.csv").write_text("arrival,need,service\n0,2,10\n1,4,5\n1,1,3\n2,1,4\n")
    out = tmp_path / "rows.csv"
    run(program, "replay", "jobs.csv", "-k", 4, "-p", "fcfs", "--jobs-out", out, cwd=tmp_path)
    rows = [line.split(",") for line in out.read_text().splitlines()]
    start = rows[0].index("start")
    assert [float(row[start]) for row in rows[1:]] == [0, 10, 15, 15]
