"""Estimates of several policies on common streams, with the noise that they share."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from zerowait.experiment.results.result import Result
from zerowait.experiment.simulation.replications import Replication
from zerowait.experiment.simulation.setup import Setup
from zerowait.experiment.statistics.intervals import (
    ROUNDING,
    Interval,
    half_widths,
    quantile_df,
    ratios,
    residuals,
    serial_factor,
    student,
)
from zerowait.experiment.statistics.samples import Samples, Stretch, samples_of, samples_of_parts
from zerowait.model import FixedTimes, Rhythm, Workload
from zerowait.model.quantities import Floats, Ints, refuse

PARTS = 10  # batches of a replication
FEWEST_BATCHES = 20
HELPFUL = 0.15  # share of the variance between batches that must be foreseen


@dataclass(frozen=True)
class Controls:
    """The controls of common streams: relative excess of offered load and of mean service."""

    replications: Floats  # control x replication x row: excess
    batches: Floats  # control x batch x row: excess about its mean over the batches
    runs: Ints  # per batch: its replication


def controls_of(workload: Workload, replications: Samples, batches: Samples) -> Controls | None:
    """None where the controls are not known, or batches are too few for slopes."""
    # What comes in part of a week has another mean than the whole.
    if isinstance(workload.arrivals, (FixedTimes, Rhythm)) or batches.runs is None:
        return None
    if replications.n_groups < 3 or batches.n_groups < FEWEST_BATCHES:
        return None
    mean, off = _excess(workload, replications)
    return Controls(mean[:, None, :] + off, _excess(workload, batches)[1], batches.runs)


def _excess(workload: Workload, samples: Samples) -> tuple[Floats, Floats]:
    """Per control the excess of the mean (per row), and the residuals (group x row)."""
    jobs = samples.denominators["response"]
    service = samples.numerators["response"] - samples.numerators["wait"]
    work = (service[:, :-1] * workload.needs).sum(axis=1, keepdims=True)
    time, everybody = samples.denominators["in_system"][:, -1:], jobs[:, -1:]
    mean_work = float(workload.shares @ (workload.needs * workload.mean_services))
    rate = workload.arrivals.rate
    assert rate is not None  # a setup has decided it
    own = np.append(workload.mean_services, workload.mean_service)
    load = ratios(work, everybody) / mean_work - ratios(time, everybody) * rate
    load_residuals = residuals(work, everybody) / mean_work - residuals(time, everybody) * rate
    n_rows = jobs.shape[1]
    mean = np.array([np.repeat(load, n_rows), ratios(service, jobs) / own - 1])
    every = np.array([np.repeat(load_residuals, n_rows, axis=1), residuals(service, jobs) / own])
    return np.nan_to_num(mean), np.nan_to_num(every)


@dataclass(frozen=True)
class Correction:
    """What to take off each replication, and the share of the batches' noise that it foresees."""

    replications: Floats
    foreseen: float
    df_left: float  # share of the degrees of freedom that the slopes leave


def correction(controls: Controls, off: Floats, row: int) -> Correction:
    """For one row of a measure, of which `off` are the residuals in the batches (batch x row)."""
    x, y = controls.batches[:, :, row].T, off[:, row]
    corrections = np.zeros(controls.replications.shape[1])
    total = float(y @ y)
    if not np.isfinite(total) or total <= 0:
        return Correction(corrections, 0.0, 1.0)
    left = np.zeros(len(y))
    for run in range(len(corrections)):
        own = controls.runs == run
        slope: Floats = np.linalg.lstsq(x[~own], y[~own], rcond=None)[0].astype(np.float64)
        left[own] = y[own] - x[own] @ slope
        corrections[run] = controls.replications[:, run, row] @ slope
    return Correction(corrections, 1 - float(left @ left) / total, _df_left(left, controls))


def _df_left(left: Floats, controls: Controls) -> float:
    """Each slope takes one of the degrees of freedom of the batches that it is fitted to: of so
    many that are independent as their correlation makes of those of the other replications."""
    n_controls, n_runs, _ = controls.replications.shape
    others = len(left) * (1 - 1 / n_runs)
    independent = others / float(serial_factor(left[:, None], controls.runs)[0])
    return float(max(1.0 - n_controls / max(independent - 1.0, n_controls), 0.5))


ALL = -1  # the row of all jobs


