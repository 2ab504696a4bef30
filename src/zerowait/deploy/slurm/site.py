"""A site's nodes and partitions as its slurm.conf has them, and an excerpt for the check."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from zerowait.deploy.slurm.conf import (
    ConfLine,
    SlurmConf,
    compress_hostlist,
    conf_value,
    expand_hostlist,
    read_slurm_conf,
)
from zerowait.model import InputError

LUA_FILE = "job_submit.lua"


@dataclass(frozen=True)
class SlurmPartition:
    """A partition of Slurm; attributes as written, keys lower case."""

    name: str
    attributes: Mapping[str, str]
    nodes: tuple[str, ...]
    line: ConfLine

    def has(self, attribute: str, *values: str) -> bool:
        return self.attributes.get(attribute, "").upper() in values


@dataclass(frozen=True)
class SlurmSite:
    """A cluster as its slurm.conf has it; `lua` is its own job_submit.lua, where it has one."""

    conf: SlurmConf
    nodes: Mapping[str, Mapping[str, str]]
    partitions: tuple[SlurmPartition, ...]
    lua: str | None

    def partition(self, name: str) -> SlurmPartition:
        for one in self.partitions:
            if one.name == name:
                return one
        known = ", ".join(one.name for one in self.partitions)
        raise InputError(f"partition = {name!r}: {self.conf.path} has no such partition; {known}")

    def cpus(self, node: str) -> int:
        """Return how many CPUs jobs can have of a node, as far as the configuration says."""
        given = self.nodes[node]
        if "cpus" in given or "procs" in given:
            return self._whole(given.get("cpus", given.get("procs", "1")), node)
        boards = given.get("sockets", given.get("socketsperboard", "1"))
        parts = (given.get("boards", "1"), boards, given.get("corespersocket", "1"),
                 given.get("threadspercore", "1"))  # fmt: skip
        return math.prod(self._whole(part, node) for part in parts)

    def _whole(self, text: str, node: str) -> int:
        if not text.isdecimal():
            raise InputError(f"{self.conf.path}: node {node}: {text!r} is no number of CPUs")
        return int(text)


def read_slurm_site(path: str | Path) -> SlurmSite:
    """Read the site behind a slurm.conf; a job_submit.lua beside it belongs to it."""
    conf = read_slurm_conf(path)
    nodes: dict[str, Mapping[str, str]] = {}
    for names, attributes, line in conf.tables("NodeName"):
        for name in _named(names, line):
            nodes[name] = attributes
    sets = {name: attributes for name, attributes, _ in conf.tables("NodeSet")}
    partitions = {
        name: SlurmPartition(name, attributes, tuple(_members(attributes, nodes, sets, line)), line)
        for name, attributes, line in conf.tables("PartitionName")
    }
    if not partitions:
        raise InputError(f"{conf.path}: has no PartitionName; is it the cluster's slurm.conf?")
    return SlurmSite(conf, nodes, tuple(partitions.values()), _lua(conf))


def _members(
    attributes: Mapping[str, str],
    nodes: Mapping[str, Mapping[str, str]],
    sets: Mapping[str, Mapping[str, str]],
    line: ConfLine,
) -> Sequence[str]:
    listed = attributes.get("nodes", "")
    if listed.upper() == "ALL":
        return list(nodes)
    if listed in ("", '""', "(null)"):
        return []
    found: dict[str, None] = {}
    for name in _named(listed, line):
        if name.upper() == "ALL":
            found |= dict.fromkeys(nodes)
        elif name in sets and name not in nodes:
            found |= dict.fromkeys(_set_members(sets[name], nodes, line))
        else:
            found[name] = None
    for name in found:
        if name not in nodes:
            raise InputError(f"{line.place}: Nodes={listed}: there is no NodeName {name}")
    return list(found)


def _set_members(
    of: Mapping[str, str], nodes: Mapping[str, Mapping[str, str]], line: ConfLine
) -> Sequence[str]:
    if "nodes" in of:
        return _named(of["nodes"], line)
    feature = of.get("feature", "")
    return [
        name
        for name, attributes in nodes.items()
        if feature in attributes.get("feature", attributes.get("features", "")).split(",")
    ]


def _named(names: str, line: ConfLine) -> list[str]:
    try:
        return expand_hostlist(names)
    except InputError as error:
        raise InputError(f"{line.place}: {error}") from None


def _lua(conf: SlurmConf) -> str | None:
    """Read the site's own script, where Slurm is told to use it."""
    plugins = [name.strip() for name in conf.value("JobSubmitPlugins").split(",")]
    path = conf.path.parent / LUA_FILE
    if not {"lua", "job_submit/lua"} & set(plugins):
        return None
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"{path}: JobSubmitPlugins names lua, and its script cannot be read: {error.strerror}"
        ) from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not UTF-8 text") from None


