"""What a movie is played on: the servers, and the same few jobs for every policy."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from zerowait.engine.loop import Chunk
from zerowait.engine.stream import JobStream, Kinds, Stream, WorkloadStream
from zerowait.experiment.checks import price_of
from zerowait.experiment.files.workload_file import AnyWorkload, find_workload
from zerowait.experiment.options import ReplayOptions, SimulationOptions
from zerowait.experiment.simulation.log_setup import set_up_log
from zerowait.experiment.simulation.workload_setup import set_up_workload
from zerowait.model import Jobs
from zerowait.model.quantities import refuse, whole
from zerowait.traces.reading import Trace, log_of

MOST_SERVERS = 4096  # more are no picture
MOST_JOBS = 200  # more are no story


@dataclass(frozen=True)
class Stage:
    """Servers, and a stream of jobs that starts anew for each policy."""

    servers: int
    stream: Callable[[], Stream]
    class_names: tuple[str, ...]
    job_names: tuple[str, ...]  # in stream order
    price: tuple[float, float] = (0.0, 0.0)  # of a pause: a time, and a share of what is attained
    unit: str = ""  # of time: "s" for logs; of workloads as they define it
    origin: float = 0.0  # the time that is told as zero


def workload_stage(
    workload: AnyWorkload,
    servers: int,
    *,
    load: float | None = None,
    arrival_rate: float | None = None,
    jobs: int = 60,
    seed: int = 1,
    preemption_cost: str | float = "0",
    allow_unstable: bool = False,
) -> Stage:
    """The first jobs of a workload, as the first replication of `simulate` draws them."""
    options = SimulationOptions(
        load=load, arrival_rate=arrival_rate, arrivals=_few(jobs), seed=seed, replications=1,
        preemption_cost=preemption_cost, allow_unstable=allow_unstable,
    )  # fmt: skip
    setup = set_up_workload(find_workload(workload, _small(servers)), servers, options)
    # A generator of random numbers is used up by its draws: each stream gets a new one.
    return Stage(
        servers,
        lambda: WorkloadStream(
            setup.workload, jobs, np.random.SeedSequence(seed, spawn_key=(0,)), jit=False
        ),
        tuple(setup.workload.class_names),
        _numbered(jobs),
        price_of(str(preemption_cost)),
    )


def log_stage(
    trace: Trace,
    servers: int | None = None,
    *,
    first: int = 0,
    jobs: int = MOST_JOBS,
    **options: Any,
) -> Stage:
    """Jobs of a log that follow each other, from an empty cluster, with the options of `replay`.

    Classes and the balanced split are those of the whole log; times are its own.
    """
    chosen = ReplayOptions(**options)
    ready = set_up_log(log_of(trace, "movie"), servers, chosen)
    if not 0 <= first < len(ready.jobs):
        raise refuse("first", first, f"must be a job from 0 to {len(ready.jobs) - 1}")
    n_jobs = min(_few(jobs), len(ready.jobs) - first)
    part = slice(first, first + n_jobs)
    names = _numbered(n_jobs) if ready.jobs.id is None else tuple(map(str, ready.jobs.id[part]))
    return Stage(
        _small(ready.servers),
        lambda: LogStretch(ready.jobs, first, n_jobs),
        tuple(ready.names),
        names,
        price_of(str(chosen.preemption_cost)),
        unit="s",
        origin=float(ready.jobs.arrival[first]),
    )


class LogStretch:
    """Some jobs of a list, in the classes of the whole."""

    def __init__(self, jobs: Jobs, first: int, n_jobs: int) -> None:
        self._stream = JobStream(jobs)
        self.kinds: Kinds = self._stream.kinds
        self.n_jobs = n_jobs
        self._left = n_jobs
        self._stream.fill(_room_for(first), first)

    def fill(self, chunk: Chunk, n: int) -> int:
        n = self._stream.fill(chunk, min(n, self._left))
        self._left -= n
        return n


def _room_for(n: int) -> Chunk:
    none = np.zeros(0, np.int64)
    times = (np.zeros(n), np.zeros(n), np.zeros(n))
    return Chunk(*times, np.zeros(n, np.int64), none, none, none)


def _numbered(n_jobs: int) -> tuple[str, ...]:
    return tuple(str(number + 1) for number in range(n_jobs))


def _few(jobs: int) -> int:
    return whole("jobs", jobs, most=MOST_JOBS)


def _small(servers: int) -> int:
    return whole("servers", servers, most=MOST_SERVERS)
