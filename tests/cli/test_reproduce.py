"""`reproduce`: files, going on where it was, one line for what is wrong."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from tests.cli.running import answer, ran, refusal

pytestmark = pytest.mark.slow

SMALL = ("--largest", "256", "--arrivals", "2000", "--replications", "2", "-p", "fcfs", "-p", "bs")


def test_a_figure_with_all_that_belongs_to_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    told = answer("reproduce", "fig2b", *SMALL, "--out", out, "--report", tmp_path / "page.html")
    assert {path.name for path in out.iterdir()} == {
        "points", "fig2b.csv", "fig2b.parquet", "fig2b.png", "fig2b.svg", "fig2b.md",
    }  # fmt: skip
    rows = pl.read_parquet(out / "fig2b.parquet")
    assert rows.select("policy", "servers", "load").rows() == [
        ("fcfs", 32, 0.7), ("fcfs", 256, 0.7),
        ("balanced-splitting:fcfs", 32, 0.7), ("balanced-splitting:fcfs", 256, 0.7),
    ]  # fmt: skip
    (target,) = told["targets"]
    assert [row["response"] for row in target["rows"]] == rows["response"].to_list()
    said = (out / "fig2b.md").read_text()
    assert "| servers | 32, 256 |" in said
    assert "| arrivals per replication | 2000 |" in said
    assert "Figure 2b: subcritical load (Load 0.7)" in (tmp_path / "page.html").read_text()


def test_finished_points_are_kept_and_shared(tmp_path: Path) -> None:
    """Theorem 1 shows the points of Figure 2b; only ModifiedBS is left to run."""
    ran("reproduce", "fig2b", *SMALL, "--out", tmp_path)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "points").iterdir()}
    told = json.loads(
        ran("reproduce", "all", *SMALL, "--out", tmp_path, "--dry-run", "--json").stdout
    )
    shared = {one["target"]: one["points"] for one in told["targets"]}["theorem1"]
    assert {(one["policy"], one["finished"]) for one in shared} == {
        ("balanced-splitting:fcfs", True), ("modified-balanced-splitting:fcfs", False),
    }  # fmt: skip
    ran("reproduce", "theorem1", *SMALL, "--out", tmp_path)
    assert {path: path.stat().st_mtime_ns for path in before} == before
    rows = pl.read_parquet(tmp_path / "theorem1.parquet")
    assert rows["kind"].value_counts().height == 3


def test_tables_are_shown_and_say_where_they_come_from(tmp_path: Path) -> None:
    shown = ran("reproduce", "table2", "--out", tmp_path).stdout
    assert "10519.71" in shown
    assert "--sdsc-log" in shown
    table = pl.read_csv(tmp_path / "table2.csv")
    assert table["share"].sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fig9"], "target 'fig9': is not known; give all, fig1"),
        (["fig1", "--largest", "16"], "largest = 16: must be a whole number, 32 or more"),
        (["fig3", "--law", "normal"], "law = 'normal': must be one of lognormal"),
        (["fig3", "--law", "resample"], "--sdsc-log"),
        (["all", "--sdsc-log", "none.swf"], "none.swf"),
        (["table1", "--report", "page.txt"], "page.txt: unknown kind of file"),
        (["orders", "--logs", "none"], "logs = 'none': is no folder"),
    ],
)
def test_wrong_arguments_are_refused_at_once(
    tmp_path: Path, arguments: list[str], said: str
) -> None:
    assert said in refusal("reproduce", *arguments, "--out", tmp_path)


def test_control_c_says_how_to_go_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "zerowait", "reproduce", "fig1", *SMALL, "--out", tmp_path]
    endless = [*map(str, command), "--arrivals", "1000000000000"]
    with subprocess.Popen(endless, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        assert "4 points to run" in running.stderr.readline()
        running.send_signal(signal.SIGINT)
        said = running.stderr.read()
    assert running.returncode == 130
    assert "the same command goes on" in said


def test_orders_are_paired_and_logs_are_kept(tmp_path: Path) -> None:
    """Figure 1's smallest system and a log of twelve weeks; the second time nothing is run."""
    logs = tmp_path / "logs"
    logs.mkdir()
    lines = [
        f"{i} {i * 7200} -1 {3600 * (1 + i % 5)} {1 + i % 7} -1 -1 -1 36000 -1 1" + " -1" * 7
        for i in range(1, 1009)
    ]
    (logs / "small.swf").write_text("; MaxProcs: 8\n" + "\n".join(lines) + "\n")
    (logs / "README").write_text("no log")
    out = tmp_path / "out"
    command = ("reproduce", "orders", "--largest", "32", "--arrivals", "2000", "--replications",
               "2", "--logs", logs, "--out", out)  # fmt: skip
    ran(*command)
    rows = pl.read_parquet(out / "orders.parquet")
    logged = rows.filter(pl.col("measure") == "wait")
    assert logged["policy"].to_list()[:3] == ["easy", "first-fit", "smallest-area-first"]
    assert set(logged["panel"]) == {"small"}
    assert logged["ratio"][0] == 1
    (simulated,) = rows.filter(
        policy="backfill,order=need", job_class="all", against="first-fit"
    ).to_dicts()
    assert simulated["replications"] == 2
    assert simulated["difference"] == pytest.approx(
        simulated["wait"] - rows.filter(policy="first-fit", job_class="all")["wait"][0]
    )
    before = {path: path.stat().st_mtime_ns for path in out.glob("*/*.parquet")}
    assert {path.parent.name for path in before} == {"points", "logs"}
    ran(*command)
    assert {path: path.stat().st_mtime_ns for path in out.glob("*/*.parquet")} == before
