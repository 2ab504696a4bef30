"""Sweep files: what they expand to, and errors that name the line."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import zerowait as zw
from zerowait.experiment.files.toml_file import line_of, value_lines
from zerowait.experiment.sweeps.sweep import SweepFile, sweep_schema

FILE = """\
arrivals = 1000           # for all sweeps
policies = ["fcfs",
            "bs:first-fit"]

[[sweep]]
name = "critical"
workloads = "figure1"
servers = [256, 2048]

[[sweep]]
workloads = ["mine", "sdsc_sp2,table=described", "other.toml"]
servers = 128
loads = [0.5, 0.7]
seeds = [1, 2, 3]
policies = "fcfs"

[workload.mine]
class = [
  { need = 1, share = 0.5, service = { law = "exponential", mean = 1.0 } },
  { need = 4, share = 0.5, service = { law = "lognormal", mean = 1.0, std = 2.0 } },
]
"""
OTHER = """
[[class]]
need = 2
share = 1.0
service = { law = "exponential", mean = 3.0 }
"""


def written(folder: Path, text: str = FILE) -> Path:
    (folder / "other.toml").write_text(OTHER)
    path = folder / "exp.toml"
    path.write_text(text)
    return path


def test_blocks_are_products_with_shared_keys(tmp_path: Path) -> None:
    (critical, _), (own, _) = SweepFile(written(tmp_path)).sweeps()
    asked = [(point.label, point.servers, point.chosen.spec) for point in critical.points()]
    assert asked == [
        ("figure1", servers, policy)
        for servers in (256, 2048)
        for policy in ("fcfs", "balanced-splitting:first-fit")
    ]
    assert critical.points()[0].workload == zw.workloads.figure1(256)
    points = own.points()
    assert len(points) == 3 * 2 * 3
    assert {point.label for point in points} == {"mine", "sdsc_sp2,table=described", "other"}
    assert {point.load for point in points} == {0.5, 0.7}
    assert all(point.options == {"arrivals": 1000} for point in points)
    assert points[-1].workload == zw.load_workload(tmp_path / "other.toml")
    assert points[0].workload.needs.tolist() == [1, 4]


def test_a_file_without_blocks_is_one_sweep(tmp_path: Path) -> None:
    text = 'workloads = "figure1"\nservers = 256\npolicies = ["fcfs", "FCFS"]\n'
    ((name, point),) = SweepFile(written(tmp_path, text)).points()
    assert (name, point.load, point.options) == ("", None, {})


def test_a_block_may_go_back_to_the_workloads_own_load(tmp_path: Path) -> None:
    text = (
        'loads = 0.5\nworkloads = "figure1"\nservers = 256\npolicies = "fcfs"\n'
        "[[sweep]]\n[[sweep]]\nloads = []\n[[sweep]]\narrival_rates = 2.0\n"
    )
    points = [points[0] for _, points in SweepFile(written(tmp_path, text)).sweeps()]
    rates = [(point.load, point.arrival_rate) for point in points]
    assert rates == [(0.5, None), (None, None), (None, 2.0)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"bs:first-fit"', '"bs:foo"', ":3: policies[1] = 'bs:foo': policy 'bs:foo': there is no"),
        ('"mine"', '"mane"', ":11: workloads[0] = 'mane': workload 'mane': is not known"),
        ("table=described", "tab=1", ":11: workloads[1] = 'sdsc_sp2,tab=1'"),
        ("other.toml", "none.toml", ":11: workloads[2]"),
        ("seeds", "seedz", ":14: sweep[1].seedz = [1, 2, 3]: there is no such field"),
        ("[0.5, 0.7]", "[0.5, -1]", ":13: loads[1] = -1: must be a finite number above zero"),
        ("[0.5, 0.7]", "0.5\narrival_rates = 1", ":13: loads = [0.5]: arrival_rates = [1.0] as"),
        ("servers = 128", "servers = [128, 1.5]", ":12: sweep[1].servers[1] = 1.5"),
        ("servers = 128", "servers = 0", ":12: servers[0] = 0: must be a whole number"),
        ("servers = 128", "servers = []", ":12: sweep[1].servers = []"),
        ("servers = 128\n", "", ":10: servers: is missing; add it"),
        ('"lognormal"', '"lognorm"', ":20: workload.mine.class[1].service.law = 'lognorm'"),
        ("share = 0.5", "share = 0.4", ":17: workload.mine: sum of shares = 0.8"),
        ("arrivals = 1000", "arrivals = 0", ":1: arrivals = 0"),
        ("arrivals = 1000", "warmup = true", ":1: warmup = True: "),
        ("arrivals = 1000", 'policy_files = ["none.py"]', ":1: policy_files[0] = 'none.py'"),
        ("seeds = [1, 2, 3]", "seeds = [1, 2", ":15: not TOML"),
    ],
)
def test_errors_name_the_line(old: str, new: str, message: str, tmp_path: Path) -> None:
    path = written(tmp_path, FILE.replace(old, new))
    with pytest.raises(zw.InputError) as caught:
        SweepFile(path).sweeps()
    assert str(caught.value).startswith(f"{path}{message}")
    assert "\n" not in str(caught.value)


def places(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*place, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from places(item, (*place, number))
    else:
        yield place


NASTY = '''
a.b."c.d" = 1   # ] } [[
e = ["x]#", 'y"', """
line ] " "" \\""" end""", [1, [2,
3]], { f = 1, g.h = [ { i = 1979-05-27T07:32:00Z }, {} ] }, ]
[t] # [u]
k = \'\'\'
a\'\'b\'\'\'\'
[ t . "v w" ]
k = +1.5e3
[[s]]
k = 1
[[s.r]]
k = 2
[[s.r]]
k = 3
[s.r.q]
k = 4
[[s]]
[[s.r]]
k = 5
'''


def test_lines_are_found_in_any_toml() -> None:
    for text in (FILE, NASTY):
        lines, data = value_lines(text), tomllib.loads(text)
        assert set(places(data)) <= set(lines)
    expected = {
        ("a", "b", "c.d"): 2, ("e",): 3, ("e", 2): 3, ("e", 3, 1, 1): 5, ("e", 4, "g", "h", 0): 5,
        ("t", "k"): 7, ("t", "v w", "k"): 10, ("s", 0, "r", 1, "q", "k"): 18, ("s", 1, "r", 0): 20,
    }  # fmt: skip
    assert {place: value_lines(NASTY)[place] for place in expected} == expected
    assert line_of(lines, ("s", 1, "r", 0, "k", "x", 3)) == 21
    assert line_of(lines, ("nowhere",)) is None


def test_the_schema_offers_every_key() -> None:
    schema = sweep_schema()
    assert {"workloads", "loads", "precision", "sweep", "workload"} <= schema["properties"].keys()
    one_or_several = schema["properties"]["servers"]["anyOf"][0]["anyOf"]
    assert [kind["type"] for kind in one_or_several] == ["integer", "array"]
    assert not schema["additionalProperties"]
