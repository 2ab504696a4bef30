"""A small rehearsal, from the command line to the log that it leaves behind."""

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest

import zerowait as zw
from tests.cli.running import answer, ran
from tests.slurm.needed import need_slurm
from tests.unit.deploy.sites import plan
from zerowait.deploy.cluster.processes import program_path
from zerowait.experiment.files.plan_file import load_plan, save_plan
from zerowait.traces.description import trace_info

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("rehearsed log")]

N_JOBS, SERVERS = 10, 6
CHOICE = "backfill,order=due,patience=1h,reserve_after=90min"
FIELDS = "JobIDRaw,User,Submit,Eligible,Start,End,ElapsedRaw,State,AllocNodes,AllocCPUS,Suspended,"
FIELDS += "Partition,TimelimitRaw"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plan, and a log with more work than six servers can do at once."""
    need_slurm()
    folder = tmp_path_factory.mktemp("rehearsal")
    save_plan(plan(CHOICE, SERVERS), folder / "plan.toml")
    rng = np.random.default_rng(3)
    rows = ["arrival,need,service,estimate"]
    for number in range(N_JOBS):
        service = int(rng.integers(600, 2700))
        rows.append(f"{300 * number},{rng.integers(1, SERVERS + 1)},{service},{service + 1200}")
    (folder / "log.csv").write_text("\n".join(rows) + "\n")
    return folder


@pytest.fixture(scope="module")
def told(desk: Path) -> dict[str, Any]:
    return answer(
        "deploy", "rehearse", desk / "plan.toml", desk / "log.csv", "--jobs", N_JOBS, "--speed",
        "1500", "--draws", "10", "--restart", "--report", desk / "page.html", "--jobs-out",
        desk / "jobs.csv", "--jobcomp", desk / "run.txt",
    )  # fmt: skip


def test_nothing_is_lost_and_nobody_passes_against_the_rules(told: dict[str, Any]) -> None:
    for name in ("baseline", "choice"):
        assert told[name]["ended"] == N_JOBS
        assert told[name]["restarts"] == 1
        assert told[name]["violations"] == []
    band = told["ratio"]["predicted"]
    assert 0 < band["low"] <= band["middle"] <= band["high"]
    assert told["ratio"]["real"] > 0


def test_every_job_has_its_row(told: dict[str, Any], desk: Path) -> None:
    jobs = polars.read_csv(desk / "jobs.csv")
    assert jobs["policy"].unique(maintain_order=True).to_list() == ["easy", CHOICE]
    assert len(jobs) == 2 * N_JOBS
    for before, after in (("arrival", "submit"), ("submit", "start"), ("start", "end")):
        assert (jobs[after] >= jobs[before]).all()
    waits = jobs.filter(polars.col("policy") == CHOICE).select(
        (polars.col("start") - polars.col("submit")).mean()
    )
    assert waits.item() == pytest.approx(told["choice"]["wait"]["real"], abs=1.0)
    assert f"Rehearsal of {CHOICE}" in (desk / "page.html").read_text()


@pytest.mark.usefixtures("told")
def test_the_loop_closes(desk: Path) -> None:
    """What Slurm has noted of the run is a log: as its file, and as sacct prints that."""
    (desk / "slurm.conf").write_text(
        "ClusterName=x\nSlurmctldHost=localhost\nJobCompType=jobcomp/filetxt\n"
    )
    printed = subprocess.run(
        [program_path("sacct"), "-c", "-P", "-f", desk / "run.txt", "-o", FIELDS], check=True,
        text=True, capture_output=True, env={"SLURM_CONF": str(desk / "slurm.conf"), "TZ": "UTC"},
    )  # fmt: skip
    (desk / "run.sacct").write_text(printed.stdout)
    rows = polars.read_csv(desk / "jobs.csv").filter(polars.col("policy") == CHOICE).sort("job")
    for name in ("run.txt", "run.sacct"):
        log = zw.read_log(desk / name)
        assert len(log.jobs) == N_JOBS
        wanted = [rows[column].to_list() for column in ("need", "estimate")]
        assert [list(log.jobs.need), list(log.jobs.estimate)] == wanted
        assert log.start is not None
        waits = np.asarray(log.start) - np.asarray(log.jobs.arrival)
        # Whole seconds, and a job is eligible when it is looked at: a second, at this speed.
        assert waits.mean() == pytest.approx((rows["start"] - rows["submit"]).mean(), rel=0.01)
    facts = trace_info(zw.read_log(desk / "run.txt"), servers=SERVERS)
    assert facts.as_dict()["jobs"] == N_JOBS
    ran("plan", desk / "run.sacct", "-k", SERVERS, "--store", "none", "--out", desk / "again.toml")
    assert "too little" in load_plan(desk / "again.toml").reason  # a day is not eight weeks
