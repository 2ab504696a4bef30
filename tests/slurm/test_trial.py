"""A real slurmctld takes a site's configuration with the plan's changes, or says why not."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.logs import real_log
from tests.slurm.needed import need_slurm
from tests.unit.deploy.sites import deployed, plan
from zerowait.deploy.slurm.conf import read_slurm_conf
from zerowait.deploy.slurm.deployment import deployment_files, make_deployment
from zerowait.deploy.slurm.folder import write_folder
from zerowait.deploy.slurm.site import read_slurm_site
from zerowait.deploy.slurm.trial import TRIAL_CONF_FILE, try_start
from zerowait.model import InputError

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("slurm")]

# In the manner of a university's cluster: preemption, a database, topology, GPUs, paid QOS.
UNIVERSITY = """\
ClusterName=university
AuthType=auth/munge
SlurmUser=slurm
ControlMachine=head
StateSaveLocation=/var/spool/slurm/state
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmSchedLogFile=/var/log/slurm/sched.log
SlurmSchedLogLevel=1
PreemptType={type}
PreemptMode={mode}
TopologyPlugin=topology/tree
GresTypes=gpu
SchedulerType=sched/backfill
SchedulerParameters=bf_max_job_user=100,bf_interval=120,max_script_size=1048576
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PriorityType=priority/multifactor
PriorityDecayHalfLife=30-0
PriorityWeightFairshare=120000
PriorityWeightTRES=CPU=0,Mem=.03,GRES/gpu=30000
JobCompType=jobcomp/filetxt
JobCompLoc=/var/log/slurm/jobcomp.log
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=database
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu
NodeName=DEFAULT RealMemory=187000 Sockets=2 CoresPerSocket=16
NodeName=n[001-087] Feature=OPA
NodeName=g[001-002] Gres=gpu:p100:2 Feature=P100 Weight=190
PartitionName=DEFAULT State=UP DefaultTime=24:00:00 MaxTime=72:00:00
PartitionName=general Nodes=n[001-087] Default=YES AllowQOS=general,priority QOS=general
PartitionName=debug Nodes=g[001-002] MaxTime=01:00:00 AllowQOS=debug QOS=debug
"""


@pytest.fixture(scope="module")
def slurm() -> None:
    need_slurm()


def university(folder: Path, kind: str = "preempt/partition_prio", mode: str = "REQUEUE") -> str:
    folder.joinpath("topology.conf").write_text("SwitchName=s Nodes=n[001-087],g[001-002]\n")
    folder.joinpath("gres.conf").write_text("NodeName=g[001-002] Name=gpu Count=2\n")
    return UNIVERSITY.format(type=kind, mode=mode)


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        ("preempt/partition_prio", "REQUEUE"),
        ("preempt/qos", "CANCEL"),
        ("preempt/qos", "SUSPEND,GANG"),
        ("preempt/none", "OFF"),
    ],
)
def test_a_site_with_preemption_starts(tmp_path: Path, kind: str, mode: str) -> None:
    one = deployed(tmp_path, plan(servers=89), university(tmp_path, kind, mode))
    files = deployment_files(one)
    assert f"preempttype={kind}" in files[TRIAL_CONF_FILE]
    assert try_start(files, one.site.conf) == "slurmctld takes the new configuration"


def test_a_real_site_starts(tmp_path: Path) -> None:
    for name in ("slurm.conf", "topology.conf", "gres.conf"):
        shutil.copyfile(real_log(f"ubhpc/ubhpc_{name}"), tmp_path / name)
    of = read_slurm_site(tmp_path / "slurm.conf")
    one = make_deployment(plan(servers=215), of, partitions=["general-compute"], server="node")
    assert "preempttype=preempt/partition_prio" in deployment_files(one)[TRIAL_CONF_FILE]
    assert try_start(deployment_files(one), of.conf) == "slurmctld takes the new configuration"


PARENT = """\
import sys
from zerowait.deploy.slurm.conf import read_slurm_conf
from zerowait.deploy.slurm.folder import read_folder
from zerowait.deploy.slurm.trial import try_start
from pathlib import Path
try_start(read_folder(Path(sys.argv[1])), read_slurm_conf(sys.argv[2]))
"""


def test_a_killed_trial_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    one = deployed(tmp_path / "site", plan(servers=89), university(tmp_path / "site"))
    write_folder(tmp_path / "files", deployment_files(one))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path / "files"), str(one.site.conf.path)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(scratch)},
    )

    def until(n_folders: int) -> bool:
        end = time.monotonic() + 60
        while len(list(scratch.iterdir())) != n_folders and time.monotonic() < end:
            time.sleep(0.02)
        return len(list(scratch.iterdir())) == n_folders

    assert until(2)  # the files, and what the controller writes
    process.kill()
    process.wait()
    assert until(0)


def test_what_slurmctld_does_not_take_is_refused(tmp_path: Path) -> None:
    one = deployed(tmp_path, plan(servers=89), university(tmp_path))
    files = deployment_files(one)
    kept = [line for line in files[TRIAL_CONF_FILE].splitlines() if "preempttype" not in line]
    files[TRIAL_CONF_FILE] = "\n".join(kept)
    with pytest.raises(InputError, match=r"would not start: .*PreemptType and PreemptMode values"):
        try_start(files, one.site.conf)
    (tmp_path / "slurm.conf").write_text((tmp_path / "slurm.conf").read_text() + "NoSuchKey=1\n")
    found = try_start(files, read_slurm_conf(tmp_path / "slurm.conf"))
    assert "does not even take your present configuration here" in found
    assert "NoSuchKey" in found.replace("nosuchkey", "NoSuchKey")
