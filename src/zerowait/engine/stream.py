"""Sources of jobs: a workload's random stream, or a list of jobs.

A stream fills chunks. It depends on the workload and the seed alone, never on the policy
(so policies are compared on common random numbers) nor on the size of the chunks.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Protocol

import numpy as np

from zerowait.engine.arrays import Floats, Ints
from zerowait.engine.loop import Chunk
from zerowait.engine.system import System
from zerowait.model import Draws, Empirical, Jobs, Law, Workload, proportional_demands

# Up to this many classes one pass per class is faster than a search or a sort.
FEW = 12


@dataclass(frozen=True)
class Kinds:
    """The kinds of a stream: its distinct pairs of class and need.

    Without classes of mixed needs, kind and class are the same number.
    """

    class_of: Ints  # per kind
    need_of: Ints  # per kind
    class_demands: Sequence[int] | Sequence[float]  # per class: work, in any unit
    class_services: Floats  # per class: mean service time
    class_laws: Callable[[], Sequence[Law]]  # per class: of the service times, made when asked for

    def system(self, servers: int, n_seats: int) -> System:
        """What a policy is told of a stream of these kinds."""
        pairs = tuple(zip(self.class_of.tolist(), self.need_of.tolist(), strict=True))
        return System(
            servers,
            n_seats,
            self.needs,
            self.class_needs,
            self.class_demands,
            self.class_laws,
            pairs,
        )

    @property
    def needs(self) -> Ints:
        """The distinct needs, smallest first."""
        return np.unique(self.need_of)

    @property
    def class_needs(self) -> Ints:
        """The largest need of each class."""
        largest = np.zeros(len(self.class_demands), np.int64)
        np.maximum.at(largest, self.class_of, self.need_of)
        return largest


class Stream(Protocol):
    """Anything that can fill chunks with jobs in order of arrival."""

    kinds: Kinds
    n_jobs: int

    def fill(self, chunk: Chunk, n: int) -> int:
        """Write the next `n` jobs into `chunk`; fewer only where the stream ends."""


class WorkloadStream:
    """`n_jobs` random jobs of a workload whose arrival rate is decided."""

    def __init__(self, workload: Workload, n_jobs: int, seed: np.random.SeedSequence) -> None:
        self.n_jobs = n_jobs
        n_classes = len(workload.classes)
        classes = np.arange(n_classes)
        self.kinds = Kinds(
            classes,
            workload.needs,
            proportional_demands(workload),
            workload.mean_services,
            lambda: [job_class.service for job_class in workload.classes],
        )
        arrivals, choices, *services = map(np.random.default_rng, seed.spawn(2 + n_classes))
        self._times = workload.arrivals.times(arrivals)
        self._choices = Draws(choices.random)
        self._services = [
            Draws(_sampler(job_class.service, rng))
            for job_class, rng in zip(workload.classes, services, strict=True)
        ]
        # The last bound is left out: whatever is beyond the others is the last class.
        self._bounds = np.cumsum(workload.shares)[:-1] / np.sum(workload.shares)
        self._left = n_jobs

    def fill(self, chunk: Chunk, n: int) -> int:
        arrival = self._times(min(n, self._left))
        n = len(arrival)
        self._left -= n
        chunk.arrival[:n] = arrival
        self._fill_kind(chunk.kind[:n])
        self._fill_service(chunk.service[:n], chunk.kind[:n])
        chunk.estimate[:n] = chunk.service[:n]
        return n

    def _fill_kind(self, kind: Ints) -> None:
        uniform = self._choices.take(len(kind))
        if len(self._services) > FEW:
            kind[:] = np.searchsorted(self._bounds, uniform, side="right")
            return
        kind[:] = 0
        for bound in self._bounds:
            kind += uniform >= bound

    def _fill_service(self, service: Floats, kind: Ints) -> None:
        if len(self._services) > FEW:
            order = np.argsort(kind, kind="stable")
            stops = np.searchsorted(kind[order], np.arange(len(self._services) + 1))
            places = [order[a:b] for a, b in pairwise(stops)]
        else:
            places = [np.flatnonzero(kind == number) for number in range(len(self._services))]
        for draws, where in zip(self._services, places, strict=True):
            service[where] = draws.take(len(where))


class JobStream:
    """A list of jobs, in order of arrival."""

    def __init__(self, jobs: Jobs) -> None:
        self.n_jobs = len(jobs)
        need, service = np.asarray(jobs.need), np.asarray(jobs.service)
        pairs = np.stack([jobs.class_index, need], axis=1)
        distinct, kind = np.unique(pairs, axis=0, return_inverse=True)
        n_classes = len(jobs.class_labels)
        counts = np.bincount(jobs.class_index, minlength=n_classes)
        services = np.bincount(jobs.class_index, weights=service, minlength=n_classes)
        self.kinds = Kinds(
            class_of=distinct[:, 0],
            need_of=distinct[:, 1],
            class_demands=_demands(jobs.class_index, need * service, n_classes),
            class_services=services / counts,
            class_laws=cache(lambda: _empirical_laws(jobs)),
        )
        arrival, estimate = np.asarray(jobs.arrival), np.asarray(jobs.estimate)
        self._columns = (arrival, service, estimate, kind.reshape(-1))
        self._done = 0

    def fill(self, chunk: Chunk, n: int) -> int:
        n = min(n, self.n_jobs - self._done)
        for target, source in zip(chunk, self._columns, strict=False):
            target[:n] = source[self._done : self._done + n]
        self._done += n
        return n


def _demands(job_class: Ints, work: Floats, n_classes: int) -> list[float]:
    """Work per class, added up without rounding errors: the split may hang on the last bit."""
    order = np.argsort(job_class, kind="stable")
    bounds = np.searchsorted(job_class[order], np.arange(n_classes + 1))
    return [math.fsum(work[order[a:b]]) for a, b in pairwise(bounds)]


def _empirical_laws(jobs: Jobs) -> list[Law]:
    """A class's service times are taken for a sample of themselves."""
    service = np.asarray(jobs.service)
    order = np.argsort(jobs.class_index, kind="stable")
    bounds = np.searchsorted(jobs.class_index[order], np.arange(len(jobs.class_labels) + 1))
    return [Empirical(service[order[a:b]]) for a, b in pairwise(bounds)]


def _sampler(law: Law, rng: np.random.Generator) -> Callable[[int], Floats]:
    return lambda size: law.sample(rng, size)
