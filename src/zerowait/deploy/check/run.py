"""Play all scenarios that a deployment promises, on one cluster."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module

from zerowait.deploy.check.bench import Bench
from zerowait.deploy.check.scenario import SCENARIOS, Scenario
from zerowait.deploy.check.virtual_site import virtual_site
from zerowait.deploy.cluster.cluster import Cluster, SlurmError
from zerowait.deploy.slurm.deployment import Deployment

# Modules with scenarios, in the order in which they are played.
ROOMS = ("order", "reservations", "splits", "keys", "site_limits")
for _name in ROOMS:
    import_module(f"zerowait.deploy.check.{_name}")


@dataclass(frozen=True)
class Outcome:
    """One promise: kept, broken, or not tried and why."""

    promise: str
    expected: str = ""
    seen: str = ""
    skipped: str = ""

    @property
    def holds(self) -> bool:
        return self.expected == self.seen


def promises_of(deployed: Deployment) -> list[Scenario]:
    return [one for one in SCENARIOS if one.applies(deployed)]


def play_all(
    deployed: Deployment, files: Mapping[str, str], wanted: Sequence[Scenario] | None = None
) -> Iterator[Outcome]:
    """Each outcome as it is known; `files` are those of the deployment's folder."""
    virtual = virtual_site(deployed, files)
    with Cluster(virtual.setup) as cluster:
        bench = Bench(cluster, deployed, virtual)
        for one in promises_of(deployed) if wanted is None else wanted:
            yield _play(one, bench)


def _play(one: Scenario, bench: Bench) -> Outcome:
    if one.as_other_user and os.getuid() != 0:
        return Outcome(one.promise, skipped="needs root, to submit as another user")
    try:
        finding = one.play(bench)
        outcome = Outcome(one.promise, finding.expected, finding.seen)
    except SlurmError as error:
        outcome = Outcome(one.promise, "the scenario runs to its end", str(error))
    bench.clear()
    return outcome
