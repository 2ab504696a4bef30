"""The cluster under test: a site in small, and what scenarios do to it."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

from zerowait.deploy.cluster.answers import SlurmJob
from zerowait.deploy.cluster.cluster import SlurmCluster, SlurmError, SlurmSetup, VirtualNode
from zerowait.deploy.slurm.deployment import CONF_FILE, SlurmDeployment
from zerowait.deploy.slurm.site import (
    SlurmPartition,
    kept_settings,
    limit_minutes,
    node_attributes,
    partition_line,
)
from zerowait.model import InputError

BRIEF_S = 0.1  # real time; at twenty times the speed, starts one after another differ in seconds
LONG_S = 900.0  # real time: until it is cancelled
LONGEST_MIN = 480
SETTLED_S = 75.0  # real time; Slurm computes priorities anew every minute
OTHER_USER = "nobody"
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

    setup: SlurmSetup
    partition: SlurmPartition
    n_nodes: int


def virtual_site(
    one: SlurmDeployment, files: Mapping[str, str], speed: float = SPEED
) -> VirtualSite:
    """Make a small version of a deployment's site, with the files of its folder as they are now."""
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
    # The plan's files set SelectType.
    kept = [text for text in kept_settings(one.site) if not text.startswith("SelectType=")]
    partitions = [
        partition_line(
            each.name, [name for name in each.nodes if name in nodes], each.attributes,
            PARTITION_DROPPED,
        )
        for each in one.site.partitions
    ]  # fmt: skip
    lines = [*kept, *partitions, f"Include {CONF_FILE}"]
    virtual = [VirtualNode(name, node_attributes(one.site, name)) for name in nodes]
    setup = SlurmSetup(virtual, "\n".join(lines) + "\n", files, up, speed, PACE)
    return VirtualSite(setup, main, len(up))


def _nodes(one: SlurmDeployment) -> list[str]:
    """Choose all nodes of a split, because its files name them; else a few of each partition."""
    if one.layout is not None:
        chosen = list(one.planned[0].nodes)
    else:
        chosen = list(one.planned[0].nodes[: _size(one.planned[0])])
    for other in one.site.partitions:
        if not set(other.nodes) & set(chosen):
            chosen += other.nodes[:1]
    return list(dict.fromkeys(chosen))


def _size(main: SlurmPartition) -> int:
    largest = main.attributes.get("maxnodes", "")
    limit = int(largest) if largest.isdecimal() else N_NODES
    return min(N_NODES, max(limit, LEAST_NODES), len(main.nodes))


def _up(one: SlurmDeployment, nodes: list[str]) -> list[str]:
    """Choose the nodes to start: of a split one slot per class, and helpers for the largest job."""
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


class SlurmFixture:
    """The cluster under test; `deployed` says what scenarios may expect of it."""

    def __init__(
        self, cluster: SlurmCluster, deployed: SlurmDeployment, virtual: VirtualSite
    ) -> None:
        self.cluster, self.deployed, self.order = cluster, deployed, deployed.order
        self.partition, self.n_nodes = virtual.partition, virtual.n_nodes
        # The longest limit that jobs may ask for here, at most a working day.
        allowed = limit_minutes(self.partition.attributes.get("maxtime", "INFINITE"))
        self.longest_min = int(min(LONGEST_MIN, allowed))
        # As the controller says, whatever the plan wanted.
        self.backfills = "sched/backfill" in cluster.call("scontrol", "show", "config")
        accounts = self.partition.attributes.get("allowaccounts", "")
        self.always = [f"--account={accounts.partition(',')[0]}"] if accounts else []

    def submit(
        self,
        nodes: int | None,
        limit_min: int,
        *more: str,
        real_s: float = BRIEF_S,
        user: str | None = None,
        partition: str | None = None,
    ) -> int:
        """Submit a job that sleeps on whole nodes; `more` are options of sbatch."""
        size = [] if nodes is None else [f"--nodes={nodes}", "--exclusive"]
        return self.cluster.submit(
            f"sleep {real_s}", f"--time={limit_min}", *size, *self.always,
            f"--partition={partition or self.partition.name}", "--job-name=check", *more, user=user,
        )  # fmt: skip

    def block(self, nodes: int | None = None, *more: str) -> int:
        """Start a job that holds nodes until it is let go, however much time is made to pass."""
        number = self.submit(nodes or self.n_nodes, self.longest_min, *more, real_s=LONG_S)
        self.cluster.wait_for_start([number])
        self.set_limit(number, "UNLIMITED")
        return number

    def set_limit(self, number: int, limit: str) -> None:
        self.update(number, f"TimeLimit={limit}")

    def update(self, number: int, change: str, user: str | None = None) -> None:
        self.cluster.call("scontrol", "update", f"JobId={number}", change, user=user)

    def let_go(self, *numbers: int) -> None:
        self.cluster.call("scancel", *map(str, numbers))

    def job(self, number: int) -> SlurmJob:
        return self.cluster.jobs()[number]

    def pass_time(self, seconds: float) -> None:
        """Put the controller's clock forward; jobs and nodes do not notice."""
        self.cluster.clock.put_forward(seconds)

    def until_looked_at(self, number: int) -> None:
        """Wait until the scheduler has had its chance to start a waiting job."""
        since, first = self.cluster.clock.now(), self.cluster.passes().main

        def has_looked() -> bool:
            if not self.job(number).waits:
                return True
            # Slurm looks at the queue again only when something has changed.
            self.update(number, f"Comment={time.monotonic()}")
            passes = self.cluster.passes()
            if self.backfills:
                return passes.has_backfilled_since(since)
            return passes.main > first + 1

        self.cluster.wait(has_looked, f"the scheduler to look at job {number}")

    def order_of_starts(self, names: dict[int, str]) -> str:
        """Return names in the order of starts, with an equals sign between equal seconds."""
        jobs = self.cluster.jobs()
        starts = sorted((jobs[one].start or 0.0, name) for one, name in names.items())
        text = starts[0][1]
        for before, (start, name) in pairwise(starts):
            text += f" = {name}" if start == before[0] else f", {name}"
        return text

    def settle(self, condition: Callable[[], bool]) -> None:
        """Wait for what may take Slurm a minute; whether it came is for the scenario to tell."""
        with suppress(SlurmError):
            self.cluster.wait(condition, "a change", SETTLED_S)

    def clear(self) -> None:
        """Cancel all jobs, and wait until the nodes are idle."""
        present = [one.id for one in self.cluster.jobs().values() if not one.has_ended]
        if present:
            self.let_go(*present)
            self.cluster.wait_for_end(present)
        self.cluster.wait(self.cluster.is_idle, "the nodes to be idle")
