"""The sums of a run, batch by batch, and the tallies that they add up to."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zerowait.engine.sums import (
    BLOCK_BITS,
    BOUNDED_SLOWDOWN,
    N_BUCKETS,
    N_COUNTS,
    N_MOMENTS,
    ONE_BATCH,
    ORIGIN,
    SLOWDOWN,
    Statistics,
)
from zerowait.model.quantities import Floats, Ints

MAXIMUM = 2  # after sum and sum of squares


@dataclass(frozen=True)
class Tally:
    """Per class: counts, moments, histograms and time integrals over `window`."""

    counts: Ints  # class x column of statistics.COUNT, ...
    moments: Floats  # class x measure x (sum, sum of squares, maximum), about the pivots
    pivots: Floats  # class x measure
    response_histogram: Ints  # class x bucket
    wait_histogram: Ints  # class x bucket
    origin: int  # of the histograms
    in_system_area: Floats  # per class
    busy_area: Floats  # per class
    window: float


def merge(tallies: Sequence[Tally]) -> Tally:
    """Return the tally of all runs together; they must share classes, pivots and origin."""
    moments = np.sum([t.moments for t in tallies], axis=0)
    moments[:, :, MAXIMUM] = np.max([t.moments[:, :, MAXIMUM] for t in tallies], axis=0)
    return Tally(
        np.sum([t.counts for t in tallies], axis=0),
        moments,
        tallies[0].pivots,
        np.sum([t.response_histogram for t in tallies], axis=0),
        np.sum([t.wait_histogram for t in tallies], axis=0),
        tallies[0].origin,
        np.sum([t.in_system_area for t in tallies], axis=0),
        np.sum([t.busy_area for t in tallies], axis=0),
        sum(t.window for t in tallies),
    )


BATCHES_PER_BLOCK_BITS = 4
MOST_ROWS = 1 << 16  # batches x classes: 10 MiB of sums
MOST_HISTOGRAMS = 1 << 10  # blocks x classes: 64 MiB, of which little is ever touched
FEWEST_BATCHES, FEWEST_BLOCKS = 32, 2


@dataclass(frozen=True)
class Batches:
    """Sums per batch (a power of two of arrivals; the last may be shorter) and class."""

    counts: Ints  # batch x class x column of statistics.COUNT, ...
    moments: Floats  # batch x class x measure x (sum, sum of squares, maximum), about the pivots
    pivots: Floats  # class x measure
    response_histogram: Ints  # block x class x bucket
    wait_histogram: Ints  # block x class x bucket
    origin: int  # of the histograms
    per_block: int  # batches
    time: Floats  # per edge of a batch, the first edge at 0
    in_system_area: Floats  # edge x class: integrals since the first edge
    busy_area: Floats  # edge x class

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def arrivals(self) -> Ints:
        """Return the number of jobs counted, per batch."""
        total: Ints = self.counts[:, :, 0].sum(axis=1)
        return total

    @property
    def in_system(self) -> Floats:
        """Return the mean number of jobs in the system, per batch."""
        with np.errstate(invalid="ignore", divide="ignore"):
            means: Floats = np.diff(self.in_system_area.sum(axis=1)) / np.diff(self.time)
        return means

    def tally(self, first: int = 0, end: int | None = None) -> Tally:
        """Sum up from batch `first` up to `end`; histograms of the blocks that lie wholly inside.

        Where no block does, those that overlap are taken.
        """
        end = len(self) if end is None else end
        moments = self.moments[first:end].sum(axis=0)
        moments[:, :, MAXIMUM] = self.moments[first:end, :, :, MAXIMUM].max(axis=0)
        blocks = self.blocks(first, end)
        return Tally(
            self.counts[first:end].sum(axis=0),
            moments,
            self.pivots,
            self.response_histogram[blocks].sum(axis=0),
            self.wait_histogram[blocks].sum(axis=0),
            self.origin,
            self.in_system_area[end] - self.in_system_area[first],
            self.busy_area[end] - self.busy_area[first],
            float(self.time[end] - self.time[first]),
        )

    def blocks(self, first: int, end: int) -> slice:
        """Return the blocks of histograms within these batches."""
        low, high = -(-first // self.per_block), end // self.per_block
        if end == len(self):
            high = len(self.response_histogram)
        if low < high:
            return slice(low, high)
        return slice(first // self.per_block, -(-end // self.per_block))


def batch_shifts(n_jobs: int, n_classes: int, n_batches: int) -> tuple[int, int]:
    """Return the bits of a batch and of a block: at most `n_batches`, more than half as many.

    With many classes there are fewer, so that memory stays bounded.
    """
    if n_batches <= 1 or n_jobs == 0:
        return ONE_BATCH, ONE_BATCH
    most = min(n_batches, max(MOST_ROWS // n_classes, FEWEST_BATCHES))
    shift = _shift(n_jobs, most)
    blocks = max(MOST_HISTOGRAMS // n_classes, FEWEST_BLOCKS)
    return shift, max(shift + BATCHES_PER_BLOCK_BITS, _shift(n_jobs, blocks))


def _shift(n_jobs: int, most: int) -> int:
    """Return the smallest power of two that cuts the jobs into at most so many parts."""
    return max(-(-n_jobs // most) - 1, 0).bit_length()


def batches_of(
    stats: Statistics, in_system_area: Floats, busy_area: Floats, window: float, began: float
) -> Batches:
    """Return the batches of a run that is over; areas and window are those of all counted jobs."""
    n_classes = len(stats.pivot)
    pivots = np.zeros((n_classes, N_MOMENTS // 3))
    pivots[:, 0] = stats.pivot
    pivots[:, [SLOWDOWN // 3, BOUNDED_SLOWDOWN // 3]] = 1.0
    return Batches(
        stats.counts.reshape(-1, n_classes, N_COUNTS),
        stats.moments.reshape(len(stats.mark_time), n_classes, -1, 3),
        pivots,
        stats.response_histogram.reshape(-1, n_classes, N_BUCKETS),
        stats.wait_histogram.reshape(-1, n_classes, N_BUCKETS),
        int(stats.counting[ORIGIN]),
        1 << int(stats.counting[BLOCK_BITS]),
        np.array([0.0, *(stats.mark_time[:-1] - began), window]),
        _edges(stats.mark_in_system, in_system_area),
        _edges(stats.mark_busy, busy_area),
    )


def _edges(marks: Floats, last: Floats) -> Floats:
    return np.array([np.zeros(len(last)), *marks.reshape(-1, len(last))[:-1], last])
