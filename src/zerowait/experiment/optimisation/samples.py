"""What candidates are tried on: streams of a workload, or weeks of a log.

A sample is small to send to another process and draws its jobs there; all candidates see the same
jobs (common random numbers).
"""

import copy
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any

import numpy as np

from zerowait.engine.loop import Chunk
from zerowait.engine.stream import JobStream, Kinds, Stream, WorkloadStream
from zerowait.experiment.optimisation.space import Cut, Ground
from zerowait.experiment.options import BOUND_S
from zerowait.experiment.results.job_table import RecordingStream
from zerowait.experiment.statistics.weeks import week_numbers
from zerowait.experiment.sweeps.points import described
from zerowait.model import Jobs, Workload
from zerowait.model.quantities import Floats, Ints

DRAWN = 8  # replications that a process keeps
CHUNK = 1 << 15


@dataclass(frozen=True, eq=False)
class Drawn:
    """The jobs of a sample."""

    arrival: Floats
    need: Ints
    service: Floats
    estimate: Floats
    index: Ints  # per job: the class that it is counted in
    first: int  # job that counts; those before warm the system up
    kinds: Kinds | None = None  # of a workload; those of a log are its own jobs'

    @cached_property
    def week(self) -> Ints:
        """Return the week of each job that counts; it is the same for all candidates."""
        return week_numbers(self.arrival[self.first :])

    @cached_property
    def _stream(self) -> Stream:
        if self.kinds is None:
            return JobStream(self._jobs(self.index))
        columns = (self.arrival, self.service, self.estimate, self.index)
        return KnownStream(self.kinds, columns)

    def _jobs(self, labels: Ints) -> Jobs:
        return Jobs(self.arrival, self.need, self.service, labels, self.estimate)

    def stream(self, cut: Cut | None) -> Stream:
        """A fresh stream of the jobs, their classes cut or not."""
        if cut is not None:
            return JobStream(self._jobs(self.classes(cut)))
        return copy.copy(self._stream)

    def classes(self, cut: Cut | None) -> Ints:
        """Return for each job the class that policies know it by."""
        return self.index if cut is None else cut.classes(self.index, self.need, self.estimate)

    def ground(self, servers: int, cut: Cut | None, in_seconds: bool) -> Ground:
        found = self._uncut if cut is None else self._ground(self.classes(cut), cut.n_classes)
        return replace(found, servers=servers, in_seconds=in_seconds)

    @cached_property
    def _uncut(self) -> Ground:
        """Is asked for with every point that a search looks at."""
        return self._ground(self.index, int(self.index.max()) + 1)

    def _ground(self, index: Ints, n: int) -> Ground:
        needs = np.ones(n, np.int64)
        np.maximum.at(needs, index, self.need)
        counts = np.maximum(np.bincount(index, minlength=n), 1)
        return Ground(
            0,
            needs.tolist(),
            np.bincount(index, self.need * self.service, n).tolist(),
            (np.bincount(index, self.service, n) / counts).tolist(),
            float(self.service.mean()),
        )


class KnownStream:
    """Jobs that were drawn before, kind by kind."""

    def __init__(self, kinds: Kinds, columns: tuple[Any, ...]) -> None:
        self.kinds, self.n_jobs = kinds, len(columns[0])
        self._columns, self._done = columns, 0

    def fill(self, chunk: Chunk, n: int) -> int:
        n = min(n, self.n_jobs - self._done)
        for target, source in zip(chunk, self._columns, strict=False):
            target[:n] = source[self._done : self._done + n]
        self._done += n
        return n


@dataclass(frozen=True, eq=False)
class SampledStream:
    """One stream of a workload whose arrival rate is decided."""

    key: str
    workload: Workload
    arrivals: int
    seed: int
    number: int
    warmup: float  # share of the arrivals

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SampledStream) and self.key == other.key

    @property
    def drawn(self) -> Drawn:
        return _draw(self)

    def draw(self) -> Drawn:
        seed = np.random.SeedSequence(self.seed, spawn_key=(self.number,))
        stream = RecordingStream(WorkloadStream(self.workload, self.arrivals, seed))
        times = np.zeros((3, CHUNK))
        none = np.zeros(0, np.int64)
        chunk = Chunk(times[0], times[1], times[2], np.zeros(CHUNK, np.int64), none, none, none)
        left = self.arrivals
        while left:
            left -= stream.fill(chunk, min(CHUNK, left))
        found = stream.columns()
        return Drawn(
            found["arrival"],
            found["need"],
            found["service"],
            stream.estimate,
            found["job_class"],
            int(self.warmup * self.arrivals),
            stream.kinds,
        )


@dataclass(frozen=True, eq=False)
class JobList:
    """Jobs of a log, and the class that each is counted in."""

    jobs: Jobs
    index: Ints

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out what is cached: it is made again faster than it is sent."""
        return JobList, (self.jobs, self.index)

    @cached_property
    def drawn(self) -> Drawn:
        jobs = self.jobs
        return Drawn(
            np.asarray(jobs.arrival, dtype=np.float64),
            np.asarray(jobs.need, dtype=np.int64),
            np.asarray(jobs.service, dtype=np.float64),
            np.asarray(jobs.estimate, dtype=np.float64),
            self.index,
            0,
        )


@dataclass(frozen=True, eq=False)
class Sample:
    """Jobs to run; two samples with the same key have the same."""

    key: str
    names: tuple[str, ...]  # of the classes that are counted
    n_jobs: int
    source: SampledStream | JobList
    bound: float = 0.0  # shortest service for bounded slowdown; 0: not measured
    in_seconds: bool = False

    def drawn(self) -> Drawn:
        return self.source.drawn

    def ground(self, servers: int, cut: Cut | None = None) -> Ground:
        return self.drawn().ground(servers, cut, self.in_seconds)


@lru_cache(maxsize=DRAWN)
def _draw(source: SampledStream) -> Drawn:
    return source.draw()


def replication(workload: Workload, arrivals: int, seed: int, number: int, warmup: float) -> Sample:
    known = [described(workload), arrivals, seed, number, warmup]
    key = sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:20]
    source = SampledStream(key, workload, arrivals, seed, number, warmup)
    return Sample(key, tuple(workload.class_names), arrivals, source)


def log_sample(jobs: Jobs, index: Ints, names: Sequence[str], bound: float = BOUND_S) -> Sample:
    digest = sha256(repr((tuple(names), bound)).encode())
    for part in (jobs.arrival, jobs.need, jobs.service, jobs.estimate, index):
        digest.update(np.ascontiguousarray(part).tobytes())
    source = JobList(jobs, index)
    return Sample(digest.hexdigest()[:20], tuple(names), len(jobs), source, bound, in_seconds=True)
