"""Sources of jobs: a workload's random stream, or a list of jobs.

NumPy would do it with masks, a few passes per class, and hold the interpreter's lock meanwhile.

A stream fills chunks. It depends on the workload and the seed alone, never on the policy
(so policies are compared on common random numbers) nor on the size of the chunks.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from typing import Protocol

import numpy as np

from zerowait.engine.compile import compile_function
from zerowait.engine.loop import Chunk
from zerowait.engine.policy import System
from zerowait.model import (
    Deterministic,
    Draws,
    Empirical,
    Jobs,
    Law,
    Workload,
    proportional_demands,
)
from zerowait.model.quantities import Floats, Ints


def choose_kinds(uniform: Floats, bounds: Floats, kind: Ints, counts: Ints) -> None:
    """Choose the kind of each job: the number of `bounds` that its uniform number reaches."""
    n_bounds = bounds.shape[0]
    for one in range(counts.shape[0]):
        counts[one] = 0
    for job in range(kind.shape[0]):
        low = 0
        high = n_bounds
        while low < high:
            middle = (low + high) // 2
            if uniform[job] >= bounds[middle]:
                low = middle + 1
            else:
                high = middle
        kind[job] = low
        counts[low] += 1


def deal_services(kind: Ints, pool: Floats, begin: Ints, service: Floats) -> None:
    """Give each job the next service time of its kind; those of a kind lie together in `pool`."""
    for job in range(kind.shape[0]):
        at = begin[kind[job]]
        service[job] = pool[at]
        begin[kind[job]] = at + 1


EXACT = Deterministic(1.0)  # of a class without overestimation, beside others


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
        """Return what a policy is told of a stream of these kinds."""
        pairs = tuple(zip(self.class_of.tolist(), self.need_of.tolist(), strict=True))
        return System(
            servers,
            n_seats,
            self.needs,
            self.class_needs,
            self.class_demands,
            self.class_services,
            self.class_laws,
            pairs,
        )

    @property
    def needs(self) -> Ints:
        """Return the distinct needs, smallest first."""
        return np.unique(self.need_of)

    @property
    def class_needs(self) -> Ints:
        """Return the largest need of each class."""
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

    def __init__(
        self, workload: Workload, n_jobs: int, seed: np.random.SeedSequence, *, jit: bool = True
    ) -> None:
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
        # Generators of overestimation come last: the others are the same with them and without.
        over = [job_class.overestimation for job_class in workload.classes]
        n_over = n_classes if any(over) else 0
        generators = map(np.random.default_rng, seed.spawn(2 + n_classes + n_over))
        arrivals, choices, *of_classes = generators
        services, ratios = of_classes[:n_classes], of_classes[n_classes:]
        self._times = workload.arrivals.times(arrivals)
        self._choices = Draws(choices.random)
        self._services = [
            Draws(partial(job_class.service.sample, rng))
            for job_class, rng in zip(workload.classes, services, strict=True)
        ]
        self._ratios = [
            Draws(partial((law or EXACT).sample, rng))
            for law, rng in zip(over, ratios, strict=False)
        ]
        # The last bound is left out: whatever is beyond the others is the last class.
        self._bounds = np.cumsum(workload.shares)[:-1] / np.sum(workload.shares)
        self._left = n_jobs
        self._counts = np.zeros(n_classes, np.int64)  # of a chunk, per class
        self._pool = np.zeros(0)  # values of a chunk, class by class
        self._choose = compile_function(choose_kinds, jit=jit)
        self._deal = compile_function(deal_services, jit=jit)

    def fill(self, chunk: Chunk, n: int) -> int:
        arrival = self._times(min(n, self._left))
        n = len(arrival)
        self._left -= n
        chunk.arrival[:n] = arrival
        if n > len(self._pool):
            self._pool = np.zeros(len(chunk.arrival))
        self._choose(self._choices.take(n), self._bounds, chunk.kind[:n], self._counts)
        self._fill_from(self._services, chunk.service[:n], chunk.kind[:n])
        self._fill_estimate(chunk.estimate[:n], chunk.service[:n], chunk.kind[:n])
        return n

    def _fill_estimate(self, estimate: Floats, service: Floats, kind: Ints) -> None:
        estimate[:] = service
        if self._ratios:
            ratio = np.empty(len(service))
            self._fill_from(self._ratios, ratio, kind)
            # Nothing outlasts its announcement: a site would end it there.
            estimate *= np.maximum(ratio, 1.0)

    def _fill_from(self, sources: Sequence[Draws], values: Floats, kind: Ints) -> None:
        """Draw as many values of each class as it has jobs here, and deal them out."""
        begin = np.append(0, np.cumsum(self._counts))
        for draws, first, end in zip(sources, begin, begin[1:], strict=False):
            self._pool[first:end] = draws.take(int(end - first))
        self._deal(kind, self._pool, begin[:-1], values)


class JobStream:
    """A list of jobs, in order of arrival.

    Jobs that were drawn from a workload keep its `kinds`, whose numbers are then their classes.
    """

    def __init__(self, jobs: Jobs, kinds: Kinds | None = None) -> None:
        self.n_jobs, self._done = len(jobs), 0
        self.kinds, kind = (kinds, jobs.job_class) if kinds is not None else _kinds_of(jobs)
        columns = (jobs.arrival, jobs.service, jobs.estimate, kind)
        self._columns = tuple(map(np.asarray, columns))

    def fill(self, chunk: Chunk, n: int) -> int:
        n = min(n, self.n_jobs - self._done)
        for target, source in zip(chunk, self._columns, strict=False):
            target[:n] = source[self._done : self._done + n]
        self._done += n
        return n


def _kinds_of(jobs: Jobs) -> tuple[Kinds, Ints]:
    """Return the kinds of a list of jobs, and the kind of each."""
    need, service = np.asarray(jobs.need), np.asarray(jobs.service)
    needs, rank = np.unique(need, return_inverse=True)
    # One number per pair of class and need, in the order of the pairs: these sort fast.
    distinct, kind = np.unique(jobs.class_index * len(needs) + rank, return_inverse=True)
    n_classes = len(jobs.class_labels)
    counts = np.bincount(jobs.class_index, minlength=n_classes)
    services = np.bincount(jobs.class_index, weights=service, minlength=n_classes)
    kinds = Kinds(
        class_of=distinct // len(needs),
        need_of=needs[distinct % len(needs)],
        class_demands=_demands(jobs.class_index, need * service, n_classes),
        class_services=services / counts,
        class_laws=cache(lambda: _empirical_laws(jobs)),
    )
    return kinds, kind


def _demands(job_class: Ints, work: Floats, n_classes: int) -> list[float]:
    """Sum up the work per class without rounding errors: the split may hang on the last bit."""
    order = np.argsort(job_class, kind="stable")
    bounds = np.searchsorted(job_class[order], np.arange(n_classes + 1))
    return [math.fsum(work[order[a:b]]) for a, b in pairwise(bounds)]


def _empirical_laws(jobs: Jobs) -> list[Law]:
    """Return each class's service times as a sample of themselves."""
    service = np.asarray(jobs.service)
    order = np.argsort(jobs.class_index, kind="stable")
    bounds = np.searchsorted(jobs.class_index[order], np.arange(len(jobs.class_labels) + 1))
    return [Empirical(service[order[a:b]]) for a, b in pairwise(bounds)]
