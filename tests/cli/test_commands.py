"""Every command, end to end."""

import gzip
import json
import shlex
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import zerowait as zw
from tests.cli.running import ran
from zerowait.cli import COMMANDS

pytestmark = pytest.mark.slow

SMALL = ("--arrivals", "20000")
CSV = "arrival,need,service\n0,2,10\n1,4,5\n1,1,3\n2,1,0\n"
SWF = """; Version: 2.2
; MaxProcs: 4
1 0 -1 10 2 -1 -1 2 20 -1 1 1 1 1 1 -1 -1 -1
2 1 -1 5 4 -1 -1 4 5 -1 1 1 1 1 1 -1 -1 -1
3 1 -1 -1 1 -1 -1 1 5 -1 0 1 1 1 1 -1 -1 -1
4 1 -1 3 -1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1
"""


def test_version_and_help() -> None:
    assert ran("--version").stdout == f"zerowait {zw.__version__}\n"
    shown = ran("--help").stdout
    for command in COMMANDS:
        assert command in shown
        assert ran(command, "--help").stdout


def test_help_imports_nothing_heavy() -> None:
    code = """if True:
        import sys
        from typer.testing import CliRunner
        from zerowait.cli import COMMANDS, app
        for command in ([], *([one] for one in COMMANDS)):
            assert CliRunner().invoke(app, [*command, "--help"]).exit_code == 0
        sys.exit(", ".join({"numpy", "numba", "polars", "scipy"} & sys.modules.keys()) or 0)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0


def test_simulate_json_carries_all_it_takes_to_repeat_it() -> None:
    arguments = ("simulate", "figure1", "-k", "256", "-p", "bs:fcfs", *SMALL, "--json")
    first = ran(*arguments).stdout
    result = json.loads(first)
    assert shlex.split(result["command"])[1:] == list(arguments)
    assert ran(*shlex.split(result["command"])[1:]).stdout == first
    assert result["version"] == zw.__version__
    assert result["parameters"]["seed"] == 1
    assert result["split"]["own_servers"] == [44, 56, 48, 32]
    assert len(result["classes"]) == 4
    same = zw.simulate(zw.workloads.figure1(256), 256, "bs:fcfs", arrivals=20000)
    assert result["overall"]["response"]["mean"] == same.response
    assert result["overall"]["wait"]["p99"] == same.overall.wait.p99


def test_tables_show_the_numbers() -> None:
    shown = ran("simulate", "figure1", "-k", "256", "-p", "mbs:ff", *SMALL).stdout
    assert "large x8" in shown
    assert "helpers 76" in shown
    shown = ran("compare", "figure1", "fcfs", "first-fit", "-k", "256", *SMALL).stdout
    assert "first-fit" in shown
    assert "±" in shown


def test_compare_json() -> None:
    out = ran("compare", "figure1", "fcfs", "bs", "-k", "256", *SMALL, "--json").stdout
    rows = json.loads(out)["rows"]
    assert [row["policy"] for row in rows] == ["fcfs", "balanced-splitting:fcfs"]
    assert rows[0]["difference"] == 0.0
    assert rows[1]["response"] - rows[0]["response"] == pytest.approx(rows[1]["difference"])
    assert rows[1]["difference_half_width"] > 0


def test_split() -> None:
    result = json.loads(ran("split", "figure1", "-k", "2048", "--json").stdout)
    assert result["own_servers"] == [384, 512, 512, 512]
    assert result["helpers"] == 128
    shown = ran("split", "figure1", "-k", "2048").stdout
    assert "large x2: offered 16.17 slots of work, has 16" in shown
    assert "psi = 0.986133" in shown
    assert "offered" not in ran("split", "sdsc-sp2", "-k", "512").stdout


def test_policies() -> None:
    rows = json.loads(ran("policies", "--json").stdout)
    assert {row["name"] for row in rows} == {kind.name for kind in zw.POLICIES.values()}
    assert all(row["source"] for row in rows)
    shown = " ".join(ran("policies").stdout.split())
    for row in rows:
        for key in ("name", "rule", "source"):
            assert row[key] in shown
    assert "maxweight yes no yes" in shown
    assert max(map(len, ran("policies").stdout.splitlines())) <= 100


def test_schema() -> None:
    schema = json.loads(ran("schema").stdout)
    assert set(schema["required"]) == {"class"}
    assert "LognormalFromMeanStd" in schema["$defs"]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_replay_writes_one_row_per_job_in_stream_order(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "log.csv").write_text(CSV)
    out = tmp_path / f"jobs{suffix}"
    ran("replay", tmp_path / "log.csv", "-k", "4", "--jobs-out", out)
    frame = pl.read_csv(out) if suffix == ".csv" else pl.read_parquet(out)
    known = [
        "arrival", "need", "service", "estimate", "job_class", "start", "end", "helpers",
        "preemptions",
    ]  # fmt: skip
    assert frame.columns == known
    assert frame["start"].to_list() == [0.0, 10.0, 15.0, 15.0]
    assert frame["end"].to_list() == [10.0, 15.0, 18.0, 15.0]
    assert frame["helpers"].to_list() == [False] * 4
    assert sorted(tmp_path.iterdir()) == [out, tmp_path / "log.csv"]


def test_replay_of_an_swf_log(tmp_path: Path) -> None:
    log = tmp_path / "log.swf.gz"
    log.write_bytes(gzip.compress(SWF.encode()))
    done = ran("replay", log, "-p", "first-fit", "--json")
    assert "1 dropped: no run time (first line 5)" in done.stderr
    result = json.loads(done.stdout)
    assert result["servers"] == 4
    assert result["overall"]["count"] == 3
    # The job of need 4 waits for the first; the last fits beside it.
    assert result["overall"]["wait"]["mean"] == 3.0


def test_a_log_read_back_gives_the_same(tmp_path: Path) -> None:
    """What --jobs-out writes is itself a log."""
    out = tmp_path / "jobs.csv"
    ran("simulate", "figure1", "-k", "256", *SMALL, "--warmup", "0", "--jobs-out", out)
    again = json.loads(ran("replay", out, "-k", "256", "--json").stdout)
    direct = zw.simulate(zw.workloads.figure1(256), 256, arrivals=20000, warmup=0.0, replications=1)
    assert again["overall"]["response"]["mean"] == pytest.approx(direct.response, rel=1e-12)


def test_workload_file(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        """
        [arrivals]
        process = "renewal"
        law = { law = "erlang", phases = 2, mean = 1.0 }
        [[class]]
        need = 1
        share = 0.75
        service = { law = "lognormal", mean = 1.0, std = 2.0 }
        [[class]]
        name = "wide"
        need = 8
        share = 0.25
        service = { law = "mixture", weights = [0.5, 0.5], laws = [
            { law = "exponential", mean = 2 }, { law = "uniform", low = 0, high = 1 } ] }
        """
    )
    out = ran("simulate", path, "-k", "32", "--load", "0.5", *SMALL, "--json").stdout
    assert [one["name"] for one in json.loads(out)["classes"]] == ["need 1", "wide"]


POLICY = '''
import numpy as np
from zerowait.engine.structures.queues import NONE, empty_queues, join, leave
from zerowait.policies import Policy, register
from typing import Any, NamedTuple

class State(NamedTuple):
    idle: Any
    waiting: Any

@register
class LastComeFirstServed(Policy):
    """Start the newest waiting job while it fits."""
    name = "lcfs"

    def initial_state(self, system):
        return State(np.array([system.servers]), empty_queues(1, system.n_seats))

    @staticmethod
    def on_arrival(state, jobs, job):
        join(state.waiting, 0, job)

    @staticmethod
    def on_departure(state, jobs, job):
        state.idle[0] += jobs.need[job]

    @staticmethod
    def next_start(state, jobs):
        job = state.waiting.tail[0]
        if job == NONE or jobs.need[job] > state.idle[0]:
            return NONE
        state.idle[0] -= jobs.need[job]
        leave(state.waiting, 0, job)
        return job
'''


def test_a_policy_of_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(POLICY)
    (tmp_path / "log.csv").write_text("arrival,need,service\n0,1,10\n1,1,1\n2,1,1\n")
    mine = ("--policy-file", tmp_path / "mine.py", "-p", "lcfs")
    out = tmp_path / "out.csv"
    ran("replay", tmp_path / "log.csv", "-k", "1", *mine, "--jobs-out", out)
    assert pl.read_csv(out)["start"].to_list() == [0.0, 11.0, 10.0]
    listed = ran("policies", "--policy-file", tmp_path / "mine.py", "--json").stdout
    assert "lcfs" in {row["name"] for row in json.loads(listed)}


def test_intervals_precision_and_baseline() -> None:
    small = ("figure1", "-k", "256", "--load", "0.6", "--arrivals", "5000")
    precise = json.loads(ran("simulate", *small, "--precision", "0.1", "--json").stdout)
    found = precise["response_interval"]
    assert found["half_width"] <= 0.1 * found["mean"]
    assert precise["replications"] >= 10
    assert precise["classes"][0]["wait"]["half_width"] > 0
    batched = ran("simulate", *small, "--batches", "10", "--level", "0.9", "--warmup", "0.2").stdout
    assert "± is a 90% interval from 10 batches of one replication; warm-up 20.0%" in batched
    out = ran("compare", small[0], "fcfs", "first-fit", *small[1:], "--baseline", "first-fit",
              "--measure", "wait", "--json").stdout  # fmt: skip
    compared = json.loads(out)
    assert compared["baseline"] == "first-fit"
    assert compared["rows"][1]["ratio"] == 1.0
    assert compared["rows"][0]["wait_half_width"] > 0
    assert len(compared["class_rows"]) == 8
    assert compared["ranking"]["pairs"][0]["p_value"] <= 1
