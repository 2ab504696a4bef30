"""The partitions of a split: servers of its own for each class, and helpers for all."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from zerowait.deploy.order import QueueOrder, own_servers
from zerowait.deploy.slurm.site import SlurmPartition, SlurmSite, partition_line
from zerowait.model import InputError

PREFIX = "cls_"
HELPERS = "helpers"
# What a partition of a class does not take from the one whose nodes it has.
OWN = ("nodes", "default", "prioritytier", "alternate")


@dataclass(frozen=True)
class SplitPartition:
    """A partition of the split; the one with the highest `tier` is asked first."""

    name: str
    nodes: tuple[str, ...]
    tier: int
    why: str
    attributes: Mapping[str, str]

    @property
    def text(self) -> str:
        spelled = {SPELLINGS.get(key, key): value for key, value in self.attributes.items()}
        return partition_line(self.name, self.nodes, {"PriorityTier": str(self.tier)} | spelled)


@dataclass(frozen=True)
class SplitLayout:
    """The partitions of a split, and which of them each class is sent to."""

    partitions: tuple[SplitPartition, ...]
    routes: Mapping[str, str]  # the partition of each class that has servers of its own
    helpers: str


def split_layout(
    site: SlurmSite, order: QueueOrder, of: SlurmPartition, servers: int
) -> SplitLayout:
    """Divide the nodes of a partition in their order: first the classes' own, then the helpers."""
    owned = own_servers(order)
    largest = max(int(one.need[1]) for one in order.classes)
    if servers - sum(owned) < largest:
        raise InputError(
            f"policy {order.spelling!r}: classes own {sum(owned)} of {servers} servers, and a job "
            f"needs up to {largest} of the helpers; give fewer slots"
        )
    if len(of.nodes) != servers:
        raise InputError(
            f"partition {of.name}: has {len(of.nodes)} nodes and the plan is for {servers}; a "
            "split needs as many nodes as it has servers"
        )
    partitions = tuple(_partitions(order, of, owned))
    taken = {one.name for one in site.partitions}
    names = [one.name for one in partitions]
    for name in names:
        if name in taken or names.count(name) > 1:
            raise InputError(f"partition {name}: is there already; rename the class or partition")
    routes = {
        one.name: partition_name(PREFIX, one.name)
        for one, own in zip(order.classes, owned, strict=True)
        if own
    }
    return SplitLayout(partitions, routes, HELPERS)


def _partitions(
    order: QueueOrder, of: SlurmPartition, owned: tuple[int, ...]
) -> Iterator[SplitPartition]:
    kept = {key: value for key, value in of.attributes.items() if key not in OWN}
    at = 0
    for one, own in zip(order.classes, owned, strict=True):
        if own:
            name = partition_name(PREFIX, one.name)
            why = f"servers of class {one.name}: jobs of that class alone, oldest first"
            yield SplitPartition(name, of.nodes[at : at + own], 2, why, kept)
        at += own
    why = "for jobs of any class that find their own servers busy"
    yield SplitPartition(HELPERS, of.nodes[at:], 1, why, kept)


# Keys as Slurm's manual spells them; they were read in lower case.
SPELLINGS = {
    name.lower(): name
    for name in (
        "AllocNodes", "AllowAccounts", "AllowGroups", "AllowQos", "CpuBind", "DefaultTime",
        "DefCpuPerGPU", "DefMemPerCPU", "DefMemPerGPU", "DefMemPerNode", "DenyAccounts",
        "DenyQos", "DisableRootJobs", "ExclusiveUser", "GraceTime", "Hidden", "LLN",
        "MaxCPUsPerNode", "MaxMemPerCPU", "MaxMemPerNode", "MaxNodes", "MaxTime", "MinNodes",
        "OverSubscribe", "OverTimeLimit", "PowerDownOnIdle", "PreemptMode", "PriorityJobFactor",
        "QOS", "ReqResv", "ResumeTimeout", "RootOnly", "SelectTypeParameters", "State",
        "SuspendTime", "SuspendTimeout", "TRESBillingWeights",
    )
}  # fmt: skip


NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}")


def partition_name(prefix: str, text: str) -> str:
    """Make a name that Slurm and shells take as it is; odd signs become underscores."""
    name = prefix + re.sub(r"[^A-Za-z0-9-]+", "_", text).strip("_")
    if name == prefix or not NAME.fullmatch(name):
        raise InputError(f"class {text!r}: makes no name of a partition; rename it")
    return name
