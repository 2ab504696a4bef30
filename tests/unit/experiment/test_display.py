"""How things show themselves: in a line, as HTML, drawn."""

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import zerowait as zw
from zerowait import _screens


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("things")
    (folder / "log.csv").write_text("arrival,need,service\n0,2,10\n1,1,1\n")
    workload = zw.workloads.figure1(256)
    sweep = zw.Sweep(workloads="figure1", servers=256, policies="fcfs", arrivals=1000)
    return {
        "result": zw.simulate(workload, 256, arrivals=2000),
        "comparison": zw.compare(workload, 256, ["fcfs", "bs:fcfs"], arrivals=2000),
        "replay": zw.replay(folder / "log.csv", 4),
        "split": zw.balanced_split(workload, 256),
        "log": zw.read_log(folder / "log.csv"),
        "capacity": zw.capacity(workload, 256, tolerance=0.5, max_arrivals=10_000),
        "outcome": zw.sweep(sweep, folder / "results"),
    }


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("result", "<Result of fcfs on 256 servers: response "),
        ("comparison", "<Comparison by response on 256 servers: fcfs "),
        ("replay", "<Result of fcfs on 4 servers: response 5.5, wait 0, P(wait) 0, "),
        ("split", "<Split of 256 servers: own servers 44, 56, 48, 32; helpers 76>"),
        ("log", "log.csv', csv, 2 jobs"),
        ("capacity", "<Capacity of fcfs on 256 servers: load "),
        ("outcome", "1 run now, 0 failed>"),
    ],
)
def test_each_is_told_in_a_line(things: dict[str, Any], name: str, told: str) -> None:
    line = repr(things[name])
    assert told in line
    assert len(line) < 300
    assert "\n" not in line


def test_what_has_many_parts_is_still_short() -> None:
    needs = range(1, 1001)
    classes = [zw.JobClass(n, 1 / 1000, zw.Exponential(1.0)) for n in needs]
    assert len(repr(zw.balanced_split(zw.Workload(classes), 10**6))) < 200
    jobs = zw.Jobs(np.arange(1000.0), np.array(needs), np.ones(1000))
    assert len(repr(zw.replay(jobs, 1000))) < 200
    assert "diverging" in repr(zw.simulate("figure1", 2048, "mbs:fcfs", arrivals=100_000))


def test_notebooks_ask_the_report_layer(
    things: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who shows results says so, and is asked; it has html_of and figure_of."""
    report: Any = ModuleType("report")
    report.html_of = lambda thing: f"<p>{type(thing).__name__}</p>"
    report.figure_of = lambda thing: ("figure", thing)
    monkeypatch.setattr(_screens, "_known", [*_screens._known, lambda: report])
    for name in ("result", "comparison", "replay", "split", "log"):
        thing = things[name]
        assert thing._repr_html_() == f"<p>{type(thing).__name__}</p>"
    for name in ("result", "comparison", "replay"):
        assert things[name].plot() == ("figure", things[name])
