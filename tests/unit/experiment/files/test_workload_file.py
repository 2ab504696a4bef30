"""Workload files and names: found from Python as on the command line, refused with the line."""

from pathlib import Path

import pytest

import zerowait as zw

FILE = """\
[[class]]
need = 1
share = 0.75
service = { law = "exponential", mean = 1.0 }

[[class]]
need = 4
share = 0.25
service = { law = "lognormal", mean = 1.0, std = 2.0 }
"""


def test_a_workload_by_name_file_or_itself(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(FILE)
    for spelled in (path, str(path), zw.load_workload(path)):
        assert zw.simulate(spelled, 8, load=0.5, arrivals=100).classes[1].need == 4
    named = zw.compare("figure1,slack=0.6", 256, ["fcfs"], arrivals=1000).results[0]
    assert named.parameters["load"] == zw.workloads.figure1(256, slack=0.6).load(256)
    jobs = zw.Jobs([0], [1], [1])
    for function in (zw.simulate, zw.capacity):
        with pytest.raises(zw.InputError, match=r"workload = Jobs.*replay and compare take logs"):
            function(jobs, 8, "fcfs")  # type: ignore[arg-type]
    log = tmp_path / "log.swf"
    log.write_text("; MaxProcs: 4")
    with pytest.raises(zw.InputError, match=r"log\.swf: is no workload; .*trace fit"):
        zw.simulate(log, 8)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("need = 4", "ned = 4", ":7: class[1].ned = 4: there is no such field"),
        ("std = 2.0", "std = -2.0", ":6: class[1]: std = -2.0"),
        ("share = 0.25", "share = 0.5", ": sum of shares = 1.25"),
        ("[[class]]", "load = 0.5\n[[class]]", ":1: load = 0.5: refers to servers"),
        ("need = 1", "need = [1", ":3: not TOML"),
    ],
)
def test_errors_name_the_line(old: str, new: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(FILE.replace(old, new, 1))
    with pytest.raises(zw.InputError) as caught:
        zw.load_workload(path)
    assert str(caught.value).startswith(f"{path}{message}")
