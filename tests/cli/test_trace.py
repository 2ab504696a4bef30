"""`zerowait trace info|fit|table|download`, end to end."""

import gzip
from pathlib import Path

import numpy as np
import pytest

import zerowait as zw
from tests.logs import swf_line
from tests.unit.traces.test_download import Archive
from zerowait.traces.archive import find_log

from .running import answer, refusal, zerowait

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(1)
    lines = [
        swf_line(i, submit=i * 700, wait=i % 5, run=int(rng.lognormal(6, 1)) + 1,
                 procs=int(rng.choice([1, 2, 3, 4, 8])), estimate=5000, user=i % 6)
        for i in range(1500)
    ]  # fmt: skip
    lines[7] = "not a job at all"
    path = tmp_path_factory.mktemp("logs") / "my.log.gz"  # nothing in its name says SWF
    path.write_bytes(gzip.compress(("; MaxProcs: 16\n" + "\n".join(lines)).encode()))
    return path


def test_info(log: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = zerowait("trace", "info", log, "--html", page)
    assert done.returncode == 0, done.stderr
    for text in ("1500 rows, 1499 jobs", "malformed", "too few fields", "offered load",
                 "cv of gaps", "arrivals by hour", "6 users"):  # fmt: skip
        assert text in done.stdout
    assert page.read_text().startswith("<!doctype html>")
    found = answer("trace", "info", log, "--classes", "exact")
    assert found["jobs"] == 1499
    assert found["servers"] == 16
    assert found["cleaning"]["malformed"] == 1
    assert found["cleaning"]["findings"][0]["examples"] == ["line 9: has 5 fields; SWF has 18"]
    assert [one["name"] for one in found["classes"]][:3] == ["need 1", "need 2", "need 3"]


def test_info_strict_and_bad_input(log: Path, tmp_path: Path) -> None:
    assert f"{log}: line 9: has 5 fields; SWF has 18" in refusal("trace", "info", log, "--strict")
    assert "No such file" in refusal("trace", "info", tmp_path / "none.swf")
    assert "name it .html" in refusal("trace", "info", log, "--html", tmp_path / "page.pdf")
    assert "classes = 'some'" in refusal("trace", "info", log, "--classes", "some")
    assert "SWF counts processors only" in refusal("trace", "info", log, "--need", "gpus")
    assert list(tmp_path.iterdir()) == []


def test_fit(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "w.toml"
    done = zerowait("trace", "fit", log, "--out", out, "--classes", "up")
    assert done.returncode == 0, done.stderr
    for text in ("AIC", "KS", "log-likelihood", "taken", "lognormal", "hyperexponential", "gamma",
                 "weibull", "pareto-tail", "needs as they are", "log against fit", "first-fit",
                 "bounded slowdown, fit"):  # fmt: skip
        assert text in done.stdout
    assert done.stdout.count("The fit ") == 1
    assert "1 malformed" in done.stderr
    workload = zw.load_workload(out)
    assert workload.needs.tolist() == [1, 2, 3, 4, 8]
    assert "made by: zerowait trace fit" in out.read_text()
    simulated = answer(
        "simulate", out, "-k", 64, "--load", 0.5, "--arrivals", 1000, "--warmup", 0.1
    )
    assert simulated["overall"]["count"] == 4 * 900


def test_fit_by_resampling(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "w.toml"
    found = answer(
        "trace", "fit", log, "-o", out, "--laws", "empirical", "--arrivals", "resampled",
        "--max-need", 4,
    )  # fmt: skip
    assert {one["law"] for one in found["classes"]} == {"empirical"}
    assert found["arrivals"] == "renewal"
    assert zw.load_workload(out).max_need == 4


def test_fit_checks_itself(log: Path) -> None:
    known = zw.read_log(log)
    found = answer("trace", "fit", log)["check"]
    assert found["servers"] == 16
    assert found["fit_load"] == pytest.approx(known.jobs.offered_load(16))
    assert found["verdict"].startswith("The fit ")
    assert [one["policy"] for one in found["policies"]] == ["fcfs", "first-fit", "easy"]
    waits = [one["log_wait"] for one in found["policies"]]
    assert waits[2] == pytest.approx(zw.replay(known, policy="easy").wait)
    rounded = answer(
        "trace",
        "fit",
        log,
        "--classes",
        "up",
        "--needs",
        "rounded",
        "-k",
        32,
        "--arrivals",
        "rhythm",
    )
    assert rounded["waste"] > 0.01
    assert (rounded["arrivals"], rounded["estimates"]) == ("rhythm", "user")
    loads = rounded["check"]["fit_load"] / rounded["check"]["log_load"]
    assert loads == pytest.approx(1 + rounded["waste"])
    plain = answer("trace", "fit", log, "--no-check", "--estimates", "exact")
    assert plain["check"] is None
    assert plain["estimates"] == "exact"


def test_a_fit_that_cannot_be_checked_is_a_fit(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "w.toml"
    done = zerowait("trace", "fit", log, "-o", out, "-k", 4)
    assert done.returncode == 0
    assert "the fit is not checked" in done.stderr
    assert "need more than the 4 servers (up to 8)" in done.stderr
    assert out.exists()


def test_fit_refuses(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "w.toml"
    assert "law = 'normal'" in refusal("trace", "fit", log, "-o", out, "--laws", "normal")
    assert "by = 'eye'" in refusal("trace", "fit", log, "-o", out, "--by", "eye")
    assert "name it .toml" in refusal("trace", "fit", log, "-o", tmp_path / "w.json")
    assert list(tmp_path.iterdir()) == []


def test_columns(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("submitted,cores,runtime\n0,2,10\n9,1,3\n")
    assert "--columns arrival=..." in refusal("trace", "info", path)
    names = "arrival=submitted,need=cores,service=runtime"
    assert answer("trace", "info", path, "--columns", names)["jobs"] == 2
    assert "columns = 'cores'" in refusal("trace", "info", path, "--columns", "cores")


def test_table(log: Path) -> None:
    rows = answer("trace", "table", log, "--as", "described")["rows"]
    assert [row["need"] for row in rows] == [1, 2, 4, 8]
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    assert "recipe = 'guessed'" in refusal("trace", "table", log, "--as", "guessed")


def test_download(tmp_path: Path) -> None:
    text = (swf_line(1) + "\n").encode()
    wanted = find_log("KIT-FH2")
    server = Archive({f"/{wanted.path}": gzip.compress(text)})
    try:
        mirror = ("--from", server.url, "--folder", tmp_path)
        assert "--unverified" in refusal("trace", "download", "KIT-FH2", *mirror)
        done = zerowait("trace", "download", "KIT-FH2", "--unverified", *mirror)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() == str(tmp_path / wanted.file)
        assert "not checked" in done.stderr
        assert "HTTP status 404" in refusal("trace", "download", "CTC-SP2", *mirror)
        server.files[f"/{find_log('CTC-SP2').path}"] = gzip.compress(text)
        assert "is pinned; nothing was kept" in refusal("trace", "download", "CTC-SP2", *mirror)
    finally:
        server.close()
    offline = ("--from", "http://127.0.0.1:9", "--folder", tmp_path)
    assert "cannot be reached" in refusal("trace", "download", "KTH-SP2", *offline)
    assert "is not known" in refusal("trace", "download", "nowhere", *offline)
    names = [row["name"] for row in answer("trace", "download")]
    assert names[:3] == ["SDSC-SP2", "CTC-SP2", "KTH-SP2"]
