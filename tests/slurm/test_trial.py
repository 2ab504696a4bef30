"""A real slurmctld takes a site's configuration with the plan's changes, or says why not."""

import shutil
from pathlib import Path

import pytest

from tests.logs import real_log
from tests.slurm.needed import need_slurm
from tests.unit.deploy.sites import deployed, plan
from zerowait.deploy.slurm.conf import read_slurm_conf
from zerowait.deploy.slurm.deployment import deployment_files, make_deployment
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
