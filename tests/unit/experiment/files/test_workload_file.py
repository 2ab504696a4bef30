"""Workload files and names: found from Python as on the command line, refused with the line."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import pytest

import zerowait as zw
from zerowait.experiment.files.workload_file import workload_schema, workload_table
from zerowait.model.arrivals import ARRIVALS as PROCESSES

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

ARRIVALS = "[arrivals]\nprocess = "


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
        ('"exponential"', '"expo"', ":4: class[0].service.law = 'expo': is no law that can be"),
        ('law = "exponential", ', "", ":4: class[0].service.law: is missing; add it"),
        ("mean = 1.0 }", "men = 1.0 }", ":4: class[0].service.men = 1.0: there is no such field"),
        ("", f"{ARRIVALS}'possion'\n",
         ":2: arrivals.process = 'possion': is no process that can be given so; known: poisson, "),
        ("", f"{ARRIVALS}'rhythm'\nperiodd = 3\n", ":3: arrivals.periodd = 3: there is no such"),
        ("", f"{ARRIVALS}'renewal'\n", ":1: arrivals.law: is missing; add it"),
    ],
)  # fmt: skip
def test_errors_name_the_line(old: str, new: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(FILE.replace(old, new, 1))
    with pytest.raises(zw.InputError) as caught:
        zw.load_workload(path)
    assert str(caught.value).startswith(f"{path}{message}")


@dataclass(frozen=True)
class Bursts(zw.Poisson):
    """How a process is added: this is all there is to it, but for `register`."""

    name: ClassVar[str] = "bursts"
    size: float = field(default=2.0, metadata={"meaning": "jobs that come together"})


@pytest.fixture
def bursts() -> Iterator[None]:
    PROCESSES["bursts"] = Bursts
    workload_table.cache_clear()
    yield
    del PROCESSES["bursts"]
    workload_table.cache_clear()


@pytest.mark.usefixtures("bursts")
def test_a_new_process_is_known_to_files(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f"{FILE}{ARRIVALS}'bursts'\nsize = 4.0\n")
    workload = zw.load_workload(path)
    assert workload.arrivals == Bursts(size=4.0)
    zw.save_workload(workload, path)
    assert zw.load_workload(path) == workload
    keys = workload_schema()["$defs"]["BurstsTable"]["properties"]
    assert keys["size"]["description"] == "jobs that come together"
