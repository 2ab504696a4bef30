"""Ranges of servers: each class's own and the helpers under a split, else all of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from zerowait.engine.policy import Policy
from zerowait.engine.system import System


@dataclass(frozen=True)
class Region:
    """Servers from `first` on. The engine counts servers and does not number them: we do."""

    kind: str  # own, helpers or all
    name: str
    first: int
    servers: int
    job_class: int | None = None  # of own servers


def regions_of(policy: Policy, system: System) -> tuple[Region, ...]:
    """The own servers of class i are region i, the helpers are the last one."""
    split = policy.split_of(system)
    if split is None:
        return (Region("all", "servers", 0, system.servers),)
    return (
        *_own_servers(split.own_servers),
        Region("helpers", "helpers", system.servers - split.helpers, split.helpers),
    )


def _own_servers(counts: Sequence[int]) -> list[Region]:
    regions: list[Region] = []
    first = 0
    for i, servers in enumerate(map(int, counts)):
        regions.append(Region("own", class_name(i), first, servers, i))
        first += servers
    return regions


def class_name(i: int) -> str:
    """Classes are numbered from one, as in the paper."""
    return f"class {i + 1}"
