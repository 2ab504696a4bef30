"""Sweeps on a real Dask cluster of this machine."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import dask
import pytest
from distributed import Client, LocalCluster

import zerowait as zw
from tests.cli.running import start_server
from tests.unit.experiment.sweeps.test_sweep import POLICY, numbers
from zerowait.experiment.sweeps import executors
from zerowait.experiment.sweeps import executors as awaiting
from zerowait.experiment.sweeps.executors import opened_executor

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("one cluster of Dask")]


@pytest.fixture(scope="module", autouse=True)
def _forked() -> Iterator[None]:
    """Workers begin with all imported, as commands of tests do."""
    start_server()
    with dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}):
        yield


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def test_the_same_bits_when_a_worker_is_killed(client: Client, tmp_path: Path) -> None:
    sweep = zw.Sweep(
        workloads="figure1", servers=[256, 2048], policies=["fcfs", "bs:fcfs", "first-fit"],
        seeds=[1, 2], arrivals=200_000,
    )  # fmt: skip
    zw.sweep(sweep, tmp_path / "threads")
    out = tmp_path / "dask"
    before = set(pids(client))
    killed: list[int] = []
    n_left: list[int] = []

    def kill_one() -> None:
        while not list(out.glob("*.parquet")):
            time.sleep(0.01)
        killed.append(min(before))
        os.kill(killed[0], signal.SIGKILL)
        n_left.append(12 - len(list(out.glob("*.parquet"))))

    killer = threading.Thread(target=kill_one)
    killer.start()
    outcome = zw.sweep(sweep, out, executor=client.get_executor(pure=False))
    killer.join()
    assert (outcome.finished, outcome.failed) == (12, {})
    assert killed[0] not in pids(client)
    assert n_left[0] > 0
    assert numbers(out).equals(numbers(tmp_path / "threads"))


def test_workers_of_ours_that_are_gone_are_started_again(tmp_path: Path) -> None:
    sweep = zw.Sweep(
        workloads="figure1", servers=256, policies="fcfs", seeds=[1, 2, 3, 4],
        arrivals=100_000,
    )  # fmt: skip
    out = tmp_path / "out"
    with opened_executor(threads=1, dask="local") as executor:
        client = executor._client  # type: ignore[attr-defined]
        before = pids(client)

        def end_all() -> None:
            while not list(out.glob("*.parquet")):
                time.sleep(0.01)
            executors._kill_workers(client.cluster)  # and nobody else starts them again

        ender = threading.Thread(target=end_all)
        ender.start()
        with warnings.catch_warnings():  # on a slow machine it is told that there are none
            warnings.filterwarnings("ignore", "dask: there is no worker")
            outcome = zw.sweep(sweep, out, executor=executor)
        ender.join()
        assert (outcome.finished, outcome.failed) == (4, {})
        assert not set(before) & set(pids(client))


def test_without_workers_a_sweep_says_so_and_gives_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in (("LOOK_S", 0.1), ("TELL_S", 0.3), ("GIVE_UP_S", 1.5)):
        monkeypatch.setattr(awaiting, name, seconds)
    sweep = zw.Sweep(workloads="figure1", servers=256, policies="fcfs", arrivals=1000)
    with (
        LocalCluster(n_workers=0, dashboard_address=":0") as cluster,
        Client(cluster) as client,
        pytest.warns(UserWarning, match=r"there is no worker; start some, or it ends after 1\.5 s"),
        pytest.raises(awaiting.WorkersLostError, match=r"no worker for 1\.5 s; what is finished"),
    ):
        zw.sweep(sweep, tmp_path, executor=client.get_executor(pure=False))
    assert not list(tmp_path.iterdir())  # no claim either


def test_a_scheduler_that_goes_away_ends_the_sweep(tmp_path: Path) -> None:
    """Killed while it runs one point; the two that are finished are kept."""
    short = {"workloads": "figure1", "servers": 256, "policies": "fcfs"}
    sweeps = [
        zw.Sweep(**short, arrivals=1000, seeds=[1, 2]),  # type: ignore[arg-type]
        zw.Sweep(**short, arrivals=1_000_000_000, seeds=3),  # type: ignore[arg-type]
    ]
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    process = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    out = tmp_path / "out"

    def kill() -> None:
        while len(list(out.glob("*.parquet"))) < 2:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)

    threading.Thread(target=kill, daemon=True).start()
    with (
        pytest.raises(awaiting.WorkersLostError, match="the scheduler is gone"),
        opened_executor(dask=process.stdout.readline().strip()) as executor,
    ):
        zw.sweep(sweeps, out, executor=executor)
    process.communicate()
    assert len(list(out.iterdir())) == 2


CLUSTER = """
import time
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        print(cluster.scheduler_address, flush=True)
        time.sleep(600)
"""


def pids(client: Client) -> list[int]:
    return list(client.run(os.getpid).values())


def test_a_users_policy_file_travels_to_the_workers(client: Client, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(POLICY.replace('"mine"', '"mine-on-dask"'))
    (tmp_path / "exp.toml").write_text(
        'policy_files = ["mine.py"]\nworkloads = "figure1"\nservers = 256\narrivals = 2000\n'
        'policies = ["mine-on-dask", "bs:mine-on-dask"]\n'
    )
    outcome = zw.sweep(
        tmp_path / "exp.toml", tmp_path / "out", executor=client.get_executor(pure=False)
    )
    assert (outcome.finished, outcome.failed) == (2, {})


def test_clusters_are_found_by_address_or_file(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text(json.dumps({"address": client.scheduler.address}))
    for where in (client.scheduler.address, str(file)):
        with opened_executor(dask=where) as executor:
            assert executor.submit(os.getpid).result() in pids(client)


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "CONNECT_S", 1)
    for where in ("tcp://127.0.0.1:9", "nobody"):
        with (
            pytest.raises(zw.InputError, match=f"dask = '{where}': no scheduler answers"),
            opened_executor(dask=where),
        ):
            pass


@pytest.mark.parametrize("text", ["hello", "[1]", "{}", '{"address": 3}', "\xff"])
def test_a_file_of_no_scheduler(text: str, tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text(text, encoding="latin-1")
    with (
        pytest.raises(zw.InputError, match=f"dask = '{file}': is not the file of a scheduler"),
        opened_executor(dask=str(file)),
    ):
        pass
    with (
        pytest.raises(zw.InputError, match=r"none\.json': cannot be read: No such file"),
        opened_executor(dask="none.json"),
    ):
        pass
