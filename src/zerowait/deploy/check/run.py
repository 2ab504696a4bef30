"""Play all scenarios that a deployment promises, on one cluster."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from zerowait.deploy.check import order as _order  # noqa: F401  registers its scenarios
from zerowait.deploy.check.bench import Bench
from zerowait.deploy.check.scenario import SCENARIOS, Finding, Scenario
from zerowait.deploy.check.virtual_site import virtual_site
from zerowait.deploy.cluster.cluster import Cluster, SlurmError
from zerowait.deploy.slurm.deployment import Deployment


@dataclass(frozen=True)
class Outcome:
    """One promise: kept, broken, or not tried and why."""

    promise: str
    finding: Finding | None
    skipped: str = ""

    @property
    def holds(self) -> bool:
        return self.finding is None or self.finding.holds


def check(
    deployed: Deployment,
    files: Mapping[str, str],
    progress: Callable[[str], None] = lambda _: None,
) -> Iterator[Outcome]:
    """Each outcome as it is known."""
    virtual = virtual_site(deployed, files)
    wanted = [one for one in SCENARIOS if one.applies(deployed)]
    with Cluster(virtual.setup) as cluster:
        bench = Bench(cluster, deployed, virtual)
        for one in wanted:
            progress(one.promise)
            yield _play(one, bench)


def _play(one: Scenario, bench: Bench) -> Outcome:
    if one.as_other_user and os.getuid() != 0:
        return Outcome(one.promise, None, "needs root, to submit as another user")
    try:
        finding = one.play(bench)
    except SlurmError as error:
        finding = Finding("the scenario runs to its end", str(error))
    bench.clear()
    return Outcome(one.promise, finding)
