"""`zerowait replay` of logs, end to end."""

from pathlib import Path

import numpy as np
import polars
import pytest

from tests.logs import swf_line

from .running import answer, refusal, zerowait

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(1)
    lines = [
        swf_line(i, submit=i * 3000, run=int(rng.lognormal(8, 1)) + 1,
                 procs=int(rng.choice([1, 2, 8])), estimate=20_000, user=i % 6)
        for i in range(1500)
    ]  # fmt: skip
    path = tmp_path_factory.mktemp("logs") / "log.swf"
    path.write_text("; MaxProcs: 16\n" + "\n".join(lines))
    return path


def test_tables(log: Path) -> None:
    done = zerowait("replay", log, "-p", "first-fit", "--users")
    assert done.returncode == 0, done.stderr
    for text in ("first-fit on 16 servers", "a 95% interval from 8 weeks of the log",
                 "users by work, 6 of 6", "bounded"):  # fmt: skip
        assert text in done.stdout


def test_json(log: Path) -> None:
    found = answer(
        "replay", log, "-p", "bs:first-fit", "--load", 0.8, "--classes", "auto", "--warmup", 0.1,
        "--cooldown", 0.1, "--estimates", "exact", "--servers", 32, "--users",
    )  # fmt: skip
    assert found["servers"] == 32
    assert found["parameters"]["load"] == 0.8
    assert found["parameters"]["estimates"] == "exact"
    assert found["overall"]["count"] == 1200
    assert found["own_load"] < 0.8
    assert found["overall"]["wait"]["half_width"] > 0
    assert all(one["wait"]["half_width"] > 0 for one in found["classes"])
    assert len(found["users"]) == 6
    assert found["command"].startswith("zerowait replay")


def test_infinite_slowdowns_are_none_in_json(tmp_path: Path) -> None:
    """A job of no service that waits is slowed down beyond measure."""
    path = tmp_path / "log.swf"
    lines = [swf_line(1, run=50, procs=4), swf_line(2, submit=1, run=0), swf_line(3, submit=9)]
    path.write_text("; MaxProcs: 4\n" + "\n".join(lines))
    found = answer("replay", path, "--users")
    assert found["overall"]["slowdown"]["mean"] is None
    assert found["users"][0]["slowdown"] is None


def test_too_large(log: Path) -> None:
    line = refusal("replay", log, "--servers", 4)
    assert "jobs need more than the 4 servers (up to 8)" in line
    assert "exclude_too_large (--exclude-too-large) leaves them out" in line
    found = answer("replay", log, "--servers", 4, "--exclude-too-large")
    assert found["excluded"] + found["overall"]["count"] == 1500


@pytest.mark.parametrize("suffix", [".html", ".png"])
def test_gantt(log: Path, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"chart{suffix}"
    done = zerowait("replay", log, "--gantt", path, "--window", "1d:3d")
    assert done.returncode == 0, done.stderr
    assert path.stat().st_size > 5000
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_refused_before_the_run(log: Path, tmp_path: Path) -> None:
    assert "name it .html or .png" in refusal("replay", log, "--gantt", tmp_path / "chart.pdf")
    assert "window = '3d'" in refusal(
        "replay", log, "--gantt", tmp_path / "c.png", "--window", "3d"
    )
    assert "outside of the log" in refusal(
        "replay", log, "--gantt", tmp_path / "c.png", "--window", "900d:901d"
    )
    assert "load = 0.0" in refusal("replay", log, "--load", 0)
    assert "estimates = 'none'" in refusal("replay", log, "--estimates", "none")
    assert list(tmp_path.iterdir()) == []


def test_bad_rows(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("arrival,need,service\n0,1,5\n1,0,5\n2,1,5\n")
    assert f"{path}: line 3: need = '0'" in refusal("replay", path, "-k", 4)
    done = zerowait("replay", path, "-k", 4, "--no-strict")
    assert done.returncode == 0
    assert "1 malformed: need is not a whole number, 1 or more" in done.stderr


def test_jobs_out(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "jobs.parquet"
    assert zerowait("replay", log, "--jobs-out", out).returncode == 0
    rows = polars.read_parquet(out)
    assert rows.columns == [
        "job", "user", "arrival", "need", "service", "estimate", "job_class", "start", "end",
        "helpers", "preemptions",
    ]  # fmt: skip
    assert rows.height == 1500


def test_policies_are_compared(log: Path, tmp_path: Path) -> None:
    page, rows = tmp_path / "page.html", tmp_path / "jobs.parquet"
    done = zerowait(
        "compare", log, "easy", "first-fit", "fcfs", "--report", page, "--jobs-out", rows
    )
    assert done.returncode == 0, done.stderr
    for text in ("1,500 jobs on 16 servers", "longest wait", "bounded slowdown", "wait - easy",
                 "mean wait by need", "mean wait by estimate", "as recorded"):  # fmt: skip
        assert text in done.stdout
    jobs = polars.read_parquet(rows)
    assert jobs.height == 3 * 1500
    assert jobs.columns[:3] == ["policy", "job", "user"]
    assert "Who wins, who loses" in page.read_text()


def test_a_comparison_as_json(log: Path) -> None:
    found = answer("compare", log, "easy", "fcfs", "--measure", "bounded_slowdown", "--from", "7d")
    assert found["measure"] == "bounded_slowdown"
    assert found["weeks"] == 7
    assert [row["policy"] for row in found["rows"]] == ["easy", "fcfs", "as recorded"]
    assert {one["kind"] for one in found["groups"]} == {"need", "estimate"}


def test_what_a_comparison_of_a_log_refuses(log: Path) -> None:
    assert "arrivals = 10: is an option of simulations" in refusal(
        "compare", log, "easy", "--arrivals", 10
    )
    assert "no such file" in refusal("compare", "nowhere.swf", "easy")


def test_a_window_is_checked_before_the_replay(log: Path, tmp_path: Path) -> None:
    chart = tmp_path / "chart.html"
    for window, told in (("90d:91d", "outside of the log; jobs arrive from 0d to 52.05d"),
                         ("9d:3d", "must end after it begins")):  # fmt: skip
        assert told in refusal("replay", log, "--gantt", chart, "--window", window)
    assert not chart.exists()
    line = refusal("replay", log, "--window", "1d:2d")
    assert "window = '1d:2d': says what to draw; name a --gantt file as well" in line


def test_overload_is_explained(log: Path) -> None:
    done = zerowait("replay", log, "--load", 1.2)
    assert "load 1.2: more work comes than the servers can do" in done.stdout


def test_a_log_is_no_workload(log: Path) -> None:
    for command in ("split", "theory", "capacity", "simulate"):
        told = refusal(command, log, "-k", 16)
        assert "is no workload; if it is a log, 'zerowait compare" in told
        assert "trace fit" in told


def test_names_are_completed() -> None:
    from zerowait.cli.arguments import complete_policy, complete_workload

    assert list(complete_workload("fig")) == ["figure1"]
    assert "bs:" not in list(complete_policy("first"))
    assert list(complete_policy("first-f")) == ["first-fit", "first-fit-srpt"]
    assert "bs:first-fit" in list(complete_policy("bs:f"))
