"""Small sites and plans for tests."""

from pathlib import Path

from zerowait.deploy.slurm.deployment import SlurmDeployment, make_deployment
from zerowait.deploy.slurm.site import SlurmSite, read_slurm_site
from zerowait.experiment.files.plan_file import Plan, PlanClass

DUE = "backfill,order=due,patience=10h,reserve_after=1d"
CONF = """\
ClusterName=little
SelectType=select/cons_tres
NodeName=n[1-8] CPUs=1
PartitionName=batch Nodes=n[1-8] Default=YES MaxTime=2-0
"""
SPLIT_CONF = """\
SelectType=select/cons_tres
NodeName=n[1-24] CPUs=1
PartitionName=batch Nodes=n[1-24] Default=YES MaxTime=2-0 AllowGroups=root
"""
SPLIT_PLAN = Plan(
    servers=24,
    baseline="easy",
    choice="bs:fcfs,slots=6/4/1",
    reason="small jobs wait for large ones",
    classes=(
        PlanClass("small", (1, 1)),
        PlanClass("mid size", (2, 2)),
        PlanClass("large", (3, 4)),
    ),
)


def plan(choice: str = DUE, servers: int = 8, classes: tuple[PlanClass, ...] = ()) -> Plan:
    return Plan(servers, "easy", choice, "less waiting", classes=classes)


def site(folder: Path, conf: str = CONF, lua: str | None = None) -> SlurmSite:
    folder.mkdir(exist_ok=True)
    (folder / "slurm.conf").write_text(conf)
    if lua is not None:
        (folder / "job_submit.lua").write_text(lua)
    return read_slurm_site(folder / "slurm.conf")


def deployed(
    folder: Path, of: Plan | None = None, conf: str = CONF, lua: str | None = None
) -> SlurmDeployment:
    return make_deployment(of or plan(), site(folder, conf, lua))
