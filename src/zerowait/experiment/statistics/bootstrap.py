"""Intervals for the means of one replay, by resampling its weeks.

One log is one sample. Its jobs depend on each other, as do its days, so that whole weeks are
drawn with replacement (a block bootstrap; Efron and Tibshirani 1993, section 8.6).
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zerowait.experiment.measures import MEASURES
from zerowait.model.plain import plain
from zerowait.model.quantities import positive, whole

if TYPE_CHECKING:
    import polars

WEEK_S = 604_800.0
FEWEST_BLOCKS = 4  # with fewer there is next to nothing to draw from

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class BlockInterval:
    """A mean, and the percentiles of the means of the resampled logs."""

    mean: float
    low: float
    high: float


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
        everything: dict[str, Any] = plain(asdict(self))
        return everything


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
    length = positive("block_length", block_length)
    arrival = jobs["arrival"].to_numpy()
    block = ((arrival - arrival[0]) // length).astype(np.int64)
    blocks, block = np.unique(block, return_inverse=True)
    if len(blocks) < FEWEST_BLOCKS:
        return None
    rng = np.random.default_rng(seed)
    n = len(blocks)
    # How often each resampled log has each block.
    times = rng.multinomial(n, np.full(n, 1 / n), size=whole("resamples", resamples))
    values = job_measures(jobs, bound)
    which = np.searchsorted(labels, jobs["job_class"].to_numpy())

    def intervals(keep: NDArray[np.bool_]) -> dict[str, BlockInterval]:
        counts = np.bincount(block[keep], minlength=n)
        return {
            name: _interval(
                np.bincount(block[keep], value[keep], n).astype(np.float64), counts, times, level
            )
            for name, value in values.items()
        }

    everything = np.ones(len(arrival), bool)
    return Intervals(
        level=level,
        blocks=n,
        block_length=length,
        resamples=resamples,
        seed=seed,
        overall=intervals(everything),
        classes=tuple(intervals(which == label) for label in range(len(labels))),
    )


def job_measures(jobs: "polars.DataFrame", bound: float) -> dict[str, Floats]:
    """The measures of each single job, in the order of the register."""
    arrival, service, start, end = (
        jobs[name].to_numpy().astype(np.float64) for name in ("arrival", "service", "start", "end")
    )
    response = end - arrival
    with np.errstate(divide="ignore", invalid="ignore"):
        slowdown = np.where(service > 0, response / service, np.where(response > 0, np.inf, 1.0))
    measures = {
        "response": response,
        "wait": response - service,
        "slowdown": slowdown,
        "p_wait": (start > arrival).astype(np.float64),
    }
    if bound > 0:
        measures["bounded_slowdown"] = np.maximum(1.0, response / np.maximum(service, bound))
    return {name: measures[name] for name in MEASURES if name in measures}


def _interval(
    sums: Floats, counts: NDArray[np.int64], times: NDArray[np.int64], level: float
) -> BlockInterval:
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
