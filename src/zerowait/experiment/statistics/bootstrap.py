"""Intervals for the means of replays, and for their differences, by resampling weeks.

One log is one sample. Its jobs depend on each other, as do its days, so that whole weeks are
drawn with replacement (a block bootstrap; Efron and Tibshirani 1993, section 8.6). Two policies
are compared on the same weeks drawn again: what was busy for one was busy for the other.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zerowait.experiment.measures import MEASURES
from zerowait.experiment.statistics.intervals import residuals
from zerowait.model.display import json_ready
from zerowait.model.quantities import Floats, Ints, positive, whole

if TYPE_CHECKING:
    import polars

WEEK_S = 604_800.0
OF_JOBS = {"response", "wait", "slowdown", "bounded_slowdown", "p_wait"}
FEWEST_BLOCKS = 4  # with fewer there is next to nothing to draw from

Mask = NDArray[np.bool_]


def week_numbers(arrival: Floats) -> Ints:
    """Per job the week of its arrival, from that of the first on."""
    return np.asarray((arrival - arrival[0]) // WEEK_S, dtype=np.int64)


@dataclass(frozen=True)
class BlockInterval:
    """A mean, and the percentiles of the means of the resampled logs."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class PairedDifference:
    """One mean less another over the same jobs, its interval, and the chance of as much by chance
    alone (two-sided); NaN where there is none."""

    mean: float
    low: float
    high: float
    p_value: float


@dataclass(frozen=True)
class Intervals:
    """Per measure, for all jobs and for each class."""

    level: float
    blocks: int
    block_length: float
    resamples: int
    seed: int
    overall: Mapping[str, BlockInterval]
    classes: tuple[Mapping[str, BlockInterval], ...]  # in the order of the result's classes

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON: a mean that is not defined, or infinite, is None."""
        everything: dict[str, Any] = json_ready(asdict(self))
        return everything


class Blocks:
    """Weeks of a log, or other stretches, and how often each is in every log drawn again."""

    def __init__(
        self, arrival: Floats, length: float = WEEK_S, *, resamples: int = 1000, seed: int = 1
    ) -> None:
        number = ((arrival - arrival[0]) // positive("block_length", length)).astype(np.int64)
        present, self.of_job = np.unique(number, return_inverse=True)
        self.n, self.length = len(present), length
        rng = np.random.default_rng(seed)
        self.times = rng.multinomial(
            self.n, np.full(self.n, 1 / self.n), size=whole("resamples", resamples)
        )

    @property
    def are_enough(self) -> bool:
        return self.n >= FEWEST_BLOCKS

    def sums(self, values: Floats, keep: Mask) -> Floats:
        """Per block, of the jobs of the mask."""
        return np.bincount(self.of_job[keep], values[keep], self.n).astype(np.float64)

    def counts(self, keep: Mask) -> Ints:
        return np.bincount(self.of_job[keep], minlength=self.n)

    def interval(self, values: Floats, keep: Mask, level: float) -> BlockInterval:
        return _interval(self.sums(values, keep), self.counts(keep), self.times, level)

    def difference(
        self, own: Floats, other: Floats, keep: Mask, level: float
    ) -> "PairedDifference":
        """Of two means over the same jobs, with the same weeks drawn for both."""
        counts = self.counts(keep)
        change = own - other
        if not counts.any() or not np.isfinite(change[keep]).all():
            return PairedDifference(math.nan, math.nan, math.nan, math.nan)
        found = self.interval(change, keep, level)
        if not self.are_enough:
            return PairedDifference(found.mean, math.nan, math.nan, math.nan)
        return PairedDifference(
            found.mean, found.low, found.high, _p_value(self.sums(change, keep), counts)
        )


def _p_value(sums: Floats, counts: Ints) -> float:
    """Student's over the weeks' residuals: percentiles of a thousand logs drawn again cannot tell
    chances below one in a thousand apart, and many tests at once ask for that."""
    from scipy.special import stdtr

    present = int((counts > 0).sum())
    n = len(counts)
    off = residuals(sums[:, None], counts[:, None].astype(np.float64))[:, 0]
    spread = math.sqrt(float(off @ off) / n / max(n - 1, 1))
    mean = float(sums.sum() / counts.sum())
    if present < FEWEST_BLOCKS:
        return math.nan
    if spread == 0:
        return 1.0 if mean == 0 else 0.0
    return float(2 * stdtr(present - 1, -abs(mean) / spread))


def block_intervals(
    jobs: "polars.DataFrame",
    *,
    bound: float,
    counted: tuple[int, int] | None = None,
    block_length: float = WEEK_S,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 1,
) -> Intervals | None:
    """Intervals from the rows of a replay, `result.jobs`, of which those from `counted[0]` up to
    `counted[1]` count; None where the log has fewer than four blocks.
    """
    labels = np.unique(jobs["job_class"].to_numpy())
    first, end = counted or (0, jobs.height)
    jobs = jobs[first:end]
    blocks = Blocks(jobs["arrival"].to_numpy(), block_length, resamples=resamples, seed=seed)
    if not blocks.are_enough:
        return None
    values = job_measures(jobs, bound)
    which = np.searchsorted(labels, jobs["job_class"].to_numpy())

    def intervals(keep: Mask) -> dict[str, BlockInterval]:
        return {name: blocks.interval(value, keep, level) for name, value in values.items()}

    return Intervals(
        level=level,
        blocks=blocks.n,
        block_length=blocks.length,
        resamples=resamples,
        seed=seed,
        overall=intervals(np.ones(jobs.height, bool)),
        classes=tuple(intervals(which == label) for label in range(len(labels))),
    )


def job_measures(jobs: "polars.DataFrame", bound: float) -> dict[str, Floats]:
    """The measures of each single job, in the order of the register."""
    arrival, service, start, end = (
        jobs[name].to_numpy().astype(np.float64) for name in ("arrival", "service", "start", "end")
    )
    measured = OF_JOBS if bound > 0 else OF_JOBS - {"bounded_slowdown"}
    return {
        name: job_measure(name, arrival, service, start, end, bound)
        for name in MEASURES
        if name in measured
    }


def job_measure(
    name: str, arrival: Floats, service: Floats, start: Floats, end: Floats, bound: float
) -> Floats:
    """One of the measures that times alone tell; a job of no service that waited is slowed down
    for ever."""
    assert name in OF_JOBS, name
    response = end - arrival
    if name == "wait":
        return response - service
    if name == "p_wait":
        return (start > arrival).astype(np.float64)
    if name == "bounded_slowdown":
        return np.maximum(1.0, response / np.maximum(service, bound))
    if name == "slowdown":
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(service > 0, response / service, np.where(response > 0, np.inf, 1.0))
    return response


def _interval(sums: Floats, counts: Ints, times: Ints, level: float) -> BlockInterval:
    if not counts.any():
        return BlockInterval(math.nan, math.nan, math.nan)
    if not np.isfinite(sums).all():  # a job of no service that waited is slowed down for ever
        return BlockInterval(math.inf, math.nan, math.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = (times @ sums) / (times @ counts)
    # A class that is missing from some resampled logs has no mean there.
    means = means[~np.isnan(means)]
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return BlockInterval(float(sums.sum() / counts.sum()), float(low), float(high))
