"""Sums by batch of arrival, against the single jobs."""

from itertools import pairwise

import numpy as np
import pytest

import zerowait as zw
from zerowait.engine.batches import batch_shifts
from zerowait.engine.loop import Chunk
from zerowait.engine.run import Outcome, RunSettings, run
from zerowait.engine.stream import WorkloadStream
from zerowait.engine.sums import COUNT, ONE_BATCH, WAITED
from zerowait.model.quantities import Floats
from zerowait.policies import parse_policy

N = 5000


def outcome(policy: str, jit: bool = True, **options: int) -> Outcome:
    workload = zw.workloads.figure1(256)
    stream = WorkloadStream(workload, N, np.random.SeedSequence(3))
    return run(stream, parse_policy(policy), 256, RunSettings(records=True, jit=jit, **options))


@pytest.mark.parametrize("policy", ["bs:fcfs", "server-filling"])
@pytest.mark.parametrize("warmup", [0, 700])
def test_batches_are_sums_over_their_arrivals(policy: str, warmup: int) -> None:
    found = outcome(policy, warmup=warmup, batches=64)
    records, batches = found.records, found.batches
    assert records is not None
    size = 128  # the power of two that makes at most 64 batches
    assert len(batches) == -(-(N - warmup) // size)
    arrival = arrivals()
    for number in range(len(batches)):
        own = slice(warmup + number * size, min(warmup + (number + 1) * size, N))
        response = records.end[own] - arrival[own]
        counts = batches.counts[number, :, COUNT]
        sums = batches.moments[number, :, 0, 0] + batches.pivots[:, 0] * counts
        assert counts.sum() == len(response)
        assert batches.counts[number, :, WAITED].sum() == (records.start > arrival)[own].sum()
        assert sums.sum() == pytest.approx(response.sum(), rel=1e-12)
    # Time averages between the last arrivals of neighbouring batches.
    edges = [arrival[max(warmup - 1, 0)], *arrival[warmup + size - 1 : N : size], arrival[-1]]
    edges = edges[: len(batches) + 1]
    for number, (low, high) in enumerate(pairwise(edges)):
        overlap = np.minimum(records.end, high) - np.maximum(arrival, low)
        area = np.maximum(overlap, 0).sum()
        assert batches.in_system[number] * (high - low) == pytest.approx(area, rel=1e-9)


def arrivals() -> Floats:
    arrival, service, estimate = np.zeros(N), np.zeros(N), np.zeros(N)
    kind, none = np.zeros(N, np.int64), np.zeros(0, np.int64)
    stream = WorkloadStream(zw.workloads.figure1(256), N, np.random.SeedSequence(3))
    stream.fill(Chunk(arrival, service, estimate, kind, none, none, none), N)
    return arrival


def test_batches_change_no_job_and_no_count() -> None:
    one, many = outcome("bs:fcfs", warmup=500), outcome("bs:fcfs", warmup=500, batches=256)
    assert one.records is not None
    assert many.records is not None
    assert np.array_equal(one.records.end, many.records.end)
    assert np.array_equal(one.tally.counts, many.tally.counts)
    assert np.array_equal(one.tally.wait_histogram, many.tally.wait_histogram)
    assert np.array_equal(one.tally.busy_area, many.tally.busy_area)
    assert one.tally.moments == pytest.approx(many.tally.moments, rel=1e-12)
    slow = outcome("bs:fcfs", jit=False, warmup=500, batches=256)
    assert np.array_equal(slow.batches.moments, many.batches.moments)
    assert np.array_equal(slow.batches.busy_area, many.batches.busy_area)


def test_memory_is_bounded_for_many_classes() -> None:
    for n_jobs, n_classes in ((1_000_000, 4), (1_000_000, 1000), (10**9, 50), (100, 2), (1, 1)):
        shift, block_shift = batch_shifts(n_jobs, n_classes, 256)
        n_batches, n_blocks = -(-n_jobs >> shift), -(-n_jobs >> block_shift)
        assert n_batches * n_classes <= max(1 << 16, 32 * n_classes)
        assert n_blocks * n_classes <= max(1 << 10, 2 * n_classes)
        assert block_shift > shift
    assert batch_shifts(1000, 4, 1) == (ONE_BATCH, ONE_BATCH)
