"""A cluster to try promises on: submit jobs, let time pass, see who started when."""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import pairwise

from zerowait.deploy.check.virtual_site import VirtualSite
from zerowait.deploy.cluster.cluster import Cluster, SlurmError
from zerowait.deploy.cluster.jobs import SlurmJob
from zerowait.deploy.cluster.passes import Passes, parse_passes
from zerowait.deploy.slurm.deployment import Deployment
from zerowait.deploy.slurm.limits import minutes

BRIEF_S = 0.1  # real time; at twenty times the speed, starts one after another differ in seconds
LONG_S = 900.0  # real time: until it is cancelled
LONGEST_MIN = 480
SETTLED_S = 75.0  # real time; Slurm computes priorities anew every minute
OTHER_USER = "nobody"


class Bench:
    """What scenarios do to a cluster; `deployed` says what they may expect of it."""

    def __init__(self, cluster: Cluster, deployed: Deployment, virtual: VirtualSite) -> None:
        self.cluster, self.deployed, self.order = cluster, deployed, deployed.order
        self.partition, self.n_nodes = virtual.partition, virtual.n_nodes
        # The longest limit that jobs may ask for here, at most a working day.
        allowed = minutes(self.partition.attributes.get("maxtime", "INFINITE"))
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
        """One job that sleeps on whole nodes; `more` are options of sbatch."""
        size = [] if nodes is None else [f"--nodes={nodes}", "--exclusive"]
        answer = self.cluster.call(
            "sbatch", "--parsable", f"--time={limit_min}", *size, *self.always,
            f"--partition={partition or self.partition.name}", "--output=/dev/null", "--chdir=/",
            "--job-name=check", *more, f"--wrap=sleep {real_s}", user=user,
        )  # fmt: skip
        return int(answer.strip().partition(";")[0])

    def block(self, nodes: int | None = None, *more: str) -> int:
        """A job that holds nodes until it is let go, however much time is made to pass."""
        number = self.submit(nodes or self.n_nodes, self.longest_min, *more, real_s=LONG_S)
        self.until_started([number])
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

    def until_started(self, numbers: Iterable[int]) -> None:
        self._until(numbers, lambda job: job.has_started, "start")

    def until_ended(self, numbers: Iterable[int]) -> None:
        self._until(numbers, lambda job: job.has_ended, "end")

    def _until(
        self, numbers: Iterable[int], condition: Callable[[SlurmJob], bool], what: str
    ) -> None:
        wanted = list(numbers)

        def holds() -> bool:
            jobs = self.cluster.jobs()
            return all(condition(jobs[one]) for one in wanted)

        self.cluster.wait(holds, f"jobs {wanted} to {what}")

    def pass_time(self, seconds: float) -> None:
        """At once, for the controller alone."""
        self.cluster.clock.put_forward(seconds)

    def until_looked_at(self, number: int) -> None:
        """Until the scheduler has had its chance to start a waiting job."""
        since, first = self.cluster.clock.now(), self._passes().main

        def has_looked() -> bool:
            if not self.job(number).waits:
                return True
            # Slurm looks at the queue again only when something has changed.
            self.update(number, f"Comment={time.monotonic()}")
            passes = self._passes()
            if self.backfills:
                return passes.has_backfilled_since(since)
            return passes.main > first + 1

        self.cluster.wait(has_looked, f"the scheduler to look at job {number}")

    def _passes(self) -> Passes:
        return parse_passes(self.cluster.call("sdiag"))

    def order_of_starts(self, names: dict[int, str]) -> str:
        """Names as the jobs started, an equals sign between those that started in one second."""
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
        """Nothing runs and nothing waits."""
        present = [one.id for one in self.cluster.jobs().values() if not one.has_ended]
        if present:
            self.let_go(*present)
            self.until_ended(present)
        self.cluster.wait(self.cluster.is_idle, "the nodes to be idle")
