"""The parts of a log that candidates are tried and scored on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zerowait.experiment.optimisation.evaluations import run_jobs
from zerowait.experiment.optimisation.samples import JobList, Sample, log_sample
from zerowait.experiment.optimisation.space import Candidate
from zerowait.experiment.statistics.weeks import week_numbers
from zerowait.model import InputError, Jobs
from zerowait.model.jobs import apply_overruns
from zerowait.model.quantities import WEEK_S, Floats, Ints, whole
from zerowait.traces.classes import group
from zerowait.traces.log import Log

BUSIER, QUIETER = 0.95, 1.05  # what gaps between arrivals are multiplied by
ORDERS_OF_WEEKS = 2
FINAL_ORDERS = 6  # that the best of a search are chosen by, too
FINALS_SEED = 500_000
SHORT = 4  # one part in so many is a short run
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class LogJobs:
    """The jobs of a log as policies see them, in classes by need."""

    jobs: Jobs
    index: Ints  # per job: its class
    names: tuple[str, ...]
    kept: Mask  # per job of the log: is it among them?
    overran: int  # jobs that ran longer than estimated

    @property
    def arrival(self) -> Floats:
        return np.asarray(self.jobs.arrival)

    def part(self, mask: Mask | None = None) -> Sample:
        """Return some of the jobs as a sample; all of them without a mask."""
        if mask is None:
            return log_sample(self.jobs, self.index, self.names)
        return log_sample(self.jobs.select(mask), self.index[mask], self.names)

    def halves(self) -> tuple[Mask, Mask]:
        """Before and after the middle of the time that the log covers."""
        middle = (self.arrival[0] + self.arrival[-1]) / 2
        first = self.arrival < middle
        if first.all() or not first.any():
            raise InputError("jobs: all arrive at one instant; a log has no two halves then")
        return first, ~first


def log_jobs(log: Log, servers: int, classes: str = "auto", overruns: str = "extend") -> LogJobs:
    """Jobs that fit the servers, with overruns dealt with, grouped by need."""
    kept = np.asarray(log.jobs.need) <= whole("servers", servers)
    if not kept.any():
        raise InputError(f"{log.path}: every job needs more than the {servers} servers; give more")
    jobs, overran = apply_overruns(log.jobs.select(kept), overruns)
    grouped = group(jobs, classes)
    return LogJobs(jobs, grouped.index, tuple(grouped.names), kept, overran)


def variants(sample: Sample, seed: int) -> list[Sample]:
    """A part of a log as it was, a little busier, a little quieter, and with its weeks in other
    orders: what a choice must stand, so that it does not hang on one coincidence."""
    source = sample.source
    assert isinstance(source, JobList)
    arrival = np.asarray(source.jobs.arrival)
    since = arrival - arrival[0]
    found = [sample]
    found += [_moved(sample, arrival[0] + since * factor) for factor in (BUSIER, QUIETER)]
    return found + reordered(sample, seed, ORDERS_OF_WEEKS)


def reordered(sample: Sample, seed: int, n: int) -> list[Sample]:
    """A part of a log with its weeks in other orders."""
    source = sample.source
    assert isinstance(source, JobList)
    arrival = np.asarray(source.jobs.arrival)
    week = week_numbers(arrival)
    rng = np.random.default_rng(seed)
    places = [rng.permutation(int(week[-1]) + 1) for _ in range(n if week[-1] > 0 else 0)]
    return [_moved(sample, arrival + (place[week] - week) * WEEK_S) for place in places]


def finals_of(sample: Sample, seed: int) -> list[Sample]:
    """Orders of weeks that a search has not seen, for its best to be chosen by."""
    return reordered(sample, seed + FINALS_SEED, FINAL_ORDERS)


def _moved(sample: Sample, arrival: Floats) -> Sample:
    """The same jobs at other times."""
    source = sample.source
    assert isinstance(source, JobList)
    order = np.argsort(arrival, kind="stable")
    jobs = source.jobs
    moved = Jobs(
        arrival[order], np.asarray(jobs.need)[order], np.asarray(jobs.service)[order],
        None, np.asarray(jobs.estimate)[order],
    )  # fmt: skip
    return log_sample(moved, source.index[order], sample.names, sample.bound)


def busiest_part(sample: Sample, baseline: Candidate, servers: int) -> Sample:
    """The stretch, a quarter of the time, in which jobs wait most under the baseline."""
    source = sample.source
    assert isinstance(source, JobList)
    arrival = np.asarray(source.jobs.arrival)
    wait = run_jobs(sample, baseline, servers).wait
    length = (arrival[-1] - arrival[0]) / SHORT
    sums = np.append(0.0, np.cumsum(wait))
    ends = np.searchsorted(arrival, arrival + length, side="right")
    begin = int(np.argmax(sums[ends] - sums[:-1]))
    mask = np.zeros(len(arrival), bool)
    mask[begin : ends[begin]] = True
    return log_sample(source.jobs.select(mask), source.index[mask], sample.names, sample.bound)
