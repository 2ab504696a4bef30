"""Logs in sweeps: points that are replays."""

from pathlib import Path

import numpy as np
import polars
import pytest

import zerowait as zw
from tests.logs import swf_line
from zerowait.experiment.sweeps.sweep import SweepFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    rng = np.random.default_rng(4)
    lines = [
        swf_line(i, submit=i * 300, run=int(rng.lognormal(6, 1)) + 1, procs=int(rng.choice([1, 4])))
        for i in range(200)
    ]
    (tmp_path / "jobs.swf").write_text("; MaxProcs: 8\n" + "\n".join(lines))
    return tmp_path / "jobs.swf"


def swept(path: Path, folder: Path, **more: object) -> polars.DataFrame:
    sweep = zw.Sweep(
        workloads=str(path), servers=[8, 16], policies=["fcfs", "easy"], loads=[0.5, 0.9], **more
    )  # type: ignore[arg-type]
    return zw.sweep(sweep, folder).table().filter(job_class="all")


def test_points_are_replays(path: Path, tmp_path: Path) -> None:
    table = swept(path, tmp_path / "out", overruns="as-recorded")
    assert table.height == 8
    for row in table.to_dicts():
        alone = zw.replay(
            path, row["servers"], row["policy"], load=row["load"], overruns="as-recorded"
        )
        assert row["wait"] == alone.wait
        assert row["bounded_slowdown"] == alone.bounded_slowdown
        assert row["workload"] == "jobs.swf"
        assert row["command"].startswith(f"zerowait replay {path} --servers {row['servers']} ")


def test_some_jobs_of_a_table(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    rows = {
        "submit": [f"2025-03-{1 + i // 24:02}T{i % 24:02}:00:00" for i in range(400)],
        "cores": rng.choice([1, 2, 8], 400),
        "run": rng.integers(1, 9000, 400),
        "partition": rng.choice(["gpu", "long"], 400),
    }
    path = tmp_path / "jobs.csv"
    polars.DataFrame(rows).write_csv(path)
    reading = {"columns": "arrival=submit,need=cores,service=run", "zone": "UTC"}
    kept = {"partition": "gpu", "begin": "2025-03-03", "end": "10d", "max_need": 2}
    table = swept(path, tmp_path / "out", **reading, **kept)
    log = zw.filter_log(zw.read_log(path, **reading), **kept)  # type: ignore[arg-type]
    assert 0 < len(log.jobs) < 150
    for row in table.to_dicts():
        alone = zw.replay(log, row["servers"], row["policy"], load=row["load"])
        assert row["wait"] == alone.wait
        assert "--from 2025-03-03" in row["command"]
        assert "--to 10d" in row["command"]
    other = swept(path, tmp_path / "out", **reading, **kept | {"partition": "long"})
    assert set(other["point"]).isdisjoint(table["point"])


def test_a_log_is_known_by_what_is_in_it(path: Path, tmp_path: Path) -> None:
    first = swept(path, tmp_path / "out")
    moved = path.rename(tmp_path / "renamed.swf")
    sweep = zw.Sweep(
        workloads=str(moved), servers=[8, 16], policies=["fcfs", "easy"], loads=[0.5, 0.9]
    )
    again = zw.sweep(sweep, tmp_path / "out")
    assert not again.agenda.to_run
    moved.write_text(moved.read_text() + "\n" + swf_line(900, submit=90_000))
    other = swept(moved, tmp_path / "out")
    assert set(other["point"]).isdisjoint(first["point"])


def test_files_name_logs_beside_them(path: Path) -> None:
    file = path.parent / "sweep.toml"
    file.write_text('workloads = ["jobs.swf", "figure1"]\nservers = 256\npolicies = "fcfs"\n')
    points = SweepFile(file).points()
    assert [one.verb for _, one in points] == ["replay", "simulate"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"arrivals": 10}, "arrivals = 10: is no option of these workloads"),
        ({"arrival_rates": [1.0], "loads": ()}, "arrival_rates = .*logs have loads"),
        ({"begin": "900d"}, "workloads.*no job is left of 200"),
        ({"columns": "need"}, "columns = 'need': must be of the form need=cores"),
    ],
)
def test_refusals(path: Path, more: dict[str, object], message: str) -> None:
    given = {"workloads": str(path), "servers": 8, "policies": "fcfs"} | more
    with pytest.raises(zw.InputError, match=message):
        zw.Sweep(**given).points()  # type: ignore[arg-type]
    with pytest.raises(zw.InputError, match=r"cooldown = 0\.1: is no option of these workloads"):
        zw.Sweep(workloads="figure1", servers=256, policies="fcfs", cooldown=0.1).points()