@dataclass(frozen=True)
class Estimate:
    """A mean and its residuals in the groups; those of other policies have the same groups."""

    mean: float
    off: Floats  # per group
    df: float
    runs: Ints | None  # per group, where groups are batches
    rounding: float = 0.0  # of quantiles, at most

    def __sub__(self, other: "Estimate") -> "Estimate":
        if math.isnan(self.mean) or math.isnan(other.mean):
            return NOTHING
        return replace(
            self,
            mean=self.mean - other.mean,
            off=self.off - other.off,
            df=min(self.df, other.df),
            rounding=self.rounding + other.rounding,
        )

    def __truediv__(self, other: "Estimate") -> "Estimate":
        """The ratio, linearised about the means (the delta method)."""
        if math.isnan(self.mean) or math.isnan(other.mean) or other.mean == 0:
            return NOTHING
        ratio = self.mean / other.mean
        off = (self.off - ratio * other.off) / other.mean
        rounding = (self.rounding + abs(ratio) * other.rounding) / abs(other.mean)
        df = min(self.df, other.df)
        return replace(self, mean=ratio, off=off, df=df, rounding=rounding)

    def scaled(self, factor: float) -> "Estimate":
        return replace(
            self,
            mean=self.mean * factor,
            off=self.off * factor,
            rounding=self.rounding * abs(factor),
        )

    def interval(self, level: float) -> Interval:
        width = math.nan
        if not math.isnan(self.mean) and len(self.off) > 1:
            width = float(half_widths(self.off[:, None], self.df, level, self.runs)[0])
            width += self.rounding
        return Interval(self.mean, width, level)

    @property
    def p_value(self) -> float:
        """Of Student's two-sided test that the mean is zero; 1 where nothing differs at all."""
        from scipy.special import stdtr

        if math.isnan(self.mean) or self.df <= 0:
            return math.nan
        beyond = abs(self.mean) - self.rounding
        if beyond <= 0:
            return 1.0
        half = self.interval(0.5).half_width - self.rounding
        if half == 0:
            return 0.0
        error = half / float(student(self.df, 0.5))
        return float(2 * stdtr(self.df, -beyond / error))


NOTHING = Estimate(math.nan, np.zeros(0), 0.0, None)  # of a system without a steady state


@dataclass(frozen=True)
class Paired:
    """Every policy's measures in the same groups of the same streams; None where it diverges."""

    groups: tuple[Samples | None, ...]
    batches: tuple[Samples | None, ...]  # that slopes of controls are fitted to
    controls: Controls | None
    # By policy, measure and row: every mean of a measure asks for those of all policies.
    _corrections: dict[tuple[int, str, int], Correction] = field(
        default_factory=dict, repr=False, compare=False
    )

    def estimate(self, policy: int, measure: str, row: int) -> Estimate:
        """The mean of a measure; with controls where they help."""
        samples = self.groups[policy]
        if samples is None:
            return NOTHING
        if measure in samples.points:
            values = samples.quantiles[measure][:, row]
            point = float(samples.points[measure][row])
            df = float(quantile_df(len(values)))
            rounding = ROUNDING * abs(point)
            return Estimate(point, values - point, df, samples.quantile_runs, rounding)
        if measure not in samples.numerators:
            remedy = "of batches there are means only; compare over replications"
            raise refuse("measure", measure, remedy)
        numerators, denominators = samples.numerators[measure], samples.denominators[measure]
        mean = float(ratios(numerators, denominators)[row])
        off = residuals(numerators, denominators)[:, row]
        df = float((denominators[:, row] > 0).sum() - 1)
        if self.controls is None or not self.helpful(measure):
            return Estimate(mean, off, df, samples.runs)
        found = self._correction(policy, measure, row)
        values = mean + off - found.replications
        mean = float(values.mean())
        return Estimate(mean, values - mean, df * found.df_left, samples.runs)

    def helpful(self, measure: str) -> bool:
        """Do controls foresee enough of the noise between batches, on average over the policies?

        All policies and classes use them or none does, so that differences of means are means of
        differences, classes add up to all jobs, and what cancels goes on cancelling.
        """
        steady = [number for number, one in enumerate(self.groups) if one is not None]
        if self.controls is None or not steady:
            return False
        foreseen = [self._correction(one, measure, ALL).foreseen for one in steady]
        return bool(np.mean(foreseen) > HELPFUL)

    def _correction(self, policy: int, measure: str, row: int) -> Correction:
        asked = (policy, measure, row)
        if asked not in self._corrections:
            self._corrections[asked] = self._found_correction(*asked)
        return self._corrections[asked]

    def _found_correction(self, policy: int, measure: str, row: int) -> Correction:
        batches = self.batches[policy]
        if self.controls is None or batches is None or measure not in batches.numerators:
            return Correction(np.zeros(0), 0.0, 1.0)
        off = residuals(batches.numerators[measure], batches.denominators[measure])
        return correction(self.controls, off, row)


def pair(setup: Setup, runs: Sequence[Sequence[Replication]], results: Sequence[Result]) -> Paired:
    """Cut every replication where the last of the policies that have a steady state has settled."""
    steady = [not one.diverging for one in results]
    kept = [known for known, ok in zip(runs, steady, strict=True) if ok]
    firsts = [max(one.stretch.first for one in same) for same in zip(*kept, strict=True)]

    def samples(known: Sequence[Replication], result: Result) -> tuple[Samples, Samples]:
        whole = [
            Stretch(one.stretch.batches, first, one.stretch.end)
            for one, first in zip(known, firsts, strict=True)
        ]
        fine = samples_of_parts(whole, setup.batches or PARTS, setup.servers)
        groups = fine if setup.batches else samples_of(whole, setup.servers)
        own = result.samples
        if own is not None and setup.batches is None:  # blocks of histograms begin elsewhere
            groups = replace(groups, quantiles=own.quantiles, points=own.points)
        return groups, fine

    found = [
        samples(known, result) if ok else (None, None)
        for known, result, ok in zip(runs, results, steady, strict=True)
    ]
    groups, batches = (tuple(part) for part in zip(*found, strict=True))
    common = next(((a, b) for a, b in found if a is not None and b is not None), None)
    controls = None
    if common is not None and setup.batches is None:
        controls = controls_of(setup.workload, *common)
    return Paired(groups, batches, controls)
