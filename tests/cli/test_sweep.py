"""`zerowait sweep` and `zerowait results`, killed and interrupted as users and clusters do it."""

import json
import shlex
import signal
from pathlib import Path

import polars as pl
import pytest

import zerowait as zw
from tests.cli.running import (
    answer,
    await_work,
    begun,
    interrupted,
    ran,
    refusal,
    started,
    zerowait,
)
from tests.conditions import await_until
from tests.unit.experiment.sweeps.test_sweep import POLICY

pytestmark = pytest.mark.slow

FILE = """
workloads = "figure1"
servers = [256, 2048]
policies = ["fcfs", "bs:fcfs", "first-fit"]
seeds = [1, 2, 3]
arrivals = 20_000
"""
N_POINTS = 18
COUNTS = ("finished_before", "run_now", "run_by_others")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "exp.toml").write_text(FILE)
    return tmp_path / "exp.toml"


def n_files(folder: Path) -> int:
    return len(list(folder.glob("*.parquet")))


def numbers(folder: Path) -> pl.DataFrame:
    return zw.load(folder).drop("seconds", "finished_at")


# One point never ends by itself: whenever a kill comes, the sweep is in the middle.
ENDLESS = """
workloads = "figure1"
servers = 256
[[sweep]]
policies = "fcfs"
arrivals = 2_000_000_000
[[sweep]]
policies = ["bs:fcfs", "first-fit"]
seeds = [1, 2, 3, 4]
arrivals = 20_000
"""


def test_killed_again_and_again_it_loses_nothing(tmp_path: Path) -> None:
    file, n_points = tmp_path / "exp.toml", 9
    whole, out = tmp_path / "whole", tmp_path / "out"
    out.mkdir()
    foreign = out / ".rsync.part"  # whoever has left that
    foreign.touch()
    file.write_text(ENDLESS)
    for more in (0, 1, 4):
        before = n_files(out)
        process = begun("sweep", file, "--out", out, "--threads", 2)
        await_until(lambda: n_files(out) >= before + more, every_s=0.005)  # noqa: B023
        process.kill()
        assert process.ended().returncode == -signal.SIGKILL
        assert before + more <= n_files(out) < n_points
        if n_files(out):
            assert numbers(out)["point"].n_unique() == n_files(out)  # all can be read
    kept = n_files(out)
    file.write_text(ENDLESS.replace("2_000_000_000", "20_000"))
    ran("sweep", file, "--out", whole)
    last = answer("sweep", file, "--out", out)
    assert (last["finished_before"], last["run_now"]) == (kept, n_points - kept)
    assert numbers(out).equals(numbers(whole))
    assert set(out.iterdir()) == {*out.glob("*.parquet"), foreign}


