"""The cluster itself: it listens on loopback alone, and nothing of it outlives its purpose."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conditions import await_until
from tests.slurm.needed import need_slurm
from tests.unit.deploy.sites import CONF, deployed, plan
from zerowait.deploy.check.fixture import virtual_site
from zerowait.deploy.cluster.cluster import (
    RefusedError,
    SlurmCluster,
    SlurmError,
    SlurmSetup,
    VirtualNode,
)
from zerowait.deploy.slurm.deployment import deployment_files
from zerowait.experiment.files.plan_file import PlanClass

pytestmark = pytest.mark.slow

SMALL = SlurmSetup(
    [VirtualNode(f"n{number}") for number in (1, 2)],
    "SelectType=select/cons_tres\nPartitionName=batch Nodes=ALL Default=YES\n",
)
SITE_SCRIPT = """\
function slurm_job_submit(job, parts, uid)
  if job.comment == "forbidden" then return slurm.ERROR end
  return slurm.SUCCESS
end
function slurm_job_modify(job, record, parts, uid)
  if job.comment == "forbidden" then return slurm.ERROR end
  return slurm.SUCCESS
end
return slurm.SUCCESS
"""


@pytest.fixture(autouse=True)
def _slurm() -> None:
    need_slurm()


def belonging_to(folder: Path) -> list[str]:
    """Processes whose environment names the folder's configuration."""
    mark = f"SLURM_CONF={folder / 'slurm.conf'}".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "comm").read_text().strip())
        except OSError:
            continue
    return found


def listening(pid: int) -> set[str]:
    """Addresses on which a process accepts connections, as the kernel writes them."""
    sockets = {os.readlink(fd) for fd in Path(f"/proc/{pid}/fd").iterdir() if fd.is_symlink()}
    rows = [line.split() for line in Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]]
    rows += [line.split() for line in Path(f"/proc/{pid}/net/tcp6").read_text().splitlines()[1:]]
    return {row[1].partition(":")[0] for row in rows if row[3] == "0A"
            and f"socket:[{row[9]}]" in sockets}  # fmt: skip


def test_jobs_run_and_nothing_is_left() -> None:
    with SlurmCluster(SMALL) as cluster:
        folder = cluster.folder
        assert belonging_to(folder)
        options = ("--parsable", "--output=/dev/null", "--time=5")
        short = int(cluster.call("sbatch", *options, "--wrap=sleep 0"))
        long = int(cluster.call("sbatch", *options, "--wrap=sleep 300"))
        cluster.wait(lambda: cluster.jobs()[short].has_ended, "a short job")
        cluster.wait(lambda: cluster.jobs()[long].has_started, "a long job")
        assert cluster.jobs()[short].state == "COMPLETED"
        addresses = {place for one in cluster.daemons.values() for place in listening(one.pid)}
        assert addresses == {"0100007F"}  # 127.0.0.1
    assert belonging_to(folder) == []
    assert not folder.exists()


def test_time_is_put_forward_and_survives_a_restart() -> None:
    with SlurmCluster(SMALL) as cluster:
        cluster.clock.put_forward(86_400.0)
        cluster.restart_controller()
        before = time.time()
        number = int(cluster.call("sbatch", "--parsable", "--output=/dev/null", "--wrap=true"))
        submit = cluster.jobs()[number].submit - 86_400.0
        assert before - 1 < submit < time.time() + 1  # whole seconds


def test_an_error_inside_stops_it_all() -> None:
    folders: list[Path] = []

    def fail() -> None:
        with SlurmCluster(SMALL) as cluster:
            folders.append(cluster.folder)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert belonging_to(folders[0]) == []
    assert not folders[0].exists()


def test_a_configuration_that_slurm_refuses_is_told() -> None:
    wrong = SlurmSetup(SMALL.nodes, SMALL.conf + "NoSuchKey=1\n")
    with pytest.raises(SlurmError, match=r"slurmctld has ended: .*NoSuchKey"), SlurmCluster(wrong):
        pass


PARENT = (
    "import time\n"
    "from tests.slurm.test_cluster import SMALL\n"
    "from zerowait.deploy.cluster.cluster import SlurmCluster\n"
    "with SlurmCluster(SMALL) as cluster:\n"
    "    cluster.call('sbatch', '--output=/dev/null', '--wrap=sleep 600')\n"
    "    cluster.wait(lambda: cluster.jobs()[1].has_started, 'a job')\n"
    "    print(cluster.folder, flush=True)\n"
    "    time.sleep(600)\n"
)


@pytest.mark.parametrize(
    ("by", "code"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, 128 + signal.SIGTERM)]
)
def test_a_killed_parent_takes_daemons_jobs_and_files_along(by: signal.Signals, code: int) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    folder = Path(process.stdout.readline().strip())
    assert belonging_to(folder)
    process.send_signal(by)
    assert process.wait() == code
    process.stdout.close()
    await_until(lambda: not belonging_to(folder))
    # Who is asked to end tidies up; after who is killed, another does.
    await_until(lambda: not folder.exists())


def submit(cluster: SlurmCluster, *more: str) -> int:
    return int(cluster.call("sbatch", "--parsable", "--output=/dev/null", "--time=5", *more,
                            "--hold", "--wrap=true"))  # fmt: skip


def test_the_site_s_own_script_is_asked_first_and_obeyed(tmp_path: Path) -> None:
    one = deployed(tmp_path, conf=CONF + "JobSubmitPlugins=lua\n", lua=SITE_SCRIPT)
    with SlurmCluster(virtual_site(one, deployment_files(one)).setup) as cluster:
        number = submit(cluster)
        with pytest.raises(RefusedError):
            submit(cluster, "--comment=forbidden")
        with pytest.raises(RefusedError):
            cluster.call("scontrol", "update", f"JobId={number}", "Comment=forbidden")
        own = cluster.folder / "job_submit_site.lua"
        # Its changes count at once, its faults do not, and without it nothing is let through.
        own.write_text(SITE_SCRIPT.replace('"forbidden"', '"other"'))
        submit(cluster, "--comment=forbidden")
        with pytest.raises(RefusedError):
            submit(cluster, "--comment=other")
        own.write_text("this is not Lua")
        with pytest.raises(RefusedError):
            submit(cluster, "--comment=other")
        submit(cluster)
        own.unlink()
        cluster.restart_controller()
        with pytest.raises(RefusedError):
            submit(cluster)


def test_names_with_code_in_them_are_only_names(tmp_path: Path) -> None:

    target = tmp_path / "evil"
    evil = f'x"] = os.execute("touch {target}") --[[ \\ \n]] end os.execute("touch {target}")'
    classes = (PlanClass(evil, (1, 4)), PlanClass("b", (5, 8)))
    one = deployed(tmp_path, plan("backfill,order=due,allowance=0/5h", classes=classes))
    with SlurmCluster(virtual_site(one, deployment_files(one)).setup) as cluster:
        number = submit(cluster)
        assert cluster.jobs()[number].state == "PENDING"
    assert not target.exists()
