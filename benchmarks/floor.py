"""The Figure 1 stream held in arrays, and the hand-written loops run on it."""

import time
from dataclasses import dataclass

import numpy as np

from benchmarks import hand_loops
from zerowait.engine.loop import Chunk
from zerowait.engine.run import Run, RunSettings
from zerowait.engine.stream import JobStream, WorkloadStream
from zerowait.engine.sums import COUNT, N_BUCKETS, N_COUNTS, N_MOMENTS, histogram_origin
from zerowait.model import Jobs, Split, balanced_split, workloads
from zerowait.policies import parse_policy

N_JOBS = 1_000_000
SEATS = 1 << 20


@dataclass(frozen=True)
class Figure1:
    """One million jobs of the critical regime, all arrays at hand."""

    servers: int
    arrival: np.ndarray
    service: np.ndarray
    kind: np.ndarray
    need_of: np.ndarray
    means: np.ndarray
    split: Split

    @classmethod
    def draw(cls, servers: int) -> "Figure1":
        workload = workloads.figure1(servers)
        stream = WorkloadStream(workload, N_JOBS, np.random.SeedSequence(1))
        arrival, service, estimate = (np.zeros(N_JOBS) for _ in range(3))
        kind = np.zeros(N_JOBS, np.int64)
        none = np.zeros(0, np.int64)
        stream.fill(Chunk(arrival, service, estimate, kind, none, none, none), N_JOBS)
        return cls(
            servers, arrival, service, kind, workload.needs.copy(), workload.mean_services.copy(),
            balanced_split(workload, servers),
        )  # fmt: skip

    def bare_fcfs(self) -> float:
        times, completion = np.zeros(N_JOBS), np.zeros(N_JOBS)
        running = np.zeros(N_JOBS, np.int64)
        began = time.perf_counter()
        hand_loops.bare_fcfs(
            self.arrival, self.service, self.kind, self.need_of, self.servers,
            times, running, completion,
        )  # fmt: skip
        spent = time.perf_counter() - began
        assert (completion > 0).all()
        return spent

    def bare_balanced_splitting(self) -> float:
        times, completion = np.zeros(N_JOBS), np.zeros(N_JOBS)
        running, queue, after = (np.full(N_JOBS, -1) for _ in range(3))
        own, started = np.zeros(N_JOBS, bool), np.zeros(N_JOBS, bool)
        head, tail = np.full(4, -1), np.full(4, -1)
        began = time.perf_counter()
        hand_loops.bare_balanced_splitting(
            self.arrival, self.service, self.kind, self.need_of, np.array(self.split.slots),
            self.split.helpers, times, running, completion, own, started, after, head, tail, queue,
        )  # fmt: skip
        spent = time.perf_counter() - began
        assert (completion > 0).all()
        return spent

    def full_fcfs(self) -> float:
        return self._full(hand_loops.full_fcfs, (self.servers,), n_links=2, heads=False)

    def full_balanced_splitting(self) -> float:
        servers = (np.array(self.split.own_servers), self.split.helpers)
        return self._full(hand_loops.full_balanced_splitting, servers, n_links=2, heads=True)

    def _full(self, loop, servers, n_links, heads) -> float:  # type: ignore[no-untyped-def]
        times, running = np.zeros(SEATS), np.zeros(SEATS, np.int64)
        seats = [np.zeros(SEATS), np.zeros(SEATS), *(np.zeros(SEATS, np.int64) for _ in range(4))]
        links = [np.full(SEATS, -1) for _ in range(n_links)]
        if heads:
            links += [np.full(4, -1), np.full(4, -1), np.full(SEATS, -1), np.full(SEATS, -1)]
        counts = np.zeros(4 * N_COUNTS, np.int64)
        histograms = [np.zeros(4 * N_BUCKETS, np.int64) for _ in range(2)]
        statistics = (
            counts, np.zeros(4 * N_MOMENTS), self.means, *histograms, histogram_origin(17.75), 0,
        )  # fmt: skip
        integrals = [
            np.zeros(4, kind) for _ in range(2) for kind in (np.int64, np.float64, np.float64)
        ]
        vacant = np.arange(SEATS)[::-1].copy()
        began = time.perf_counter()
        loop(
            self.arrival, self.service, self.kind, self.need_of, *servers, times, running,
            *seats, vacant, *links, *statistics, *integrals,
        )  # fmt: skip
        spent = time.perf_counter() - began
        assert counts[COUNT::N_COUNTS].sum() == N_JOBS
        return spent

    def kernel(self, policy: str) -> float:
        """The compiled loop alone: the stream already lies in one chunk."""
        need = self.need_of[self.kind]
        stream = JobStream(Jobs(self.arrival, need, self.service, job_class=self.kind))
        run = Run(stream, parse_policy(policy), self.servers, RunSettings(chunk_size=N_JOBS))
        n_jobs = stream.fill(run.chunk, N_JOBS)
        began = time.perf_counter()
        run.consume(n_jobs)
        run.drain()
        spent = time.perf_counter() - began
        assert run.stats.counts[COUNT::N_COUNTS].sum() == N_JOBS
        return spent
