"""What of a site's slurm.conf the check needs, as a small slurm.conf of its own."""

from collections.abc import Iterator
from itertools import groupby

from zerowait.deploy.slurm.hostlist import compress
from zerowait.deploy.slurm.quoting import conf_value
from zerowait.deploy.slurm.site import Site

# Of a node, what jobs can ask for.
NODE_KEYS = ("cpus", "procs", "boards", "sockets", "socketsperboard", "corespersocket",
             "threadspercore", "realmemory", "feature", "features", "weight")  # fmt: skip
# Of the rest, what bears on who starts when.
KEPT = ("SelectType", "SelectTypeParameters", "EnforcePartLimits", "PreemptMode", "KillWait",
        "OverTimeLimit", "DefMemPerCPU", "DefMemPerNode", "MaxMemPerCPU", "MaxMemPerNode",
        "PriorityFlags", "PriorityMaxAge", "DisableRootJobs")  # fmt: skip


def site_excerpt(site: Site) -> str:
    """Nodes and partitions with all that DEFAULT lines said of them."""
    lines = ["# What 'zerowait deploy check' needs to know of the site.", *_lines(site)]
    return "\n".join(lines) + "\n"


def _lines(site: Site) -> Iterator[str]:
    for key in KEPT:
        found = site.conf.setting(key)
        if found is not None:
            yield f"{key}={conf_value(found.value)}"
    described = [(node_attributes(site, name), name) for name in site.nodes]
    for attributes, group in groupby(described, key=lambda pair: pair[0]):
        yield f"NodeName={compress([name for _, name in group])} {attributes}"
    for one in site.partitions:
        nodes = compress(list(one.nodes)) if one.nodes else '""'
        kept = [f"{key}={conf_value(value)}" for key, value in one.attributes.items()
                if key != "nodes"]  # fmt: skip
        yield " ".join([f"PartitionName={conf_value(one.name)}", f"Nodes={nodes}", *kept])


def node_attributes(site: Site, name: str) -> str:
    given = site.nodes[name]
    return (
        " ".join(f"{key}={conf_value(given[key])}" for key in NODE_KEYS if key in given) or "CPUs=1"
    )
