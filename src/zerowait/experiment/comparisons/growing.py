"""A comparison that grows: what is known after each replication; the last is `compare`."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from zerowait.engine.statistics.tally import Tally, merge
from zerowait.experiment.comparisons.compare import Comparison, put_together
from zerowait.experiment.simulation.cores import n_threads
from zerowait.experiment.simulation.replications import Execution, Replication, run_replications
from zerowait.experiment.simulation.setup import Setup
from zerowait.experiment.simulation.summarise import summarise
from zerowait.policies import Policy


@dataclass(frozen=True)
class Growth:
    """The comparison over the first replications, and each policy's sums over them."""

    comparison: Comparison
    tallies: tuple[Tally, ...]  # per policy
    replications: int


def growing(
    setup: Setup, policies: Sequence[Policy], baseline: int, how: Execution
) -> Iterator[Growth]:
    """After each replication of all policies; the last is what `compare` gives for this setup."""
    runs: list[list[Replication]] = [[] for _ in policies]
    with ThreadPoolExecutor(min(len(policies), n_threads(how.threads))) as pool:
        for number in range(setup.replications):
            one = range(number, number + 1)
            futures = [pool.submit(run_replications, setup, each, one, how) for each in policies]
            found = [future.result() for future in futures]
            for known, new in zip(runs, found, strict=True):
                known += new
            so_far = replace(setup, replications=number + 1)
            results = [summarise(so_far, *each) for each in zip(policies, runs, strict=True)]
            tallies = tuple(merge([run.tally for run in known]) for known in runs)
            yield Growth(put_together(so_far, baseline, runs, results), tallies, number + 1)
