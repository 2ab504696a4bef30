"""What candidates are tried on: streams of a workload, or weeks of a log.

A sample is small to send to another process and draws its jobs there; all candidates see the same
jobs (common random numbers).
"""

import copy
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerowait.engine.loop import Chunk
from zerowait.engine.stream import JobStream, Kinds, Stream, WorkloadStream
from zerowait.experiment.optimisation.space import Cut, Ground
from zerowait.experiment.options import BOUND_S
from zerowait.experiment.results.single_jobs import RecordingStream
from zerowait.experiment.statistics.samples import week_numbers
from zerowait.experiment.sweeps.points import described
from zerowait.model import InputError, Jobs, Workload
from zerowait.model.jobs import Selection, apply_overruns
from zerowait.model.quantities import WEEK_S, Floats, Ints, whole
from zerowait.traces.classes import group
from zerowait.traces.log import Log

DRAWN = 8  # replications that a process keeps
CHUNK = 1 << 15
BUSIER, QUIETER = 0.95, 1.05  # what gaps between arrivals are multiplied by
ORDERS_OF_WEEKS = 2
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Drawn:
    """The jobs of a sample."""

    jobs: Jobs  # in the classes that they are counted in, by number
    first: int = 0  # job that counts; those before warm the system up
    kinds: Kinds | None = None  # of a workload; those of a log are its own jobs'

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out what is cached: it is made again faster than it is sent."""
        return Drawn, (self.jobs, self.first, self.kinds)

    @property
    def arrival(self) -> Floats:
        return np.asarray(self.jobs.arrival)

    @property
    def need(self) -> Ints:
        return np.asarray(self.jobs.need)

    @property
    def service(self) -> Floats:
        return np.asarray(self.jobs.service)

    @property
    def estimate(self) -> Floats:
        return np.asarray(self.jobs.estimate)

    @property
    def index(self) -> Ints:
        """Return for each job the class that it is counted in."""
        return np.asarray(self.jobs.job_class)

    @cached_property
    def week(self) -> Ints:
        """Return the week of each job that counts; it is the same for all candidates."""
        return week_numbers(self.arrival[self.first :])

    @cached_property
    def _stream(self) -> Stream:
        return JobStream(self.jobs, self.kinds)

    def stream(self, cut: Cut | None) -> Stream:
        """Return a fresh stream of the jobs, their classes cut or not."""
        if cut is not None:
            return JobStream(self.jobs.with_columns(job_class=self.classes(cut)))
        return copy.copy(self._stream)

    def classes(self, cut: Cut | None) -> Ints:
        """Return for each job the class that policies know it by."""
        return self.index if cut is None else cut.classes(self.index, self.need, self.estimate)

    @cached_property
    def uncut(self) -> Ground:
        """Return the ground of the classes as they are, which every point of a search asks for."""
        return self.ground(self.index, int(self.index.max()) + 1)

    def ground(self, index: Ints, n: int) -> Ground:
        """Return the ground of so many classes, given the class of each job."""
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


@dataclass(frozen=True)
class SampledStream:
    """One stream of a workload whose arrival rate is decided."""

    key: str
    workload: Workload = field(compare=False)  # the key tells workloads apart
    arrivals: int
    seed: int
    number: int
    warmup: float  # share of the arrivals


@lru_cache(maxsize=DRAWN)
def draw_sample(source: SampledStream) -> Drawn:
    """Draw all jobs of a stream."""
    seed = np.random.SeedSequence(source.seed, spawn_key=(source.number,))
    stream = RecordingStream(WorkloadStream(source.workload, source.arrivals, seed))
    times = np.zeros((3, CHUNK))
    none = np.zeros(0, np.int64)
    chunk = Chunk(times[0], times[1], times[2], np.zeros(CHUNK, np.int64), none, none, none)
    left = source.arrivals
    while left:
        left -= stream.fill(chunk, min(CHUNK, left))
    jobs = Jobs(**stream.columns(), estimate=stream.estimate)
    return Drawn(jobs, int(source.warmup * source.arrivals), stream.kinds)


@dataclass(frozen=True, eq=False)
class Sample:
    """Jobs to run; two samples with the same key have the same."""

    key: str
    names: tuple[str, ...]  # of the classes that are counted
    n_jobs: int
    source: SampledStream | Drawn
    bound: float = 0.0  # shortest service for bounded slowdown; 0: no log, and not in seconds

    def drawn(self) -> Drawn:
        return self.source if isinstance(self.source, Drawn) else draw_sample(self.source)

    def ground(self, servers: int, cut: Cut | None = None) -> Ground:
        drawn = self.drawn()
        found = drawn.uncut if cut is None else drawn.ground(drawn.classes(cut), cut.n_classes)
        return replace(found, servers=servers, in_seconds=self.bound > 0)

    def part(self, which: Selection) -> "Sample":
        """Return some of the jobs of a log."""
        return log_sample(self.drawn().jobs.select(which), self.names)

    def moved_to(self, arrival: Floats) -> "Sample":
        """Return the same jobs of a log at other times of arrival."""
        return log_sample(self.drawn().jobs.moved_to(arrival), self.names)


def replication(workload: Workload, arrivals: int, seed: int, number: int, warmup: float) -> Sample:
    known = [described(workload), arrivals, seed, number, warmup]
    key = sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:20]
    source = SampledStream(key, workload, arrivals, seed, number, warmup)
    return Sample(key, tuple(workload.class_names), arrivals, source)


def log_sample(jobs: Jobs, names: Sequence[str]) -> Sample:
    """Return jobs in classes by number as a sample; `names` are those of the classes."""
    digest = sha256(repr((tuple(names), BOUND_S)).encode())
    for part in (jobs.arrival, jobs.need, jobs.service, jobs.estimate, jobs.job_class):
        digest.update(np.ascontiguousarray(part).tobytes())
    return Sample(digest.hexdigest()[:20], tuple(names), len(jobs), Drawn(jobs), BOUND_S)


@dataclass(frozen=True, eq=False)
class LogJobs:
    """The jobs of a log as policies see them, in classes by need."""

    sample: Sample  # all of them
    kept: Mask  # per job of the log: is it among them?
    overran: int  # jobs that ran longer than estimated

    @property
    def names(self) -> tuple[str, ...]:
        return self.sample.names

    @property
    def drawn(self) -> Drawn:
        return self.sample.drawn()

    def halves(self) -> tuple[Mask, Mask]:
        """Return who arrives before, and who after the middle of the time of the log."""
        arrival = self.drawn.arrival
        first = arrival < (arrival[0] + arrival[-1]) / 2
        if first.all() or not first.any():
            raise InputError("jobs: all arrive at one instant; a log has no two halves then")
        return first, ~first


def log_jobs(log: Log, servers: int, classes: str = "auto", overruns: str = "extend") -> LogJobs:
    """Return the jobs that fit the servers, with overruns dealt with, grouped by need."""
    kept = np.asarray(log.jobs.need) <= whole("servers", servers)
    if not kept.any():
        raise InputError(f"{log.path}: every job needs more than the {servers} servers; give more")
    jobs, overran = apply_overruns(log.jobs.select(kept), overruns)
    grouped = group(jobs, classes)
    counted = Jobs(jobs.arrival, jobs.need, jobs.service, grouped.index, jobs.estimate)
    return LogJobs(log_sample(counted, grouped.names), kept, overran)


def variants(sample: Sample, seed: int) -> list[Sample]:
    """Return a part of a log as it was, a little busier, a little quieter, and with its weeks in
    other orders: what a choice must stand, so that it does not hang on one coincidence."""
    arrival = sample.drawn().arrival
    since = arrival - arrival[0]
    others = [sample.moved_to(arrival[0] + since * factor) for factor in (BUSIER, QUIETER)]
    return [sample, *others, *reordered(sample, seed, ORDERS_OF_WEEKS)]


def reordered(sample: Sample, seed: int, n: int) -> list[Sample]:
    """Return a part of a log with its weeks in other orders."""
    arrival = sample.drawn().arrival
    week = week_numbers(arrival)
    rng = np.random.default_rng(seed)
    places = [rng.permutation(int(week[-1]) + 1) for _ in range(n if week[-1] > 0 else 0)]
    return [sample.moved_to(arrival + (place[week] - week) * WEEK_S) for place in places]
