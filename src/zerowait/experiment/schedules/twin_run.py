"""A schedule that really happened beside the one predicted for it."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from zerowait.experiment.schedules.order_audit import Passing, Schedule, SchedulerRules, passings
from zerowait.experiment.simulation.simulate import replay
from zerowait.model import InputError, Jobs
from zerowait.model.quantities import Floats, whole
from zerowait.policies import Policy


@dataclass(frozen=True)
class BusyStretch:
    """Jobs from one place of a log; arrivals count from the first of them."""

    first: int  # its place in the log
    jobs: Jobs
    wait: float  # mean, under the policy that it was chosen by


def busy_stretch(
    jobs: Jobs,
    servers: int,
    policy: str | Policy,
    *,
    n_jobs: int,
    rank: int = 1,
    progress: Callable[[int], None] | None = None,
) -> BusyStretch:
    """Find the stretch of `n_jobs` jobs with the `rank`th longest mean wait under the policy.

    Each stretch starts from an empty cluster. Other policies are not looked at.
    """
    n_stretches = len(jobs) // whole("n_jobs", n_jobs)
    if not 1 <= whole("rank", rank) <= n_stretches:
        raise InputError(
            f"stretch = {rank}: the log has {n_stretches} stretches of {n_jobs} jobs; "
            "ask for fewer --jobs, or for an earlier --stretch"
        )
    waits = []
    for number in range(n_stretches):
        result = replay(cut_stretch(jobs, number * n_jobs, n_jobs), servers, policy, resamples=0)
        waits.append(result.overall.wait.mean)
        if progress is not None:
            progress(1)
    # Of equal waits the earlier stretch: a sort that is stable.
    chosen = int(np.argsort(-np.array(waits), kind="stable")[rank - 1])
    first = chosen * n_jobs
    return BusyStretch(first, cut_stretch(jobs, first, n_jobs), waits[chosen])


def cut_stretch(jobs: Jobs, first: int, n_jobs: int) -> Jobs:
    keep = np.zeros(len(jobs), dtype=bool)
    keep[first : first + n_jobs] = True
    part = jobs.select(keep)
    arrival = np.asarray(part.arrival)
    return replace(part, arrival=arrival - arrival[0])


BAND = (0.025, 0.975)  # the quantiles of the draws that a band lies between


@dataclass(frozen=True)
class Band:
    """The middle of a prediction's draws, and the ends between which most of them lie."""

    low: float
    middle: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high

    @staticmethod
    def of(values: Floats) -> "Band":
        low, middle, high = np.quantile(values, (BAND[0], 0.5, BAND[1]))
        return Band(float(low), float(middle), float(high))


@dataclass(frozen=True)
class OutOfOrder:
    """A job that really started before another that was predicted to start before it."""

    job: int
    passed: int
    n_passed: int
    reason: str


@dataclass(frozen=True)
class TwinRun:
    """What happened under a policy, and what was predicted with and without delays."""

    policy: str
    real: Schedule
    rules: SchedulerRules
    ideal: Floats  # starts of a replay that decides at once
    predicted: Floats  # starts, one row per draw of the delays
    n_jobs_ended: int
    restarts: int = 0

    @property
    def waits(self) -> Floats:
        return np.maximum(self.real.start - self.real.arrival, 0.0)

    @property
    def ideal_waits(self) -> Floats:
        return self.ideal - self.real.arrival

    @property
    def predicted_waits(self) -> Floats:
        """Return the waits that were predicted, one row per draw."""
        waits: Floats = np.maximum(self.predicted - self.real.arrival, 0.0)
        return waits

    @property
    def wait_band(self) -> Band:
        return Band.of(self.predicted_waits.mean(axis=1))

    @cached_property
    def passings(self) -> list[Passing]:
        return passings(self.real, self.rules)

    @property
    def violations(self) -> list[Passing]:
        return [one for one in self.passings if not one.allowed]

    @cached_property
    def out_of_order(self) -> list[OutOfOrder]:
        """List who passed, beyond the tolerance, a job that the prediction has before it."""
        slack = self.rules.tolerance
        start, expected = self.real.start, np.median(self.predicted, axis=0)
        reasons = {(one.job, one.passed): one.reason for one in self.passings}
        found = []
        for job in np.argsort(start, kind="stable").tolist():
            was_passed = (start > start[job] + slack) & (expected < expected[job] - slack)
            others = np.flatnonzero(was_passed).tolist()
            if others:
                found.append(self._out_of_order(job, others, reasons))
        return found

    def _out_of_order(
        self, job: int, others: Sequence[int], reasons: dict[tuple[int, int], str]
    ) -> OutOfOrder:
        found = [(reasons.get((job, one), self._by_key(job, one)), one) for one in others]
        # The reason that most of them have, told of the first it holds for.
        common = Counter(reason for reason, _ in found).most_common(1)[0][0]
        passed = next(one for reason, one in found if reason == common)
        return OutOfOrder(job, passed, len(others), common)

    def _by_key(self, job: int, other: int) -> str:
        if self.real.arrival[other] > self.real.start[job] - self.rules.tolerance:
            return "came within the scheduler's cycle"
        return "goes behind it: servers came free otherwise than predicted"


@dataclass(frozen=True)
class Twins:
    """A stretch of a log under today's policy and under a plan's, both real and predicted."""

    baseline: TwinRun
    choice: TwinRun

    @property
    def ratio(self) -> float:
        """Return the mean wait under the plan, over that under today's policy."""
        return _ratio(self.choice.waits.mean(), self.baseline.waits.mean())

    @property
    def ideal_ratio(self) -> float:
        return _ratio(self.choice.ideal_waits.mean(), self.baseline.ideal_waits.mean())

    @property
    def ratio_band(self) -> Band:
        """Return the band of the ratio, draw by draw: both policies met the same delays."""
        top, bottom = (one.predicted_waits.mean(axis=1) for one in (self.choice, self.baseline))
        return Band.of(top / np.maximum(bottom, 1e-9))


def _ratio(top: float, bottom: float) -> float:
    return float(top / bottom) if bottom > 0 else float("nan")
