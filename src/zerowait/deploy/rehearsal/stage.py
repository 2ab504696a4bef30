"""The cluster of a rehearsal: a plan's own files on virtual nodes, with time scaled."""

import re
import tempfile
from dataclasses import replace
from pathlib import Path

from zerowait.deploy.cluster.base_conf import VirtualNode
from zerowait.deploy.cluster.cluster import Setup
from zerowait.deploy.slurm.deployment import (
    CONF_FILE,
    Deployment,
    deployment,
    files_of,
)
from zerowait.deploy.slurm.site import read_site
from zerowait.experiment.files.plan_file import Plan
from zerowait.model import InputError
from zerowait.model.quantities import positive

MOST_NODES = 512  # each is a process of about 6 MB
PARTITION = "rehearsal"
PAUSE_S = 30.0  # of the controller's time between passes: what Slurm has by default
FASTEST, SLOWEST = 2000.0, 1.0


def staged(plan: Plan, policy: str) -> Deployment:
    """The plan's cluster under one of its policies, one virtual node of one CPU per server."""
    if plan.servers > MOST_NODES:
        raise InputError(
            f"cluster.servers = {plan.servers}: a rehearsal starts {MOST_NODES} virtual nodes at "
            "most; make a plan for a part of the cluster"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "slurm.conf"
        path.write_text(
            f"SelectType=select/cons_tres\nNodeName=n[1-{plan.servers}] CPUs=1\n"
            f"PartitionName={PARTITION} Nodes=ALL Default=YES MaxTime=INFINITE\n",
            encoding="utf-8",
        )
        return deployment(replace(plan, choice=policy), read_site(path))


def setup_of(one: Deployment, speed: float) -> Setup:
    """The same files, but for what counts real seconds in Slurm and would be too short now."""
    if not SLOWEST <= positive("speed", speed) <= FASTEST:
        raise InputError(f"speed = {speed}: must be between {SLOWEST:.0f} and {FASTEST:.0f}")
    files = files_of(one)
    files[CONF_FILE] = scaled(files[CONF_FILE], speed)
    nodes = [VirtualNode(name) for name in one.planned[0].nodes]
    lines = [
        "MessageTimeout=6000",  # lets a pass take its time, see below
        f"PartitionName={PARTITION} Nodes=ALL Default=YES MaxTime=INFINITE",
        f"Include {CONF_FILE}",
    ]
    pace = max(1.0, speed / PAUSE_S)
    return Setup(nodes, "\n".join(lines) + "\n", files, speed=speed, pace=pace)


def scaled(conf: str, speed: float) -> str:
    """Ten real seconds for nodes to come back, and no end to a pass of a few milliseconds that
    the fast clock makes look long."""
    wait = min(65_000, int(10 * speed))
    conf = re.sub(r"(?m)^CompleteWait=10$", f"CompleteWait={wait}", conf)
    return re.sub(
        r"(?m)^(SchedulerParameters=.*)$", r"\1,max_sched_time=5999,bf_max_time=600", conf
    )