# Of a node, what jobs can ask for.
NODE_KEYS = ("cpus", "procs", "boards", "sockets", "socketsperboard", "corespersocket",
             "threadspercore", "realmemory", "feature", "features", "weight")  # fmt: skip
# Of the rest, what bears on who starts when.
KEPT_SETTINGS = (
    "SelectType", "SelectTypeParameters", "EnforcePartLimits", "PreemptType", "PreemptMode",
    "KillWait", "OverTimeLimit", "DefMemPerCPU", "DefMemPerNode", "MaxMemPerCPU", "MaxMemPerNode",
    "PriorityFlags", "PriorityMaxAge", "DisableRootJobs",
)  # fmt: skip


def site_excerpt(site: SlurmSite) -> str:
    """Write the part of a slurm.conf that the check needs, DEFAULT lines spelled out."""
    lines = ["# What 'zerowait deploy check' needs to know of the site.", *_excerpt_lines(site)]
    return "\n".join(lines) + "\n"


def _excerpt_lines(site: SlurmSite) -> Iterator[str]:
    yield from kept_settings(site)
    described = [(node_attributes(site, name), name) for name in site.nodes]
    for attributes, group in groupby(described, key=lambda pair: pair[0]):
        yield f"NodeName={compress_hostlist([name for _, name in group])} {attributes}"
    for one in site.partitions:
        yield partition_line(one.name, one.nodes, one.attributes)


def kept_settings(site: SlurmSite) -> list[str]:
    """Write the site's settings that bear on who starts when."""
    found = map(site.conf.setting, KEPT_SETTINGS)
    return [f"{one.key}={conf_value(one.value)}" for one in found if one is not None]


def partition_line(
    name: str,
    nodes: Sequence[str],
    attributes: Mapping[str, str],
    left_out: Collection[str] = ("nodes",),
) -> str:
    """Write a partition with these nodes, and its attributes but for some."""
    where = compress_hostlist(list(nodes)) if nodes else '""'
    kept = [f"{key}={conf_value(value)}" for key, value in attributes.items()
            if key not in left_out]  # fmt: skip
    return " ".join([f"PartitionName={conf_value(name)}", f"Nodes={where}", *kept])


def node_attributes(site: SlurmSite, name: str) -> str:
    given = site.nodes[name]
    return (
        " ".join(f"{key}={conf_value(given[key])}" for key in NODE_KEYS if key in given) or "CPUs=1"
    )


NO_LIMIT = ("infinite", "unlimited", "none", "")


def limit_minutes(text: str) -> float:
    """Read a time limit in minutes: `90`, `1:30:00`, `2-12` or `2-12:30:00`; infinite if none."""
    if text.lower() in NO_LIMIT:
        return math.inf
    days, dash, rest = text.rpartition("-")
    parts = [int(part) for part in rest.split(":")]
    # After days come hours; without them a single number is minutes, and two end in seconds.
    weights = [60.0, 1.0, 1 / 60] if dash or len(parts) == 3 else [1.0, 1 / 60]
    whole = sum(part * weight for part, weight in zip(parts, weights, strict=False))
    return whole + (int(days) * 1440 if dash else 0)
