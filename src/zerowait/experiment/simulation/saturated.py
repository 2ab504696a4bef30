"""The saturated system by simulation: how fast a policy works when the queue never ends."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from zerowait.engine.run import RunSettings, run
from zerowait.engine.stream import WorkloadStream
from zerowait.experiment.results.job_table import RecordingStream
from zerowait.experiment.statistics.intervals import LEVEL, Interval, student_interval
from zerowait.model import FixedTimes, Workload
from zerowait.model.quantities import refuse, whole
from zerowait.policies import Policy, parse_policy


@dataclass(frozen=True)
class SaturatedRate:
    """The stability limit of FCFS as an arrival rate and as a load, with intervals."""

    rate: Interval
    load: Interval

    def as_dict(self) -> dict[str, Any]:
        return {"rate": vars(self.rate), "load": vars(self.load), "method": "saturated simulation"}


def simulate_saturated(
    workload: Workload,
    servers: int,
    *,
    arrivals: int = 200_000,
    replications: int = 8,
    seed: int = 1,
    progress: Callable[[int], None] | None = None,
) -> SaturatedRate:
    """Estimate the stability limit of FCFS; `arrivals` jobs queue up in each replication."""
    workload.check_fits(servers)
    least = 40 * servers // int(workload.needs.min())
    if whole("arrivals", arrivals) < least:
        raise refuse("arrivals", arrivals, f"fill {servers} servers too few times; give {least}")
    crowd = replace(workload, arrivals=FixedTimes(np.zeros(arrivals)))
    fcfs, options = parse_policy("fcfs"), _seated(arrivals)
    rates = []
    for child in np.random.SeedSequence(whole("seed", seed, least=0)).spawn(
        whole("replications", replications)
    ):
        records = run(WorkloadStream(crowd, arrivals, child), fcfs, servers, options).records
        assert records is not None
        # FCFS starts jobs in order: start times never decrease.
        first, last = arrivals // 5, arrivals - 1
        rates.append((last - first) / float(records.start[last] - records.start[first]))
        if progress is not None:
            progress(arrivals)
    per_rate = workload.demand / servers
    return SaturatedRate(
        student_interval(rates, LEVEL), student_interval([r * per_rate for r in rates], LEVEL)
    )


def saturated_load(
    workload: Workload,
    servers: int,
    policy: Policy,
    *,
    arrivals: int,
    replications: int = 4,
    seed: int = 1,
) -> Interval:
    """The share of the servers that a crowd keeps busy until its last job starts.

    The load at which the queue begins to grow (the saturation rule of Baccelli and Foss, Journal of
    Applied Probability 32, 1995). Work that was served is counted, not work as it is on average, so
    that a crowd that happens to be heavy does not matter. The first fifth, when all servers began
    at once, is left out; not where classes overtake each other, for then it is no different.
    """
    crowd = replace(workload, arrivals=FixedTimes(np.zeros(arrivals)))
    skipped = 0.2 if policy.auxiliary is None else 0.0
    loads = []
    for child in np.random.SeedSequence(seed).spawn(replications):
        stream = RecordingStream(WorkloadStream(crowd, arrivals, child))
        records = run(stream, policy, servers, _seated(arrivals)).records
        assert records is not None
        last = float(records.start.max())
        first = skipped * last
        served = np.minimum(records.end, last) - np.maximum(records.start, first)
        work = float(stream.columns()["need"] @ np.maximum(served, 0.0))
        loads.append(work / (servers * (last - first)))
    return student_interval(loads, LEVEL)


def _seated(crowd: int) -> RunSettings:
    """Return settings with a seat for each job from the start: all are there at once."""
    return RunSettings(records=True, first_seats=crowd)
