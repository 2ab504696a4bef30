"""What commands write: refused before the run, whole or not at all after it, never at the cost of
the result."""

import json
from pathlib import Path

import pytest
import typer

from tests.cli.running import ran, refusal, zerowait
from zerowait.cli import app
from zerowait.model import InputError
from zerowait.report.files import check_folder, check_writable

pytestmark = pytest.mark.slow

LOG = "arrival,need,service\n" + "".join(f"{i},{1 + i % 3},{1 + i % 7}\n" for i in range(2000))
SWEEP = 'workloads = "figure1"\nservers = 256\npolicies = "fcfs"\nseeds = [1, 2]\narrivals = 2000\n'
SIMULATE = ("simulate", "figure1", "-k", 256, "--arrivals", 2000)
REHEARSE = ("deploy", "rehearse", "plan.toml", "log.csv")
# A command by the option that writes, as far as the name of the file.
WRITERS = {
    "simulate --jobs-out": (*SIMULATE, "--jobs-out", "out.csv"),
    "replay --jobs-out": ("replay", "log.csv", "-k", 4, "--jobs-out", "out.parquet"),
    "replay --gantt": ("replay", "log.csv", "-k", 4, "--gantt", "out.html"),
    "replay --report": ("replay", "log.csv", "-k", 4, "--report", "out.html"),
    "compare --report": (
        "compare", "figure1", "fcfs", "ff", "-k", 256, "--arrivals", 2000, "--report", "out.html",
    ),
    "compare --jobs-out": ("compare", "log.csv", "fcfs", "ff", "-k", 4, "--jobs-out", "out.csv"),
    "sweep --report": ("sweep", "exp.toml", "--report", "out.html"),
    "optimise --report": (
        "optimise", "figure1", "-k", 64, "--evaluations", 2, "--store", "none", "--report",
        "out.html",
    ),
    "plan --out": ("plan", "log.csv", "--out", "out.toml"),
    "plan --report": ("plan", "log.csv", "--report", "out.html"),
    "reproduce --report": ("reproduce", "table1", "--report", "out.html"),
    "results --csv": ("results", "kept", "--csv", "out.csv"),
    "trace info --html": ("trace", "info", "log.csv", "--html", "out.html"),
    "trace fit --out": ("trace", "fit", "log.csv", "--out", "out.toml"),
    "deploy rehearse --jobs-out": (*REHEARSE, "--jobs-out", "out.csv"),
    "deploy rehearse --jobcomp": (*REHEARSE, "--jobcomp", "out.txt"),
    "deploy rehearse --report": (*REHEARSE, "--report", "out.html"),
}  # fmt: skip
SLOW = ("optimise", "plan", "reproduce", "deploy")  # not run to the end


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with something to work on."""
    (tmp_path / "log.csv").write_text(LOG)
    (tmp_path / "exp.toml").write_text(SWEEP)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_option_that_writes_a_file_is_known_here() -> None:
    found = set()
    for path, command in commands(typer.main.get_command(app)):
        for option in getattr(command, "params", ()):
            help = getattr(option, "help", "") or ""
            if "this ." in help:
                found.add(f"{path} {option.opts[0]}")
    assert found == set(WRITERS)


def commands(group: object, path: str = "") -> list[tuple[str, object]]:
    inner = getattr(group, "commands", None)
    if inner is None:
        return [(path, group)]
    return [
        one
        for name, command in inner.items()
        for one in commands(command, f"{path} {name}".strip())
    ]


@pytest.mark.parametrize("writer", WRITERS)
def test_a_path_that_cannot_be_written_is_refused_before_the_run(writer: str, desk: Path) -> None:
    *command, out = WRITERS[writer]
    folder = desk / str(out)
    folder.mkdir()
    before = sorted(desk.iterdir())
    command[2 if command[0] in ("trace", "deploy") else 1] = "none.toml"  # not even read before
    assert refusal(*command, folder) == f"{folder}: is a folder; name a file in it"
    assert sorted(desk.iterdir()) == before


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("out.xls", "unknown kind of file; name it .csv"),
        ("none/out.csv", "there is no folder none; make it first"),
        ("log.csv/out.csv", "there is no folder log.csv; make it first"),
        ("/proc/out.csv", "cannot be written: "),
        (250 * "x" + ".csv", "cannot be written: File name too long"),
    ],
)
def test_what_cannot_be_written_is_known_before(path: str, reason: str, desk: Path) -> None:
    before = sorted(desk.iterdir())
    with pytest.raises(InputError, match=f"^{path}: {reason}"):
        check_writable(Path(path), (".csv",))
    assert sorted(desk.iterdir()) == before


@pytest.mark.parametrize("writer", [one for one in WRITERS if not one.startswith(SLOW)])
def test_where_the_disk_is_full_the_result_is_printed_all_the_same(writer: str, desk: Path) -> None:
    command = WRITERS[writer]
    if command[0] in ("sweep", "results"):
        ran("sweep", "exp.toml", "--out", "kept")
    if command[0] == "sweep":
        command = (*command[:2], "--out", "kept", *command[2:])
    printed = ran(*command).stdout
    out = desk / str(command[-1])
    size = out.stat().st_size
    out.unlink()
    before = sorted(desk.iterdir())
    done = zerowait(*command, largest_file=size - 1)
    assert done.stdout == printed
    assert done.returncode == 1
    errors = [line for line in done.stderr.splitlines() if "error" in line]
    assert len(errors) == 1
    assert errors[0].startswith(f"zerowait: error: {command[-1]}: cannot be written: ")
    assert "Traceback" not in done.stderr
    assert sorted(desk.iterdir()) == before  # nothing half-written


def test_a_sweep_on_a_full_disk_stops_and_goes_on_later() -> None:
    ran(*SIMULATE)  # so that the kernel is on disk
    done = zerowait("sweep", "exp.toml", largest_file=5000)
    assert done.returncode == 1
    assert done.stderr == (
        "zerowait: error: results: cannot be written: File too large; finished points are kept, "
        "the same sweep goes on from there\n"
    )
    assert json.loads(ran("sweep", "exp.toml", "--json").stdout)["run_now"] == 2


def test_folders_are_refused_before_the_run() -> None:
    for command in (
        ("sweep", "exp.toml", "--out"),
        ("reproduce", "table1", "--out"),
        ("optimise", "figure1", "-k", 64, "--store"),
        ("trace", "download", "SDSC-SP2", "--folder"),
    ):
        assert refusal(*command, "log.csv/deeper").startswith("log.csv/deeper: ")
    for out in ("log.csv", "/proc/out"):
        with pytest.raises(InputError, match=f"^{out}: "):
            check_folder(Path(out))
