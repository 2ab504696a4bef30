"""The site in small: its partitions and limits on a few virtual nodes, with a plan's own files."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from zerowait.deploy.cluster.base_conf import VirtualNode
from zerowait.deploy.cluster.cluster import Setup
from zerowait.deploy.slurm.deployment import CONF_FILE, Deployment
from zerowait.deploy.slurm.excerpt import KEPT, node_attributes
from zerowait.deploy.slurm.hostlist import compress
from zerowait.deploy.slurm.quoting import conf_value
from zerowait.deploy.slurm.site import Partition
from zerowait.model import InputError

N_NODES = 8  # of the plan's partition: enough to tell its promises apart
LEAST_NODES = 4
MOST_NODES = 256  # each is a process
SPEED = 20.0
PACE = 10.0  # the scheduler looks ten times as often, and scenarios wait for that

# Of a partition, what needs a database or other hosts.
PARTITION_DROPPED = ("nodes", "qos", "allowqos", "denyqos", "allocnodes", "allowallocnodes",
                     "tresbillingweights", "jobdefaults")  # fmt: skip


@dataclass(frozen=True)
class VirtualSite:
    """What to start, and the partition that jobs are sent to."""

    setup: Setup
    partition: Partition
    n_nodes: int
    dropped: tuple[str, ...]  # attributes of the site's that the check cannot try


def virtual_site(one: Deployment, files: Mapping[str, str], speed: float = SPEED) -> VirtualSite:
    """`files` are those of the deployment's folder, as they are now."""
    main = one.planned[0]
    if len(main.nodes) < LEAST_NODES:
        raise InputError(
            f"partition {main.name}: has {len(main.nodes)} nodes; the check needs {LEAST_NODES}"
        )
    nodes = _nodes(one)
    up = _up(one, nodes)
    if len(up) > MOST_NODES:
        raise InputError(
            f"the check would need {len(up)} virtual nodes; it starts {MOST_NODES} at most"
        )
    lines = [*_settings(one), *_partitions(one, nodes), f"Include {CONF_FILE}"]
    virtual = [VirtualNode(name, node_attributes(one.site, name)) for name in nodes]
    setup = Setup(virtual, "\n".join(lines) + "\n", files, up, speed, PACE)
    dropped = {
        f"{key} of {each.name}"
        for each in one.site.partitions
        for key in each.attributes
        if key in PARTITION_DROPPED and key != "nodes"
    }
    return VirtualSite(setup, main, len(up), tuple(sorted(dropped)))


def _nodes(one: Deployment) -> list[str]:
    """All of a split's, because its files name them; else a few of each partition's."""
    if one.layout is not None:
        chosen = list(one.planned[0].nodes)
    else:
        chosen = list(one.planned[0].nodes[: _size(one.planned[0])])
    for other in one.site.partitions:
        if not set(other.nodes) & set(chosen):
            chosen += other.nodes[:1]
    return list(dict.fromkeys(chosen))


def _size(main: Partition) -> int:
    largest = main.attributes.get("maxnodes", "")
    limit = int(largest) if largest.isdecimal() else N_NODES
    return min(N_NODES, max(limit, LEAST_NODES), len(main.nodes))


def _up(one: Deployment, nodes: list[str]) -> list[str]:
    """Of a split: one slot of each class, and helpers for the largest job."""
    if one.layout is None:
        return [name for name in nodes if name in one.planned[0].nodes]
    needs = {
        one.layout.routes[each.name]: int(each.need[1])
        for each in one.order.classes
        if each.name in one.layout.routes
    }
    largest = max(int(each.need[1]) for each in one.order.classes)
    return [
        name
        for each in one.layout.partitions
        for name in each.nodes[: needs.get(each.name, largest)]
    ]


def _settings(one: Deployment) -> Iterator[str]:
    for key in KEPT:
        found = one.site.conf.setting(key)
        if found is not None and key != "SelectType":  # which the plan's files set
            yield f"{key}={conf_value(found.value)}"


def _partitions(one: Deployment, nodes: list[str]) -> Iterator[str]:
    present = set(nodes)
    for each in one.site.partitions:
        kept = [
            f"{key}={conf_value(value)}"
            for key, value in each.attributes.items()
            if key not in PARTITION_DROPPED
        ]
        members = [name for name in each.nodes if name in present]
        where = compress(members) if members else '""'
        yield " ".join([f"PartitionName={conf_value(each.name)}", f"Nodes={where}", *kept])