def test_two_sweeps_into_one_folder(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    both = [begun("sweep", file, "--out", out, "--json") for _ in range(2)]
    ended = [process.ended() for process in both]
    assert [done.returncode for done in ended] == [0, 0], ended
    told = [json.loads(done.stdout) for done in ended]
    assert sum(one["run_now"] for one in told) == N_POINTS  # each once
    assert [sum(one[name] for name in COUNTS) for one in told] == [N_POINTS] * 2
    ran("sweep", file, "--out", tmp_path / "alone")
    assert numbers(out).equals(numbers(tmp_path / "alone"))
    assert len(list(out.iterdir())) == N_POINTS


# Two points are finished when Ctrl-C comes, so that polars has written: it takes the
# handling of signals over, and waits without an end would no longer be interrupted.
INTERRUPTED = """
workloads = "figure1"
servers = 256
policies = "fcfs"
[[sweep]]
arrivals = 2_000_000_000
[[sweep]]
arrivals = 1000
seeds = [5, 6]
"""


@pytest.mark.parametrize("where", [("--threads", 2), ("--dask", "local", "--threads", 2)])
def test_ctrl_c_keeps_finished_points_and_ends_at_once(
    where: tuple[object, ...], tmp_path: Path
) -> None:
    file, out = tmp_path / "exp.toml", tmp_path / "out"
    file.write_text(INTERRUPTED)
    process = started("sweep", file, "--out", out, *where)
    await_until(lambda: n_files(out) == 2)
    assert process.poll() is None
    *before, last = interrupted(process).splitlines()
    assert last == (
        f"zerowait: interrupted; finished points are in {out}, the same command runs the rest"
    )
    assert all(" of 3 points" in line for line in before)
    assert n_files(out) == len(numbers(out)["point"].unique()) == 2
    assert not list(out.glob(".*.part"))
    file.write_text(INTERRUPTED.replace("2_000_000_000", "2_000"))
    again = answer("sweep", file, "--out", out)
    assert (again["finished_before"], again["run_now"]) == (2, 1)


def test_ctrl_c_while_a_cluster_is_started(tmp_path: Path) -> None:
    file, out = tmp_path / "exp.toml", tmp_path / "out"
    file.write_text(INTERRUPTED)
    process = started("sweep", file, "--out", out, "--dask", "local", "--threads", 2)
    await_until(out.is_dir)  # it is made just before
    await_work(process, 0.5)
    assert interrupted(process).startswith("zerowait: interrupted; finished points are in")


def test_dry_run_shows_and_does_nothing(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shown = ran("sweep", file, "--out", out, "--dry-run").stdout
    assert f"{N_POINTS} points: 0 finished before, {N_POINTS} to run" in shown
    assert "workload=figure1, servers=2048, policy=fcfs, seed=1" in shown
    points = answer("sweep", file, "--out", out, "--dry-run")["points"]
    assert len({point["point"] for point in points}) == N_POINTS
    assert not out.exists()
    assert "policy_files" in json.loads(ran("schema", "sweep").stdout)["properties"]


def test_a_dry_run_runs_no_code(tmp_path: Path) -> None:
    file, trace = tmp_path / "exp.toml", tmp_path / "ran"
    (tmp_path / "mine.py").write_text(f"open({str(trace)!r}, 'w')\n" + POLICY)
    file.write_text(
        'policy_files = ["mine.py"]\nworkloads = "figure1"\nservers = 256\narrivals = 1000\n'
        'policies = ["fcfs", "bs:mine", "mine"]\n'
    )
    done = ran("sweep", file, "--out", tmp_path / "out", "--dry-run")
    assert "1 points: 0 finished before, 1 to run" in done.stdout
    assert (
        "not counted: points of bs:mine, mine, which only the code of policy_files" in done.stderr
    )
    told = answer("sweep", file, "--out", tmp_path / "out", "--dry-run")
    assert (len(told["points"]), told["left_out"]) == (1, ["bs:mine", "mine"])
    assert not trace.exists()
    assert answer("sweep", file, "--out", tmp_path / "out")["run_now"] == 3
    assert trace.exists()
    for command, told in (
        ("sweep", "The code of its policy_files is run, but not in a dry run."),
        ("simulate", "its code is run."),
    ):
        assert told in " ".join(ran(command, "--help").stdout.split())


def test_failed_points_are_listed_and_the_exit_code_tells(tmp_path: Path) -> None:
    file, out = tmp_path / "exp.toml", tmp_path / "out"
    file.write_text(
        'workloads = "sdsc_sp2"\nservers = [32, 128]\nloads = 0.5\npolicies = "fcfs"\n'
        "arrivals = 1000\n"
    )
    done = zerowait("sweep", file, "--out", out)
    assert done.returncode == 1
    assert "0 finished before, 1 run now, 1 failed" in done.stdout
    assert (
        "failed: workload=sdsc_sp2, servers=32, load=0.5, policy=fcfs, seed=1: need of"
        in done.stderr
    )
    assert (
        "1 failed: need of classes[6] (need 64) = 64: exceeds the 32" in ran("results", out).stdout
    )


def test_bad_files_are_refused_before_anything_runs(file: Path, tmp_path: Path) -> None:
    file.write_text(FILE.replace('"first-fit"', '"fast-fit"'))
    message = refusal("sweep", file, "--out", tmp_path / "out")
    assert message.startswith(f"{file}:4: policies[2] = 'fast-fit': ")
    assert "no-such.toml: cannot be read" in refusal("sweep", "no-such.toml")
    assert "holds no results" in refusal("results", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_results_are_chosen_shown_and_exported(file: Path, tmp_path: Path) -> None:
    file.write_text(FILE.replace("20_000", "2_000"))
    out, csv = tmp_path / "out", tmp_path / "rows.csv"
    ran("sweep", file, "--out", out)
    where = ("--where", "policy=bs:fcfs", "--where", "servers=2048", "--where", "seed<=2")
    rows = answer("results", out, *where)
    assert {row["policy"] for row in rows} == {"balanced-splitting:fcfs"}
    assert [row["seed"] for row in rows] == [1, 2]
    one = answer(*shlex.split(rows[1]["command"])[1:])
    assert one["overall"]["response"]["mean"] == rows[1]["response"]
    assert one["overall"]["wait"]["p99"] == rows[1]["wait_p99"]
    shown = ran("results", out, *where, "--columns", "policy,served_by_helpers").stdout
    assert shown.splitlines()[1].split() == ["policy", "served_by_helpers"]
    ran("results", out, *where, "--classes", "--csv", csv)
    assert len(pl.read_csv(csv)) == 2 * 5
    assert "column 'colour'" in refusal("results", out, "--columns", "policy,colour")
