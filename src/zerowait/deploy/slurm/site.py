"""What a site's slurm.conf says of its nodes and partitions."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from zerowait.deploy.slurm.conf import ConfLine, SlurmConf, read_conf
from zerowait.deploy.slurm.hostlist import expand
from zerowait.model import InputError

LUA_FILE = "job_submit.lua"


@dataclass(frozen=True)
class Partition:
    """One partition; attributes as written, keys lower case."""

    name: str
    attributes: Mapping[str, str]
    nodes: tuple[str, ...]
    line: ConfLine

    def has(self, attribute: str, *values: str) -> bool:
        return self.attributes.get(attribute, "").upper() in values


@dataclass(frozen=True)
class Site:
    """A cluster as it is configured; `lua` is its own job_submit.lua, where it has one."""

    conf: SlurmConf
    nodes: Mapping[str, Mapping[str, str]]
    partitions: tuple[Partition, ...]
    lua: str | None

    def partition(self, name: str) -> Partition:
        for one in self.partitions:
            if one.name == name:
                return one
        known = ", ".join(one.name for one in self.partitions)
        raise InputError(f"partition = {name!r}: {self.conf.path} has no such partition; {known}")

    def cpus(self, node: str) -> int:
        """What jobs can have of a node, as far as the configuration says."""
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


def read_site(path: str | Path) -> Site:
    """The site behind a slurm.conf; a job_submit.lua beside it belongs to it."""
    conf = read_conf(path)
    nodes: dict[str, Mapping[str, str]] = {}
    for names, attributes, line in conf.tables("NodeName"):
        for name in _named(names, line):
            nodes[name] = attributes
    sets = {name: attributes for name, attributes, _ in conf.tables("NodeSet")}
    partitions = {
        name: Partition(name, attributes, tuple(_members(attributes, nodes, sets, line)), line)
        for name, attributes, line in conf.tables("PartitionName")
    }
    if not partitions:
        raise InputError(f"{conf.path}: has no PartitionName; is it the cluster's slurm.conf?")
    return Site(conf, nodes, tuple(partitions.values()), _lua(conf))


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
        return expand(names)
    except InputError as error:
        raise InputError(f"{line.place}: {error}") from None


def _lua(conf: SlurmConf) -> str | None:
    """The site's own script, where Slurm is told to use it."""
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
