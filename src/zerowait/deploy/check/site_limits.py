"""Promises about what was closed before: it stays closed."""

import re

from zerowait.deploy.check.bench import OTHER_USER, Bench
from zerowait.deploy.check.scenario import Finding, scenario
from zerowait.deploy.check.virtual_site import PARTITION_DROPPED
from zerowait.deploy.cluster.cluster import RefusedError
from zerowait.deploy.slurm.deployment import Deployment
from zerowait.deploy.slurm.limits import minutes

# As slurm.conf and as `scontrol show partition` call them.
SHOWN = {
    "maxtime": "MaxTime", "maxnodes": "MaxNodes", "minnodes": "MinNodes",
    "allowgroups": "AllowGroups", "allowaccounts": "AllowAccounts",
    "denyaccounts": "DenyAccounts", "rootonly": "RootOnly", "hidden": "Hidden",
    "reqresv": "ReqResv", "defaulttime": "DefaultTime", "state": "State",
    "disablerootjobs": "DisableRootJobs", "maxmempernode": "MaxMemPerNode",
    "maxmempercpu": "MaxMemPerCPU",
}  # fmt: skip
TIMES = ("maxtime", "defaulttime")


@scenario("the limits of every partition are what they were")
def limits_kept(bench: Bench) -> Finding:
    shown = _shown(bench)
    expected, seen = [], []
    partitions = {one.name: one.attributes for one in bench.deployed.site.partitions}
    layout = bench.deployed.layout
    for one in layout.partitions if layout else ():
        partitions[one.name] = bench.partition.attributes
    for name, attributes in partitions.items():
        for key, value in attributes.items():
            if key in SHOWN and key not in PARTITION_DROPPED:
                expected.append(f"{name} {SHOWN[key]}={_normal(key, value)}")
                seen.append(f"{name} {SHOWN[key]}={_normal(key, shown[name].get(SHOWN[key], ''))}")
    return Finding("; ".join(expected) or "no limits", "; ".join(seen) or "no limits")


def _shown(bench: Bench) -> dict[str, dict[str, str]]:
    text = bench.cluster.call("scontrol", "--oneliner", "show", "partition")
    tables = [dict(re.findall(r"(\w+)=(\S*)", line)) for line in text.splitlines()]
    return {table["PartitionName"]: table for table in tables}


def _normal(key: str, value: str) -> str:
    if key in TIMES:
        return str(minutes(value))
    return ",".join(sorted(value.upper().split(",")))


def has_time_limit(one: Deployment) -> bool:
    return minutes(one.planned[0].attributes.get("maxtime", "INFINITE")) < 500_000


@scenario("a job beyond the partition's time limit does not start", has_time_limit)
def too_long(bench: Bench) -> Finding:
    limit = int(minutes(bench.partition.attributes["maxtime"])) + 60
    try:
        number = bench.submit(1, limit)
    except RefusedError:
        return Finding("it does not start", "it does not start")
    # Slurm takes such a job, says why it will never start, and looks at it no more.
    bench.cluster.wait(
        lambda: not bench.job(number).waits or bench.job(number).reason == "PartitionTimeLimit",
        "a job beyond the limit to be refused or started",
    )
    seen = "it starts" if bench.job(number).has_started else "it does not start"
    return Finding("it does not start", seen)


def is_closed(one: Deployment) -> bool:
    return "allowgroups" in one.planned[0].attributes


@scenario("users outside AllowGroups are refused", is_closed, as_other_user=True)
def outsiders(bench: Bench) -> Finding:
    layout = bench.deployed.layout
    names = [bench.partition.name, *(one.name for one in (layout.partitions if layout else ()))]
    answers = []
    for name in names:
        try:
            bench.submit(1, 1, user=OTHER_USER, partition=name)
            answers.append(f"{name} accepts")
        except RefusedError:
            answers.append(f"{name} refuses")
    return Finding("; ".join(f"{name} refuses" for name in names), "; ".join(answers))
