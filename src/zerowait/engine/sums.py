"""What the kernel adds up while it runs: everything per batch and class, in constant memory.

A batch is a stretch of the stream of 2^batch_shift arrivals, the first starting at the first job
that is counted. A job adds to the batch that it arrived in, whenever it ends. Histograms are kept
for blocks of several batches.

A histogram counts times in buckets of equal relative width: an octave cut into 64 equal parts, so
that the middle of a bucket is within 0.8% of every time in it. The octaves run from 2^-32 to 2^32
times the unit, a power of two near the mean service time; bucket 0 holds what is below (zero waits
above all), the last what is beyond.

A bucket is an octave cut into 64 equal parts, so its middle is within 0.8% of every time
in it. The octaves run from 2^-32 to 2^32 times the unit, a power of two near the mean
service time; bucket 0 holds what is below (zero waits above all), the last what is beyond.
"""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from zerowait.engine.kernel import called
from zerowait.engine.seats import ROUTED, SERVED, Seats
from zerowait.model.quantities import Floats, Ints

PARTS_BITS = 6
PARTS = 1 << PARTS_BITS
OCTAVES = 64
N_BUCKETS = OCTAVES * PARTS + 1


def histogram_origin(unit: float) -> int:
    """Return what to subtract from a time's leading bits to get its bucket."""
    exponent = math.frexp(unit)[1] if unit > 0 else 0
    lowest = math.ldexp(1.0, max(exponent - OCTAVES // 2, -1000))
    return leading_bits(lowest) - 1


def leading_bits(time: float) -> Any:
    """Return exponent and first bits of the fraction: ordered as the times are, 64 to an octave."""
    return np.float64(time).view(np.int64) >> (52 - PARTS_BITS)


def time_bucket(time: float, origin: int) -> Any:
    return min(max(leading_bits(time) - origin, 0), N_BUCKETS - 1)


def bucket_edges(origin: int) -> Floats:
    """Return the lower edge of each bucket, and the upper edge of the last."""
    bits = np.arange(origin, origin + N_BUCKETS + 1, dtype=np.int64) << (52 - PARTS_BITS)
    edges = bits.view(np.float64).copy()
    edges[0] = 0.0
    return edges


@cache
def bucket_middles(origin: int) -> Floats:
    """Return what stands for the times of each bucket; zero for the first."""
    edges = bucket_edges(origin)
    middles: Floats = (edges[:-1] + edges[1:]) / 2
    middles[0] = 0.0
    middles.flags.writeable = False
    return middles


def quantile(counts: Ints, origin: int, probability: float, maximum: float) -> float:
    """Return the time below which a share `probability` of the counted times lie (nearest rank)."""
    found = quantiles(counts[None, :], origin, (probability,), np.array([maximum]))
    return float(found[0, 0])


def quantiles(counts: Ints, origin: int, probabilities: Sequence[float], maxima: Floats) -> Floats:
    """Return probability x row of histograms (row x bucket); NaN for those without a count."""
    levels = np.asarray(probabilities)
    middles = bucket_middles(origin)
    found = np.full((len(levels), len(counts)), np.nan)
    for row, running in enumerate(np.cumsum(counts, axis=1)):
        if total := running[-1]:
            ranks = np.maximum(np.ceil(levels * total), 1)
            found[:, row] = np.minimum(middles[np.searchsorted(running, ranks)], maxima[row])
    return found


# Columns of `counts`, a row of N_COUNTS per batch and class.
COUNT, WAITED, ROUTED_TO_HELPERS, SERVED_BY_HELPERS, PREEMPTIONS = range(5)
N_COUNTS = 8

# Columns of `moments`, a row of N_MOMENTS per batch and class: sum, sum of squares and maximum of
# each.
RESPONSE, WAIT, SLOWDOWN, BOUNDED_SLOWDOWN, LOST = 0, 3, 6, 9, 12
N_MOMENTS = 15

ONE_BATCH = 62  # a shift that no stream is long enough for

# Entries of `counting`, in one array because a kernel has few registers: jobs before the first are
# warm-up, jobs from the end on are cool-down; bits of a batch and of the batches of a block; the
# origin of the histograms; batches that have ended, and how many jobs have come when the next does.
FIRST_COUNTED, END_COUNTED, BATCH_SHIFT, BLOCK_BITS, ORIGIN, N_ENDED, NEXT_END = range(7)


class Statistics(NamedTuple):
    """Sums over counted jobs, time integrals, and the records of single jobs if asked for."""

    counts: Ints
    moments: Floats
    pivot: Floats  # per class: subtracted from responses, so that squares keep their digits
    response_histogram: Ints  # per block and class, N_BUCKETS each
    wait_histogram: Ints
    counting: Ints  # what is counted where: FIRST_COUNTED, ...
    mark_time: Floats  # per batch: when its last job arrived
    mark_in_system: Floats  # per batch and class: the integral up to then
    mark_busy: Floats
    bound: Floats  # [1] shortest service for bounded slowdown; 0 switches it off
    in_system: Ints  # per class: jobs now
    in_system_area: Floats  # per class: integral over time
    in_system_since: Floats  # per class: the time up to which the integral is known
    busy: Ints  # per class: servers now
    busy_area: Floats
    busy_since: Floats
    start: Floats  # per job of the stream, or empty
    end: Floats
    helpers: Ints
    preemptions: Ints


def empty_statistics(
    pivot: Floats,
    origin: int,
    first_counted: int,
    end_counted: int,
    bound: float,
    n_records: int,
    batch_shift: int = ONE_BATCH,
    block_shift: int = ONE_BATCH,
) -> Statistics:
    n_classes = len(pivot)
    last = max(end_counted - first_counted - 1, 0)
    counted, ends = (first_counted, end_counted), (0, first_counted + (1 << batch_shift))
    n_rows = ((last >> batch_shift) + 1) * n_classes
    n_histograms = ((last >> block_shift) + 1) * n_classes
    return Statistics(
        counts=np.zeros(n_rows * N_COUNTS, np.int64),
        moments=np.zeros(n_rows * N_MOMENTS),
        pivot=pivot.copy(),
        response_histogram=np.zeros(n_histograms * N_BUCKETS, np.int64),
        wait_histogram=np.zeros(n_histograms * N_BUCKETS, np.int64),
        counting=np.array([*counted, batch_shift, block_shift - batch_shift, origin, *ends]),
        mark_time=np.zeros(n_rows // n_classes),
        mark_in_system=np.zeros(n_rows),
        mark_busy=np.zeros(n_rows),
        bound=np.array([bound]),
        in_system=np.zeros(n_classes, np.int64),
        in_system_area=np.zeros(n_classes),
        in_system_since=np.zeros(n_classes),
        busy=np.zeros(n_classes, np.int64),
        busy_area=np.zeros(n_classes),
        busy_since=np.zeros(n_classes),
        start=np.zeros(n_records),
        end=np.zeros(n_records),
        helpers=np.zeros(n_records, np.int64),
        preemptions=np.zeros(n_records, np.int64),
    )


def note_arrival(stats: Statistics, n_arrived: int, now: float) -> None:
    """See whether the last job of a batch has come."""
    if n_arrived == stats.counting[NEXT_END]:
        end_batch(stats, now)


@called
def end_batch(stats: Statistics, now: float) -> None:
    """Note the time integrals at the end of a batch."""
    batch = stats.counting[N_ENDED]
    if batch >= stats.mark_time.shape[0]:  # the cool-down has begun
        return
    stats.mark_time[batch] = now
    n_classes = stats.pivot.shape[0]
    for job_class in range(n_classes):
        at = batch * n_classes + job_class
        elapsed = now - stats.in_system_since[job_class]
        jobs = stats.in_system[job_class]
        stats.mark_in_system[at] = stats.in_system_area[job_class] + jobs * elapsed
        elapsed = now - stats.busy_since[job_class]
        stats.mark_busy[at] = stats.busy_area[job_class] + stats.busy[job_class] * elapsed
    stats.counting[N_ENDED] = batch + 1
    stats.counting[NEXT_END] += 1 << stats.counting[BATCH_SHIFT]


def count_in_system(stats: Statistics, job_class: int, now: float, change: int) -> None:
    jobs = stats.in_system[job_class]
    stats.in_system_area[job_class] += jobs * (now - stats.in_system_since[job_class])
    stats.in_system_since[job_class] = now
    stats.in_system[job_class] = jobs + change


def count_busy(stats: Statistics, job_class: int, now: float, change: int) -> None:
    servers = stats.busy[job_class]
    stats.busy_area[job_class] += servers * (now - stats.busy_since[job_class])
    stats.busy_since[job_class] = now
    stats.busy[job_class] = servers + change


def add_moment(moments: Floats, at: int, value: float, pivot: float) -> None:
    centred = value - pivot
    moments[at] += centred
    moments[at + 1] += centred * centred
    moments[at + 2] = max(moments[at + 2], value)


def slowdown_of(response: float, service: float) -> float:
    """Return the slowdown; of a job of no service 1 if it did not wait, else infinite."""
    if service > 0.0:
        return response / service
    if response > 0.0:
        return np.inf
    return 1.0


def record_job(
    stats: Statistics,
    jobs: Seats,
    job: int,
    start: float,
    end: float,
    wait: float,
    preemptions: int,
) -> None:
    """Count a job that first came into service at `start`, and ends at `end`."""
    order = jobs.order[job]
    if stats.start.shape[0] > 0:
        stats.start[order] = start
        stats.end[order] = end
        stats.helpers[order] = jobs.helpers[job]
        stats.preemptions[order] = preemptions
    counting = stats.counting
    if order < counting[FIRST_COUNTED] or order >= counting[END_COUNTED]:
        return
    batch = (order - counting[FIRST_COUNTED]) >> counting[BATCH_SHIFT]
    job_class = jobs.job_class[job]
    n_classes = stats.pivot.shape[0]
    service = jobs.service[job]
    arrival = jobs.arrival[job]
    response = end - arrival

    at = batch * n_classes + job_class
    counts = at * N_COUNTS
    stats.counts[counts + COUNT] += 1
    stats.counts[counts + PREEMPTIONS] += preemptions
    if start > arrival:
        stats.counts[counts + WAITED] += 1
    helpers = jobs.helpers[job]
    if helpers & ROUTED:
        stats.counts[counts + ROUTED_TO_HELPERS] += 1
    if helpers & SERVED:
        stats.counts[counts + SERVED_BY_HELPERS] += 1

    row = at * N_MOMENTS
    add_moment(stats.moments, row + RESPONSE, response, stats.pivot[job_class])
    add_moment(stats.moments, row + WAIT, wait, 0.0)
    add_moment(stats.moments, row + SLOWDOWN, slowdown_of(response, service), 1.0)
    bound = stats.bound[0]
    if bound > 0.0:
        bounded = max(1.0, response / max(service, bound))
        add_moment(stats.moments, row + BOUNDED_SLOWDOWN, bounded, 1.0)

    buckets = ((batch >> counting[BLOCK_BITS]) * n_classes + job_class) * N_BUCKETS
    stats.response_histogram[buckets + time_bucket(response, counting[ORIGIN])] += 1
    stats.wait_histogram[buckets + time_bucket(wait, counting[ORIGIN])] += 1


def record_loss(stats: Statistics, jobs: Seats, job: int, lost: float) -> None:
    """Count what a job paid for its pauses."""
    counting = stats.counting
    order = jobs.order[job]
    if lost == 0.0 or order < counting[FIRST_COUNTED] or order >= counting[END_COUNTED]:
        return
    batch = (order - counting[FIRST_COUNTED]) >> counting[BATCH_SHIFT]
    at = batch * stats.pivot.shape[0] + jobs.job_class[job]
    add_moment(stats.moments, at * N_MOMENTS + LOST, lost, 0.0)
